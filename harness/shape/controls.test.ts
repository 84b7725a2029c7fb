import { describe, expect, it } from "vitest";
import type { Message } from "../chain/message.ts";
import { readTool, requestOf, say } from "../models/remote/testing-requests.ts";
import { controlFault, type ControlResult, controls, tryControls } from "./controls.ts";
import { type Style, styles } from "./styles.ts";

const tools = [readTool, { ...readTool, name: "write", description: "Write a file." }];
const line = "a line of an engineering session, as they come\n";
const sessionOf = (lines: number): Message[] => [say("user", `start\n${line.repeat(lines)}`), say("assistant", "done")];
const requests = (lines: number) => {
  const messages = sessionOf(lines);
  const session = requestOf(messages.slice(0, -1), { tools });
  return { session, onward: requestOf([...messages, say("user", "Summarise this.")], { tools }) };
};
const tryAll = (style: Style, lines: number): ControlResult[] => {
  const { session, onward } = requests(lines);
  return tryControls(style, session, onward);
};

describe("negative controls", () => {
  it("are the article's three and the order of tools", () => {
    expect(controls.map(({ name }) => name)).toEqual([
      "system prompt swapped",
      "tools dropped",
      "one line at the front",
      "two tools reordered",
    ]);
  });

  it("let the share of a full-size request fall below one per cent in every style", () => {
    for (const style of styles)
      for (const result of tryAll(style, 10_000)) {
        expect(result.isFullSize).toBe(true);
        expect(result.unchanged.share).toBeGreaterThan(0.99);
        expect(result.share).toBeLessThan(0.01);
        expect(controlFault(result)).toBeUndefined();
      }
  });

  it("leave a small request what precedes the change: the tools, or nothing", () => {
    for (const style of styles) {
      const results = tryAll(style, 10);
      const toolBytes = results[0]?.precedingBytes ?? 0;
      for (const result of results) {
        expect(result.isFullSize).toBe(false);
        expect(result.bytes).toBeLessThanOrEqual(result.precedingBytes);
        expect(controlFault(result)).toBeUndefined();
      }
      expect(toolBytes).toBeGreaterThan(200);
      expect(results.find(({ control }) => control.name === "tools dropped")?.bytes).toBeLessThan(5);
    }
  });

  it("work on a shape that has fewer than two tools", () => {
    const { session, onward } = requests(10);
    for (const style of styles)
      for (const some of [[], [readTool]]) {
        const results = tryControls(style, { ...session, tools: some }, { ...onward, tools: some });
        expect(results.map(controlFault)).toEqual([undefined, undefined, undefined, undefined]);
      }
  });

  it("fail when the share does not fall: a style that sends one shape whatever it is given", () => {
    for (const base of styles) {
      const blind: Style = { ...base, encode: (request) => base.encode({ ...request, system: "one for all", tools }) };
      for (const lines of [10, 10_000])
        for (const result of tryAll(blind, lines)) expect(controlFault(result)).toMatch(/still shared/);
    }
  });

  it("fail when there is nothing to fall from: a request that does not begin as the session's does", () => {
    const { session, onward } = requests(10);
    for (const style of styles) {
      const other = { ...onward, messages: [say("user", "Another session."), ...onward.messages] };
      for (const result of tryControls(style, session, other))
        expect(controlFault(result)).toMatch(/nothing to fall from/);
    }
  });

  it("fail when a provider's rules still read what the bytes no longer share", () => {
    const [result] = tryAll(styles[0] as Style, 10_000);
    if (result === undefined) throw new Error("no result");
    expect(controlFault({ ...result, share: 0.0099 })).toBeUndefined();
    expect(controlFault({ ...result, share: 0.01 })).toBe("1.0 % are still shared");
    expect(controlFault({ ...result, share: 0.01, isFullSize: false })).toBeUndefined();
  });

  it("fail when a full-size request shared too little before the change", () => {
    const { session, onward } = requests(10_000);
    const tail = say("user", line.repeat(40_000));
    const [result] = tryControls(styles[0] as Style, session, { ...onward, messages: [...onward.messages, tail] });
    expect(result?.unchanged.isWhole).toBe(true);
    expect(result && controlFault(result)).toMatch(/nothing to fall from/);
  });
});
