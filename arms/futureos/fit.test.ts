import { describe, expect, it } from "vitest";
import { fit } from "./fit.ts";
import { repairPairs } from "./pairs.ts";
import { assistant, call, pair, result, user } from "./testing.ts";

const ten = (): number => 10;
const ids = (messages: readonly { readonly id: string }[]): string[] => messages.map(({ id }) => id);
const plain = ["a", "b", "c", "d", "e"].map((id) => user(id, id));

describe("fitting the history into the summary request", () => {
  it("keeps all messages, and the very same ones, when they fit", () => {
    const fitted = fit(plain, 50, ten);
    expect(fitted).toHaveLength(5);
    expect(fitted.every((message, index) => message === plain[index])).toBe(true);
  });

  it("keeps the first two and the newest that fit", () => {
    expect(ids(fit(plain, 49, ten))).toEqual(["a", "b", "d", "e"]);
    expect(ids(fit(plain, 30, ten))).toEqual(["a", "b", "e"]);
  });

  it("keeps the first two alone when no other fits, whatever they cost", () => {
    expect(ids(fit(plain, 29, ten))).toEqual(["a", "b"]);
    expect(ids(fit(plain, 0, ten))).toEqual(["a", "b"]);
    expect(ids(fit(plain.slice(0, 1), 0, ten))).toEqual(["a"]);
  });

  it("stops at the first message that does not fit, though an older one would", () => {
    const cost = ({ id }: { readonly id: string }): number => (id === "d" ? 100 : 10);
    expect(ids(fit(plain, 45, cost))).toEqual(["a", "b", "e"]);
  });

  it("drops what the cut has parted", () => {
    const messages = [user("u", "x"), ...pair("x", "a.txt"), ...pair("y", "b.txt"), user("v", "y")];
    expect(ids(fit(messages, 50, ten))).toEqual(["u", "c-y", "r-y", "v"]);
    expect(ids(fit(messages, 40, ten))).toEqual(["u", "v"]);
  });
});

describe("pair repair", () => {
  it("drops a call without result from a message that has more, and the message when it has not", () => {
    const said = assistant("a", "looking", call("x"), call("y"));
    const repaired = repairPairs([
      said,
      result("ry", "y", "found"),
      assistant("b", "", call("z")),
      result("r", "no", "?"),
    ]);
    expect(ids(repaired)).toEqual(["a", "ry"]);
    expect(repaired[0]?.blocks).toEqual([{ kind: "text", text: "looking" }, call("y")]);
    expect(said.blocks).toHaveLength(3);
  });
});
