import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json.ts";
import { anyRequest, requestOf, say } from "../models/remote/testing-requests.ts";
import { cacheOrder, commonPrefix, sharedBytes } from "./prefix.ts";
import { styles } from "./styles.ts";

const anyStyle = fc.constantFrom(...styles);
const bytes = (text: string): number => Buffer.byteLength(text);
const sizeOf = (pieces: ReturnType<typeof cacheOrder>): number =>
  pieces.reduce((sum, { value }) => sum + bytes(JSON.stringify(value)), 0);

describe("commonPrefix", () => {
  it("is the longest one that both texts have, and never ends inside a surrogate pair", () => {
    const anyText = fc.string({ unit: fc.constantFrom("a", "é", "👍", "👎") });
    fc.assert(
      fc.property(anyText, anyText, anyText, (head, left, right) => {
        const common = commonPrefix(head + left, head + right);
        expect(common.startsWith(head)).toBe(true);
        expect((head + left).startsWith(common) && (head + right).startsWith(common)).toBe(true);
        expect(common.isWellFormed()).toBe(true);
        const [next] = (head + left).slice(common.length);
        expect(next === undefined || !(head + right).startsWith(common + next)).toBe(true);
      }),
    );
  });
});

describe("cacheOrder", () => {
  it("puts tools before the system prompt before messages, whatever the body's order", () => {
    for (const { form, encode } of styles) {
      const sections = cacheOrder(form, encode(requestOf([say("user", "hello")]))).map(({ section }) => section);
      expect(sections.map((section) => section.replace(/ .*/, ""))).toEqual(["tools", "system", "messages"]);
    }
  });

  it("leaves cache breakpoints out, so that one that has moved on does not end the prefix", () => {
    const history = [say("user", "one"), say("assistant", "two"), say("user", "three")];
    for (const { form, encode } of styles) {
      const pieces = cacheOrder(form, encode(requestOf(history)));
      expect(JSON.stringify(pieces)).not.toMatch(/cache_control|prompt_cache_breakpoint/);
      const before = cacheOrder(form, encode(requestOf(history.slice(0, 2))));
      expect(sharedBytes(before.slice(0, 4), pieces).bytes).toBe(sizeOf(before.slice(0, 4)));
    }
  });

  it("lets no message be shared under another choice of tools or thinking, where the provider's cache does not", () => {
    const [openai, , anthropic] = styles;
    const body = (choice: "auto" | "none") => requestOf([say("user", "hello")], { toolChoice: choice });
    const shared = (style: (typeof styles)[number] | undefined): number => {
      if (style === undefined) throw new Error("no style");
      const [auto, none] = [body("auto"), body("none")].map((request) => cacheOrder(style.form, style.encode(request)));
      return sharedBytes(auto ?? [], none ?? []).bytes - sizeOf((none ?? []).slice(0, 2));
    };
    expect(shared(anthropic)).toBe(0);
    expect(shared(openai)).toBeGreaterThan(0);
  });
});

describe("sharedBytes", () => {
  it("is all of a request with itself, and of a longer one all of the shorter", () => {
    fc.assert(
      fc.property(anyStyle, anyRequest, ({ form, encode }, request) => {
        const pieces = cacheOrder(form, encode(request));
        const size = sizeOf(pieces);
        expect(sharedBytes(pieces, pieces)).toEqual({ bytes: size, ofBytes: size });
        expect(sharedBytes(pieces.slice(0, -1), pieces).bytes).toBe(size - sizeOf(pieces.slice(-1)));
      }),
    );
  });

  it("ends where the first byte differs, and counts UTF-8", () => {
    const body = (text: string): JsonObject => ({ messages: [{ role: "user", content: text }] });
    const shared = (left: string, right: string) =>
      sharedBytes(cacheOrder("chat", body(left)), cacheOrder("chat", body(right)));
    const frame = bytes('[]{"role":"user","content":"');
    expect(shared("上限a", "上限b").bytes).toBe(frame + 6);
    expect(shared("x", "y").bytes).toBe(frame);
  });

  it("never takes equal bytes of another section for shared ones", () => {
    const system = cacheOrder("messages", { system: "same", messages: [] });
    const user = system.map((piece) =>
      piece.section === "system" ? { ...piece, section: "messages" as const } : piece,
    );
    expect(sharedBytes(system, user).bytes).toBe(2);
  });
});
