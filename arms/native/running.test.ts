import { describe, expect, it } from "vitest";
import { BudgetError, CompactionRefusedError } from "../../harness/errors.ts";
import { reply } from "../testing.ts";
import { asked, called, overflow, result, told } from "../testing-histories.ts";
import { codexNative } from "./codex-native.ts";
import { openCodeNative } from "./opencode-native.ts";
import { queue, relay } from "./running.ts";
import { inOrder, kept } from "./sources.ts";
import { recordingContext } from "../testing.ts";

describe("a program's queue", () => {
  it("does one thing after the other, also after one that failed", async () => {
    const done: string[] = [];
    const exclusive = queue();
    const thing = (name: string) =>
      exclusive(async () => {
        done.push(`${name} begins`);
        await Promise.resolve();
        done.push(`${name} ends`);
        if (name === "a") throw new Error("no");
        return name;
      });
    const results = await Promise.allSettled([thing("a"), thing("b")]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
    expect(done).toEqual(["a begins", "a ends", "b begins", "b ends"]);
  });
});

describe("a request for a summary", () => {
  it("gets the model's text, or that it does not fit", async () => {
    expect(await relay(async () => reply("text")).answer({})).toEqual({ kind: "text", text: "text" });
    const model = relay(async () => overflow());
    expect(await model.answer({})).toEqual({ kind: "overflow" });
    expect(() => model.check()).not.toThrow();
  });

  it("is asked once, however often the program sends it", async () => {
    let asked = 0;
    const model = relay(async () => reply(`reply ${++asked}`));
    const [first, again] = await Promise.all([model.answer({ a: 1, b: 2 }), model.answer({ b: 2, a: 1 })]);
    expect([first, again, await model.answer({ a: 2 })].map((answer) => answer.kind === "text" && answer.text)).toEqual(
      ["reply 1", "reply 1", "reply 2"],
    );
  });

  it("is refused once the run has to stop, and the run then stops for its own reason", async () => {
    let asked = 0;
    const model = relay(async () => {
      asked++;
      throw new BudgetError("no money left", 2n, 1n);
    });
    expect(await model.answer({ n: 1 })).toEqual({ kind: "refusal" });
    expect(await model.answer({ n: 2 })).toEqual({ kind: "refusal" });
    expect(asked).toBe(1);
    expect(() => model.check()).toThrow(BudgetError);
  });
});

it.each([codexNative, openCodeNative])("$id compacts only when it is asked to", async (arm) => {
  const { context } = recordingContext(arm);
  const input = {
    journal: [asked("u", "x")],
    fresh: [asked("u", "x")],
    previous: undefined,
    trigger: "automatic" as const,
  };
  await expect(arm.compact(input, context)).rejects.toThrow(CompactionRefusedError);
});

describe("a message that a program sent back", () => {
  const live = [
    asked("u1", "same"),
    told("a1", "x"),
    asked("u2", "same"),
    called("c", ["1"]),
    result("r", "1", "bad", true),
  ].map((message) => ({ message, sources: [message.id] }));

  it("is the next one in order that holds just that, an error's flag apart", () => {
    const take = inOrder(live);
    const id = (role: "user" | "assistant" | "tool", index: number) =>
      take(role, live[index]?.message.blocks ?? [])?.message.id;
    expect(id("user", 0)).toBe("u1");
    expect(id("user", 0)).toBe("u2");
    expect(id("user", 0)).toBeUndefined();
    expect(take("tool", [{ kind: "result", call: "1", text: "bad", error: false }])?.message.id).toBe("r");
  });

  it("is kept as it was stored, with where it came from", () => {
    const [one] = live;
    if (one === undefined) throw new Error("none");
    expect(kept("tail", { ...one, sources: ["z"] })).toEqual({
      message: one.message,
      spans: [{ part: "tail", chars: 4, sources: ["z"] }],
    });
  });
});
