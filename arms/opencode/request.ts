/** The request that OpenCode sends to its summariser. Source: anomalyco/opencode 1.18.31, captured. */
import type { Block, ImageBlock, Message } from "../../harness/chain/message.ts";
import type { ModelRequest } from "../../harness/models/model.ts";
import type { OpenCodePrompts } from "./prompts.ts";
import type { Item } from "./storage.ts";
import type { StoredPart } from "./stored.ts";

/** A system text and one user text that holds everything; no tools. `id` names the user message. */
export function summaryRequest(
  id: string,
  head: readonly Item[],
  prior: string | undefined,
  prompts: OpenCodePrompts,
  { resultChars, maxOutputTokens }: { readonly resultChars: number; readonly maxOutputTokens: number },
): Omit<ModelRequest, "purpose" | "cacheKey"> {
  const text = [
    prompts.opening,
    tagged("conversation", headText(head, prompts, resultChars)),
    ...(prior === undefined ? [prompts.create] : [prompts.prior, tagged("prior-summary", prior), prompts.merge]),
    `${prompts.form}\n${tagged("template", prompts.template)}`,
    prompts.rules,
  ].join("\n\n");
  const message: Message = { id, role: "user", blocks: [{ kind: "text", text: text.toWellFormed() }] };
  return { system: prompts.system, tools: [], toolChoice: "none", messages: [message], maxOutputTokens };
}

const tagged = (tag: string, text: string): string => `<${tag}>\n${text}\n</${tag}>`;

/** What is summarised, as plain text: a block a stored message, an empty line between; nothing for a message without lines. */
export function headText(head: readonly Item[], prompts: OpenCodePrompts, resultChars: number): string {
  return head
    .map((item) => lines(item, prompts, resultChars).join("\n"))
    .filter((block) => block !== "")
    .join("\n\n");
}

function lines(item: Item, prompts: OpenCodePrompts, resultChars: number): string[] {
  switch (item.kind) {
    case "pair":
      return [];
    case "continue":
      return [`[User]: ${prompts.proceed}`];
    case "user":
      return item.spoken.flatMap(({ message }) => userLines(message.blocks));
    case "step":
      return item.spoken.flatMap(({ parts }) => parts.flatMap((part) => partLines(part, resultChars)));
  }
}

/** All texts of a user message under one label, then its images. */
function userLines(blocks: readonly Block[]): string[] {
  const texts = blocks.flatMap((block) => (block.kind === "text" && block.text !== "" ? [block.text] : []));
  const images = blocks.filter((block) => block.kind === "image").map(imageLine);
  return texts.length === 0 ? images : [`[User]: ${texts.join("\n")}`, ...images];
}

/** A stored image has no name here. */
const imageLine = ({ mediaType }: ImageBlock): string => `[Attached ${mediaType}: file]`;

function partLines({ block, ...part }: StoredPart, resultChars: number): string[] {
  switch (block.kind) {
    case "call": {
      const call = `[Assistant tool call]: ${block.tool}(${JSON.stringify(block.args)})`;
      const answer = part.kind === "tool" ? part.answer?.block : undefined;
      if (answer === undefined) return [call];
      return [
        call,
        answer.error ? `[Tool error]: ${answer.text}` : `[Tool result]: ${clipped(answer.text, resultChars)}`,
      ];
    }
    case "image":
      return [imageLine(block)];
    case "text":
      return block.text === "" ? [] : [`[Assistant]: ${block.text}`];
    case "reasoning":
      return block.text === "" ? [] : [`[Assistant reasoning]: ${block.text}`];
  }
}

/** A completed result as the summariser sees it. A surrogate pair that the cut splits leaves U+FFFD. */
const clipped = (text: string, maxChars: number): string =>
  text.length <= maxChars ? text : `${text.slice(0, maxChars).toWellFormed()}\n[truncated]`;
