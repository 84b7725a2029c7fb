import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message } from "../../harness/chain/message.ts";
import { asked, called, histories, result, step, told } from "../testing-histories.ts";
import { addSizes, sizeTokens, storedSize } from "./size.ts";
import { spokenJournal, storedMessages } from "./stored.ts";
import { modelMessages } from "./testing.ts";

const note = "n".repeat(32);
const stored = (journal: readonly Message[]) => storedMessages(spokenJournal(journal), 0, journal.length);
const total = (journal: readonly Message[]) =>
  stored(journal).reduce((sum, message) => addSizes(sum, storedSize(message, note)), { chars: 0, messages: 0 });

describe("the size of a piece of history", () => {
  it("is the length of its model messages' JSON by 4, for any history", () => {
    fc.assert(
      fc.property(histories(12), (journal) => {
        const json = JSON.stringify(stored(journal).flatMap((message) => modelMessages(message, note)));
        expect(sizeTokens(total(journal))).toBe(Math.round(json.length / 4));
      }),
    );
  });

  it("counts a step as one assistant message and one tool message, results whole and the note for a missing one", () => {
    const journal = [told("a", "hm"), called("c", ["x", "y"]), result("r", "x", "q".repeat(5_000))];
    expect(stored(journal).flatMap((message) => modelMessages(message, note))).toEqual([
      {
        role: "assistant",
        content: [
          { type: "text", text: "hm" },
          { type: "tool-call", toolCallId: "x", toolName: "shell", input: { cmd: "run x" } },
          { type: "tool-call", toolCallId: "y", toolName: "shell", input: { cmd: "run y" } },
        ],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "x",
            toolName: "shell",
            output: { type: "text", value: "q".repeat(5_000) },
          },
          { type: "tool-result", toolCallId: "y", toolName: "shell", output: { type: "error-text", value: note } },
        ],
      },
    ]);
  });

  it("is 1 for nothing, and rounds a half up", () => {
    expect(sizeTokens({ chars: 0, messages: 0 })).toBe(1);
    expect([3, 4, 5, 6, 7, 8].map((chars) => sizeTokens({ chars, messages: 1 }))).toEqual([1, 2, 2, 2, 2, 3]);
  });

  it("counts an image as its data URL and an empty user text as nothing", () => {
    const image: Message = { id: "i", role: "user", blocks: [{ kind: "image", mediaType: "image/png", data: "AAAA" }] };
    const file = { type: "file", mediaType: "image/png", data: "data:image/png;base64,AAAA" };
    expect(total([image]).chars).toBe(JSON.stringify({ role: "user", content: [file] }).length);
    expect(total([asked("e", "")])).toEqual({ chars: 0, messages: 0 });
  });
});

it("reads a text once, however often its message is measured", () => {
  let reads = 0;
  const block = {
    kind: "text" as const,
    get text() {
      reads++;
      return "measured";
    },
  };
  const journal: Message[] = [{ id: "a", role: "assistant", blocks: [block] }];
  const first = total(journal);
  expect(total([...journal, ...step("s", "more")]).chars).toBeGreaterThan(first.chars);
  expect(total(journal)).toEqual(first);
  expect(reads).toBe(1);
});
