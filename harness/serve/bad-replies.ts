/** Replies as they go wrong in the wild: each made of the reply that the model gave. */
import type { JsonObject } from "../json.ts";
import type { Reply } from "./wire.ts";

const nothing = { text: null, reasoning: "", refusal: "", calls: [] } as const satisfies Partial<Reply>;

/** The tool that a reply calls when the request defines none. */
const anyTool = "read";

/** By name. `tool`: the first tool that the request defines. Texts that are no answer to a sheet are spoilt as far as they can be. */
export const badReplies = {
  "null-content": () => ({ ...nothing, finish: "length" }),
  "reasoning-only": () => ({ ...nothing, reasoning: "Each value has to be looked for above.", finish: "stop" }),
  "call-only": (_reply, tool = anyTool) => ({
    ...nothing,
    calls: [{ id: "call_offline_1", tool, args: '{"path":"README.md"}' }],
    finish: "tool",
  }),
  empty: () => ({ ...nothing, text: "", finish: "stop" }),
  refusal: () => ({ ...nothing, refusal: "I cannot help with this record.", finish: "refusal" }),
  fence: said((text) => fenced(text)),
  "two-fences": said((text) => `${fenced(text)}\n\nWithout the doubtful ones:\n\n${fenced('{"appeared":[]}')}`),
  "fence-in-string": said((text) => changed(text, (values) => [...values, `as in\n${fenced("{}")}\nthere`])),
  prose: said((text) => `These are the values I could find:\n\n${text}\n\nThe others never came up.`),
  array: said((text) => JSON.stringify(valuesOf(text) ?? [text])),
  truncated: (reply) => ({ ...reply, text: half(reply.text ?? ""), finish: "length" }),
  "raw-newline": said((text) => text.replace(text.includes('["') ? '["' : '"', (quote) => `${quote}\n`)),
  "duplicate-keys": said((text) => text.replace("{", '{"appeared":["first of two"],')),
  wrapped: said((text) => changed(text, (values) => values.map((value) => `\`${value}\``))),
  padded: said((text) => changed(text, (values) => values.map((value) => ` ${value} `))),
} as const satisfies { readonly [name: string]: (reply: Reply, tool: string | undefined) => Reply };

export type BadReplyName = keyof typeof badReplies;
export const badReplyNames = Object.keys(badReplies) as BadReplyName[];

/** A fault of the text alone. */
function said(spoil: (text: string) => string): (reply: Reply) => Reply {
  return (reply) => ({ ...reply, text: spoil(reply.text ?? "") });
}

const fenced = (text: string): string => `\`\`\`json\n${text}\n\`\`\``;

const half = (text: string): string => text.slice(0, Math.floor(text.length / 2)).toWellFormed();

/** The values of an answer, or undefined for any other text. */
function valuesOf(text: string): string[] | undefined {
  try {
    const { appeared } = JSON.parse(text) as JsonObject;
    return Array.isArray(appeared) ? appeared.map(String) : undefined;
  } catch {
    return undefined;
  }
}

function changed(text: string, change: (values: readonly string[]) => string[]): string {
  const values = valuesOf(text);
  return values === undefined ? change([text]).join("\n") : JSON.stringify({ appeared: change(values) });
}
