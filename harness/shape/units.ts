/** A history as a list of what it says, from neutral messages and from either wire form: equal lists say the same. */
import { type Block, type Message } from "../chain/message.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { filler } from "../models/remote/turns.ts";
import { createMender } from "../models/remote/unicode.ts";
import { isObject, objectsIn, shown, textsIn } from "./session-shape.ts";
import type { Style } from "./styles.ts";

/** Marks what is no text. Not a character that a text of a session begins with. */
const mark = "\u0001";
const callUnit = (name: string, args: JsonValue | undefined): string =>
  `${mark}call ${name.replaceAll(/[^\w-]/g, "_").slice(0, 51)} ${JSON.stringify(args)}`;
const resultMark = `${mark}result`;
/** What stands for a result without a text. */
const noOutput = "(no output)";
const isSaid = (text: string): boolean => !/^[\s\u001c-\u001f\u0085]*$/.test(text);

/**
 * What has to arrive of messages. Texts of a message come before its calls; the chat form joins them by newline. No
 * reasoning, an image's name instead of the image, no blank text, well-formed Unicode.
 */
export function expectedUnits(form: Style["form"], messages: readonly Message[]): string[] {
  const mender = createMender();
  return messages.flatMap(({ blocks }) => {
    const texts = blocks.flatMap(textOf);
    const calls = blocks.flatMap((block) =>
      block.kind === "call" ? [callUnit(block.tool, mender.json(block.args))] : [],
    );
    const results = blocks.flatMap((block) =>
      block.kind === "result" ? [resultMark, isSaid(block.text) ? block.text.toWellFormed() : noOutput] : [],
    );
    return [...(form === "chat" && texts.length > 1 ? [texts.join("\n")] : texts), ...calls, ...results];
  });
}

function textOf(block: Block): string[] {
  if (block.kind === "image") return [`(image, ${block.mediaType.toWellFormed()}, not sent)`];
  return block.kind === "text" && isSaid(block.text) ? [block.text.toWellFormed()] : [];
}

/** What arrived as chat messages. */
export const chatUnits = (messages: readonly JsonObject[]): string[] =>
  withoutFiller(
    messages.flatMap(({ role, content, tool_calls: calls }) => {
      const texts = textsIn(content);
      if (role === "tool") return texts.flatMap((text) => [resultMark, text]);
      const made = objectsIn(calls).map(({ function: one }) => {
        const { name, arguments: args } = isObject(one) ? one : {};
        return callUnit(shown(name), parsed(shown(args)));
      });
      return [...texts, ...made];
    }),
  );

/** Arguments as they were meant, or the text where it is no JSON. */
function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

/** What arrived as blocks of Anthropic's messages. */
export const blocksUnits = (blocks: readonly JsonObject[]): string[] =>
  withoutFiller(
    blocks.flatMap(({ type, text, name, input, content }) => {
      if (type === "tool_use") return [callUnit(shown(name), input)];
      if (type === "tool_result") return textsIn(content).flatMap((one) => [resultMark, one]);
      return typeof text === "string" ? [text] : [`${mark}${shown(type)}`];
    }),
  );

/** Fillers are the form's, not the history's. */
const withoutFiller = (units: readonly string[]): string[] => units.filter((unit) => unit !== filler);
