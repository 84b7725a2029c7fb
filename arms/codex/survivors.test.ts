import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Block, Message } from "../../harness/chain/message.ts";
import { asked, called, result, said, texts, told } from "../testing-histories.ts";
import { ownPrompts } from "./prompts.ts";
import { budgetTokens, cutMiddle, survivors } from "./survivors.ts";

const live = (messages: readonly Message[]) => messages.map((message) => ({ message, sources: [message.id] }));
const survive = (messages: readonly Message[], keepTokens = 20_000) =>
  survivors(live(messages), keepTokens, ownPrompts.summaryPrefix);
const keptTexts = (messages: readonly Message[], keepTokens?: number): string[] =>
  texts(survive(messages, keepTokens).kept).map((text) => text.replace(/^user: /, ""));

const image: Block = { kind: "image", mediaType: "image/png", data: "AA" };
const text = (value: string): Block => ({ kind: "text", text: value });
const user = (...blocks: Block[]): Message => ({ id: "u", role: "user", blocks });

describe("what survives", () => {
  it("is user texts alone, oldest first", () => {
    const reasoning: Message = { id: "t", role: "assistant", blocks: [{ kind: "reasoning", text: "hm" }] };
    const history = [asked("u1", "one"), told("a", "x"), called("c", ["k"], "y"), result("r", "k", "z"), reasoning];
    expect(keptTexts([...history, asked("u2", "two")])).toEqual(["one", "two"]);
  });

  it("is the same message object where the text is all it holds", () => {
    const message = asked("u1", "one");
    expect(survive([message]).kept).toEqual([{ message, spans: [{ part: "original", chars: 3, sources: ["u1"] }] }]);
    expect(survive([message]).kept[0]?.message).toBe(message);
  });

  it("joins the text parts of a message with nothing between, and drops images", () => {
    expect(keptTexts([said("u", "user", "one ", "two"), user(text("look"), image)])).toEqual(["one two", "look"]);
  });

  it("keeps blank messages, and an image-only one as an empty text", () => {
    expect(keptTexts([asked("a", ""), asked("b", " \n"), user(image)])).toEqual(["", " \n", ""]);
  });

  it("drops the tags around an image, and only those next to one", () => {
    const named = text("<image name=[Image #1]>");
    expect(keptTexts([user(text("<image>"), image, text("</image>"), text("after"))])).toEqual(["after"]);
    expect(keptTexts([user(named, image, text("</image>"))])).toEqual([""]);
    expect(keptTexts([user(text("<image>"), text("x"))])).toEqual(["<image>x"]);
    expect(keptTexts([user(text("</image>"), image, text("<image>"))])).toEqual(["</image><image>"]);
    expect(keptTexts([user(text("<IMAGE>"), image, text("<image foo=1>"))])).toEqual(["<IMAGE><image foo=1>"]);
  });

  it("leaves out a message of which one part was written by the harness", () => {
    expect(keptTexts([said("u", "user", "mine", "<skill>x</skill>"), asked("v", "stays")])).toEqual(["stays"]);
  });

  it("leaves out what starts with the summary prefix and a newline, even where a user typed it", () => {
    const typed = `${ownPrompts.summaryPrefix}\nsomething`;
    const near = [`${ownPrompts.summaryPrefix} x`, ` ${typed}`, ownPrompts.summaryPrefix];
    expect(keptTexts([asked("a", typed), ...near.map((value, n) => asked(`n${n}`, value))])).toEqual(near);
  });
});

describe("the budget", () => {
  it("counts UTF-8 bytes by 4, each message rounded up", () => {
    expect(["", "a", "abcd", "abcde", "é".repeat(2), "数据", "😀😀"].map(budgetTokens)).toEqual([0, 1, 1, 2, 1, 2, 2]);
  });

  it("keeps 80,000 bytes whole and nothing before them", () => {
    const newest = "x".repeat(80_000);
    expect(keptTexts([asked("a", "older"), asked("b", newest)])).toEqual([newest]);
    expect(keptTexts([asked("a", "older"), asked("b", newest.slice(4))])).toEqual([
      "older".slice(0, 2) + "…1 tokens truncated…" + "older".slice(3),
      newest.slice(4),
    ]);
  });

  it("cuts the first message that does not fit to the rest, and ends there", () => {
    const kept = keptTexts([asked("a", "tiny"), asked("b", "y".repeat(400)), asked("c", "x".repeat(79_960))]);
    expect(kept).toEqual([`${"y".repeat(20)}…90 tokens truncated…${"y".repeat(20)}`, "x".repeat(79_960)]);
  });

  it("ends at exactly nothing left, before an empty message too", () => {
    expect(keptTexts([asked("a", ""), asked("b", "x".repeat(16))], 4)).toEqual(["x".repeat(16)]);
    expect(keptTexts([asked("a", ""), asked("b", "x".repeat(12))], 4)).toEqual(["", "x".repeat(12)]);
  });

  it("is not spent by what is left out", () => {
    expect(keptTexts([asked("a", "kept"), asked("b", "<skill>x</skill>")], 1)).toEqual(["kept"]);
  });

  it("names a cut message anew and keeps its source", () => {
    const { kept, cutTexts } = survive([asked("a", "x".repeat(400))], 10);
    expect(kept[0]?.message.id).toBe("a/kept");
    expect(kept[0]?.spans).toEqual([{ part: "original", chars: 40 + "…90 tokens truncated…".length, sources: ["a"] }]);
    expect(cutTexts).toBe(1);
  });
});

describe("the middle cut", () => {
  it("keeps 2k bytes of either end around the note, and rounds what is gone up", () => {
    expect(cutMiddle("abcdefghijklm", 2)).toBe("abcd…2 tokens truncated…jklm");
    expect(cutMiddle("abcdefghi", 2)).toBe("abcd…1 tokens truncated…fghi");
  });

  it("shrinks either end to a character boundary", () => {
    expect(cutMiddle("a😀😀😀😀😀😀b", 2)).toBe("a…5 tokens truncated…b");
    expect(cutMiddle("数据数据数据", 1)).toBe("…4 tokens truncated…");
  });

  it("keeps of any text the longest ends of whole characters within the bytes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 60 }), fc.nat(20), (value, extra) => {
        const bytes = Buffer.byteLength(value);
        const keepTokens = Math.max(1, Math.ceil(bytes / 4) - 1 - extra);
        fc.pre(budgetTokens(value) > keepTokens);
        const points = Array.from(value);
        const fits = (part: readonly string[]): boolean => Buffer.byteLength(part.join("")) <= 2 * keepTokens;
        const head = points.slice(0, points.findLastIndex((_, n) => fits(points.slice(0, n + 1))) + 1);
        const from = points.findIndex((_, n) => fits(points.slice(n)));
        const tail = from < 0 ? [] : points.slice(from);
        const gone = Math.ceil((bytes - 4 * keepTokens) / 4);
        expect(cutMiddle(value, keepTokens)).toBe(`${head.join("")}…${gone} tokens truncated…${tail.join("")}`);
      }),
    );
  });
});
