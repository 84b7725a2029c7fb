import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Block, type Message, pairFaults, paired } from "./message.ts";

const call = (id: string): Block => ({ kind: "call", call: id, tool: "read", args: {} });
const result = (id: string, text: string): Message => ({
  id: `result ${text}`,
  role: "tool",
  blocks: [{ kind: "result", call: id, text, error: false }],
});
const speaker = (id: string, ...blocks: Block[]): Message => ({ id, role: "assistant", blocks });

/** Calls and results in order, as `name` and `name: text`. */
const pairsOf = (messages: readonly Message[]): string[] =>
  messages.flatMap(({ blocks }) =>
    blocks.flatMap((block) => {
      if (block.kind === "call") return [block.call];
      return block.kind === "result" ? [`${block.call}: ${block.text}`] : [];
    }),
  );

describe("paired", () => {
  it("gives each use of a call id the result that follows it, and later uses a name of their own", () => {
    const session = [speaker("1", call("c")), result("c", "first"), speaker("2", call("c")), result("c", "second")];
    expect(pairsOf(paired(session))).toEqual(["c", "c: first", "c~2", "c~2: second"]);
  });

  it("gives parallel calls under one id their results in order", () => {
    const session = [speaker("1", call("c"), call("c")), result("c", "first"), result("c", "second")];
    expect(pairsOf(paired(session))).toEqual(["c", "c~2", "c: first", "c~2: second"]);
  });

  it("does not hand a later result to an earlier call that was never answered", () => {
    const session = [speaker("1", call("c")), speaker("2", call("c")), result("c", "second")];
    expect(paired(session).map(({ id }) => id)).toEqual(["2", "result second"]);
  });

  it("finds a result before its call, and drops a second result of one call", () => {
    const session = [result("c", "early"), speaker("1", call("c")), result("c", "late")];
    expect(pairsOf(paired(session))).toEqual(["c", "c: early"]);
  });

  it("avoids a name that the session already uses", () => {
    const ids = ["c", "c~2", "c"];
    const session = ids.flatMap((id, n) => [speaker(`${n}`, call(id)), result(id, `${n}`)]);
    expect(pairsOf(paired(session))).toEqual(["c", "c: 0", "c~2", "c~2: 1", "c~3", "c~3: 2"]);
  });

  it("leaves no fault in any message list, and finds nothing more to do a second time", () => {
    const id = fc.constantFrom("c", "d", "c~2");
    const message = fc.oneof(
      fc.array(id, { maxLength: 3 }).map((ids) => speaker("s", { kind: "text", text: "go" }, ...ids.map(call))),
      id.map((to) => result(to, "done")),
      fc.constant<Message>({ id: "u", role: "user", blocks: [{ kind: "text", text: "" }] }),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
        const whole = paired(messages);
        expect(pairFaults(whole)).toEqual([]);
        const again = paired(whole);
        expect(again).toHaveLength(whole.length);
        expect(again.every((same, index) => same === whole[index])).toBe(true);
      }),
    );
  });
});
