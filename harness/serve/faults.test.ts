import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ArtifactError, UsageError } from "../errors.ts";
import { sha256 } from "../json.ts";
import { chooseFault, faultNames, parseFaults, readFaults } from "./faults.ts";

const chosen = (list: unknown, call: number, more: object = {}) =>
  chooseFault(parseFaults(list), { call, bodySha256: sha256(String(call)), attempt: 1, body: {}, ...more });
/** The calls from 1 to 10 that have a fault. */
const faulted = (on: unknown): number[] =>
  Array.from({ length: 10 }, (_, at) => at + 1).filter((call) => chosen([{ on, fault: "empty" }], call).fault);

describe("which calls a fault is for", () => {
  it.each([
    [3, [3]],
    [
      [2, 5],
      [2, 5],
    ],
    [{ every: 4 }, [4, 8]],
    [{ every: 4, from: 1 }, [1, 5, 9]],
    [{ every: 1 }, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  ])("reads %j", (on, calls) => {
    expect(faulted(on)).toEqual(calls);
  });

  it("counts attempts of one body, whatever the number of the call", () => {
    const at = (attempt: number) => chosen([{ on: { attempt: 2 }, fault: "empty" }], 7, { attempt }).fault?.name;
    expect([1, 2, 3].map(at)).toEqual([undefined, "empty", undefined]);
  });

  it("draws a share from body and attempt alone, so that the order of arrival changes nothing", () => {
    const rules = parseFaults([{ on: { share: 0.2, seed: 3 }, fault: "empty" }]);
    const draw = (body: number, call: number, attempt: number): boolean =>
      chooseFault(rules, { call, bodySha256: sha256(String(body)), attempt, body: {} }).fault !== undefined;
    const bodies = Array.from({ length: 1000 }, (_, body) => body);
    const drawn = bodies.filter((body) => draw(body, body, 1));
    expect(bodies.filter((body) => draw(body, 1000 - body, 1))).toEqual(drawn);
    expect(drawn.length).toBeGreaterThan(160);
    expect(drawn.length).toBeLessThan(240);
    expect(drawn.some((body) => !draw(body, body, 2))).toBe(true);
  });

  it("draws one of several faults", () => {
    const names = Array.from(
      { length: 60 },
      (_, call) => chosen([{ on: { every: 1 }, fault: ["empty", "prose", "fence"] }], call + 1).fault?.name,
    );
    expect(new Set(names)).toEqual(new Set(["empty", "prose", "fence"]));
  });

  it("takes the first entry that applies, and adds up what is slow before it", () => {
    const list = [
      { on: { every: 1 }, fault: { name: "slow", ms: 5 } },
      { on: 2, fault: "empty" },
      { on: { every: 1 }, fault: "prose" },
      { on: { every: 1 }, fault: { name: "slow", ms: 7 } },
    ];
    expect(chosen(list, 1)).toEqual({ delayMs: 5, fault: { name: "prose" } });
    expect(chosen(list, 2)).toEqual({ delayMs: 5, fault: { name: "empty" } });
  });

  it("refuses a parameter only where the body has it", () => {
    const list = [
      { on: { every: 1 }, fault: "max-tokens" },
      { on: { every: 1 }, fault: { name: "unsupported-parameter", parameter: "seed" } },
    ];
    const name = (body: object) => chosen(list, 1, { body }).fault?.name;
    expect([{ max_tokens: 5, seed: 1 }, { seed: 1 }, { max_completion_tokens: 5 }].map(name)).toEqual([
      "max-tokens",
      "unsupported-parameter",
      undefined,
    ]);
  });
});

describe("a list of faults", () => {
  it.each([
    [{ on: 1 }, /^The faults are no list\. Give a JSON list/],
    [[{ on: 1 }], /^entry 1: missing is no fault/],
    [
      [
        { on: 1, fault: "empty" },
        { on: 0, fault: "empty" },
      ],
      /^entry 2: "on" is 0, which names no calls\. Give/,
    ],
    [[{ on: { share: 20 }, fault: "empty" }], /^entry 1: "on" is \{"share":20\}, which names no calls/],
    [[{ on: 1, fault: "emty" }], /^entry 1: No fault "emty"\. Did you mean "empty"\? Faults: /],
    [[{ on: 1, fault: "constructor" }], /^entry 1: No fault "constructor"/],
    [[{ on: 1, fault: [] }], /^entry 1: "fault" is empty/],
    [[{ on: 1, fault: 7 }], /^entry 1: 7 is no fault/],
    [[{ on: 1, fault: "status" }], /^entry 1, fault "status", "status": expected number/],
    [[{ on: 1, fault: { name: "status", status: 200 } }], /^entry 1, fault "status", "status": Too small/],
    [[{ on: 1, fault: { name: "slow", ms: -1 } }], /^entry 1, fault "slow", "ms": Too small/],
    [[{ on: 1, fault: { name: "empty", waitMs: 3 } }], /^entry 1, fault "empty": Unrecognized key: "waitMs"/],
    [[{ on: 1, fault: "empty", often: true }], /^entry 1: Unrecognized key: "often"/],
  ])("that is wrong says where, in one line: %j", (list, message) => {
    expect(() => parseFaults(list)).toThrow(UsageError);
    expect(() => parseFaults(list)).toThrow(message);
    expect(() => parseFaults(list)).toThrow(/^[^\n]+$/);
  });

  it("gives every fault that needs no number by its name", () => {
    const needy = new Set(["status", "slow", "unsupported-parameter"]);
    const plain = faultNames.filter((name) => !needy.has(name));
    expect(parseFaults(plain.map((fault) => ({ on: 1, fault }))).map(({ faults }) => faults[0].name)).toEqual(plain);
  });
});

describe("a faults file", () => {
  const folder = mkdtempSync(join(tmpdir(), "faults-"));
  const file = (text: string): string => {
    const path = join(folder, `${sha256(text).slice(0, 8)}.json`);
    writeFileSync(path, text);
    return path;
  };

  it("is read", () => {
    expect(readFaults(file('[{"on": 3, "fault": "reset-before"}]'))).toEqual([
      { on: 3, faults: [{ name: "reset-before" }] },
    ]);
  });

  it.each([
    ["{", /is not JSON\. Give a JSON list of faults/],
    ['[{"on": 3, "fault": "resets"}]', /entry 1: No fault "resets"/],
  ])("that is wrong is named: %s", (text, message) => {
    const path = file(text);
    expect(() => readFaults(path)).toThrow(ArtifactError);
    expect(() => readFaults(path)).toThrow(message);
    expect(() => readFaults(path)).toThrow(path);
  });

  it("that is missing is named", () => {
    expect(() => readFaults(join(folder, "none.json"))).toThrow(
      /none\.json: does not exist\. Give a JSON list of faults/,
    );
  });
});
