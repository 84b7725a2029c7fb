/** A history as one text of what it says, from neutral messages and from either wire form: equal texts say the same. */
import { type Block, type Message } from "../chain/message.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { filler } from "../models/remote/turns.ts";
import { createMender } from "../models/remote/unicode.ts";
import { isObject, objectsIn, shown, textsIn } from "./session-shape.ts";

/** Marks what is no text. Not a character that a session has at the start of a line. */
const mark = "\u0001";
const callUnit = (name: string, args: JsonValue | undefined): string =>
  `${mark}call ${name.replaceAll(/[^\w-]/g, "_").slice(0, 51)} ${JSON.stringify(args)}`;
/** What stands for a result without a text. */
const noOutput = "(no output)";
const resultUnit = (text: string): string => `${mark}result ${text}`;
const isSaid = (text: string): boolean => !/^[\s\u001c-\u001f\u0085]*$/.test(text);

/** What has to arrive of messages: no reasoning, an image's name instead of the image, no blank text, well-formed Unicode. */
export function expectedText(messages: readonly Message[]): string {
  const mender = createMender();
  const unit = (block: Block): string | undefined => {
    switch (block.kind) {
      case "text":
        return isSaid(block.text) ? block.text.toWellFormed() : undefined;
      case "image":
        return `(image, ${block.mediaType.toWellFormed()}, not sent)`;
      case "call":
        return callUnit(block.tool, mender.json(block.args));
      case "result":
        return resultUnit(isSaid(block.text) ? block.text.toWellFormed() : noOutput);
      case "reasoning":
        return undefined;
    }
  };
  return joined(messages.flatMap(({ blocks }) => blocks.map(unit)));
}

/** What arrived as chat messages. */
export const chatText = (messages: readonly JsonObject[]): string =>
  joined(
    messages.flatMap(({ role, content, tool_calls: calls }) => {
      const texts = textsIn(content);
      if (role === "tool") return texts.map(resultUnit);
      const made = objectsIn(calls).map(({ function: one }) => {
        const { name = "", arguments: args = "" } = isObject(one) ? one : {};
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
export const blocksText = (blocks: readonly JsonObject[]): string =>
  joined(
    blocks.flatMap(({ type, text, name, input, content }) => {
      if (type === "tool_use") return [callUnit(shown(name), input)];
      if (type === "tool_result") return textsIn(content).map(resultUnit);
      return typeof text === "string" ? [text] : [`${mark}${JSON.stringify(type)}`];
    }),
  );

/** Fillers are the form's, not the history's. */
const joined = (units: readonly (string | undefined)[]): string =>
  units.filter((unit) => unit !== undefined && unit !== filler).join("\n");
