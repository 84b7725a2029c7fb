/** Seeded texts and messages for scenarios. */
import type { Block, Message } from "../../harness/chain/message.ts";
import type { Random } from "../../harness/random.ts";

/** Code points. */
const split = (text: string): string[] => Array.from(text);

/** Characters of 1 to 4 UTF-8 bytes. */
const alphabets = {
  plain: split("abcdefghij klmno pqrst uvw\nxyz 0123456789 .,/-_"),
  latin: split("aé öüßñ çà-ø"),
  wide: split("数据 変換。한글"),
  emoji: ["😀", "🚀", "a", "e\u0301", "👩‍💻", "\u{2070e}"],
  odd: ["\t", "\r\n", "\u00a0", "\ufeff", "\u2028", "\u0085", '"', "\\", "<", ">", "&", "…", "\u0000", "x"],
} as const;
export type Alphabet = keyof typeof alphabets;
export const alphabetNames = Object.keys(alphabets) as Alphabet[];

/** A text of exactly `bytes` UTF-8 bytes. */
export function textOfBytes(random: Random, bytes: number, alphabet: Alphabet): string {
  const characters = alphabets[alphabet];
  const widths = characters.map((character) => Buffer.byteLength(character));
  const pieces: string[] = [];
  let left = bytes;
  while (left > 0) {
    const index = random.below(characters.length);
    const width = widths[index] ?? left + 1;
    pieces.push(width <= left ? (characters[index] ?? "") : "z");
    left -= width <= left ? width : 1;
  }
  return pieces.join("");
}

export const text = (value: string): Block => ({ kind: "text", text: value });

/** The smallest PNG. */
export const image: Block = {
  kind: "image",
  mediaType: "image/png",
  data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
};

/** Makes messages with ids of their own. */
export interface Author {
  user(...blocks: readonly (Block | string)[]): Message;
  assistant(...blocks: readonly (Block | string)[]): Message;
  /** A step with parallel calls: the assistant's message, then a result for each body, in the order given; null leaves the call open. */
  step(
    said: string,
    results: readonly (string | { readonly error: string } | null)[],
    order?: readonly number[],
  ): Message[];
  /** A result that answers no call. */
  orphan(body: string): Message;
}

/** `first` begins the ids, so that messages of several authors can be joined. */
export function author(first: string): Author {
  let count = 0;
  const id = (): string => `${first}${count++}`;
  const said = (role: "user" | "assistant", blocks: readonly (Block | string)[]): Message => ({
    id: id(),
    role,
    blocks: blocks.map((block) => (typeof block === "string" ? text(block) : block)),
  });
  const result = (call: string, body: string, error: boolean): Message => ({
    id: id(),
    role: "tool",
    blocks: [{ kind: "result", call, text: body, error }],
  });
  return {
    user: (...blocks) => said("user", blocks),
    assistant: (...blocks) => said("assistant", blocks),
    step: (words, results, order = results.map((_, index) => index)) => {
      const calls = results.map((_, index) => `${first}call${count}x${index}`);
      const blocks: Block[] = calls.map((call, index) => ({
        kind: "call",
        call,
        tool: index % 2 ? "read" : "shell",
        args: { path: `src/${call}.ts`, lines: index },
      }));
      const answers = order.flatMap((index) => {
        const body = results[index];
        const call = calls[index] ?? "";
        if (body === undefined || body === null) return [];
        return [typeof body === "string" ? result(call, body, false) : result(call, body.error, true)];
      });
      return [said("assistant", [...(words === "" ? [] : [words]), ...blocks]), ...answers];
    },
    orphan: (body) => result(`${first}lost${count}`, body, false),
  };
}
