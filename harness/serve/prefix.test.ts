import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toMessages } from "../chain/message.ts";
import { anyRecords, anyText } from "../chain/testing.ts";
import type { TextBlock } from "../chain/message.ts";
import { inputTokens } from "../models/offline/seen.ts";
import { prefixBlocks } from "./prefix.ts";

const tool = (name: string) => ({ name, description: "Does it.", parameters: { type: "object" } });
const textBlock = (text: string): TextBlock => ({ kind: "text", text });
const message = (...blocks: TextBlock[]) => ({ id: "m", role: "user", blocks }) as const;
const none = new Map();

describe("a request's blocks", () => {
  it("come in cache order: tools, system, messages", () => {
    const read = {
      tools: [tool("a"), tool("b")],
      system: [textBlock("s")],
      messages: [message(textBlock("x"), textBlock("y"))],
    };
    expect(prefixBlocks({ ...read, breakpoints: none }).map(({ by }) => by)).toEqual([
      "tools",
      "tools",
      "system",
      "user",
      "user",
    ]);
  });

  it("cost together what the estimate of the whole input is", () => {
    fc.assert(
      fc.property(
        anyRecords,
        anyText,
        fc.array(fc.constantFrom("a", "bb", "提交"), { maxLength: 3 }),
        (records, system, names) => {
          const read = {
            tools: names.map(tool),
            messages: toMessages(records).filter(({ blocks }) => blocks.length > 0),
          };
          const blocks = prefixBlocks({ ...read, system: [textBlock(system)], breakpoints: none });
          const sum = blocks.reduce((total, { tokens }) => total + tokens, 0);
          expect(sum).toBe(inputTokens({ ...read, system }));
        },
      ),
    );
  });

  it("are the same for tools that stay when one is added behind them", () => {
    const [one] = prefixBlocks({ tools: [tool("a")], system: [], messages: [], breakpoints: none });
    const [same] = prefixBlocks({ tools: [tool("a"), tool("b")], system: [], messages: [], breakpoints: none });
    expect(same?.text).toBe(one?.text);
  });

  it("carry the breakpoints of what they stand for", () => {
    const marked = textBlock("x");
    const blocks = prefixBlocks({
      tools: [],
      system: [],
      messages: [message(marked, textBlock("x"))],
      breakpoints: new Map([[marked, "hour"]]),
    });
    expect(blocks.map(({ breakpoint }) => breakpoint)).toEqual([undefined, "hour", undefined]);
  });
});
