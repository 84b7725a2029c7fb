import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { entries } from "../../arms/index.ts";
import { smallChain, smallPlan } from "../../scripts/testing.ts";
import { defineArm, verbatim } from "../arm.ts";
import { paired } from "../chain/message.ts";
import type { JsonObject } from "../json.ts";
import type { ModelRequest } from "../models/model.ts";
import type { RunPlan } from "../run/plan.ts";
import type { Check, CheckName } from "./checks.ts";
import type { Claims } from "./claims.ts";
import { type Recorder, startRecorder } from "./recorder.ts";
import { type Style, styles } from "./styles.ts";
import { type Verification, verifyShape } from "./verify.ts";

const arms = new Set(["futureos-summarized", "codex", "recent"]);
const whole = smallPlan({
  chains: [smallChain("alder", 6)],
  arms: entries.filter(({ arm }) => arms.has(arm.id)).map(({ arm }) => ({ arm, sourceDigest: arm.id })),
});
/** Two boundaries are enough for everything. */
const plan: RunPlan = {
  ...whole,
  chains: whole.chains.map((chain) => ({ ...chain, boundaries: chain.boundaries.slice(0, 2) })),
};
const captured = { system: plan.shape.system, tools: structuredClone(plan.shape.tools) };
const claims: Claims = {
  "futureos-summarized": { system: "session", tools: "session" },
  codex: { system: "session", tools: "none" },
};
const bases = styles.filter(({ variantOf }) => variantOf === undefined);

let recorder: Recorder;
beforeAll(async () => (recorder = await startRecorder()));
afterAll(() => recorder.close());

const verify = (over: Partial<Parameters<typeof verifyShape>[0]> = {}): Promise<Verification> =>
  verifyShape({ plan, captured, claims, styles: bases, recorder, ...over });

/** A style whose encoding and provider are changed in one way, so that nothing but the changed thing is wrong. */
const changed = (
  base: Style,
  change: {
    readonly request?: (request: ModelRequest) => ModelRequest;
    readonly body?: (body: JsonObject) => JsonObject;
    readonly sent?: (body: JsonObject) => JsonObject;
  },
): Style => {
  const { request: before = (one) => one, body: after = (one) => one, sent = (one) => one } = change;
  return {
    ...base,
    encode: (request) => after(base.encode(before(request))),
    connect: async (baseUrl, windowTokens) => {
      const provider = await base.connect(baseUrl, windowTokens);
      return {
        ...provider,
        encode: (request) => after(provider.encode(before(request))),
        send: (body) => provider.send(sent(body)),
      };
    },
  };
};
type Change = Parameters<typeof changed>[1];

const failing = ({ checks }: Verification): Check[] => checks.filter(({ passed }) => !passed);
const names = (checks: readonly Check[]): CheckName[] => [...new Set(checks.map(({ name }) => name))];

describe("verifyShape", () => {
  it("passes every check of every arm and style when nothing is wrong", async () => {
    const found = await verify();
    expect(failing(found)).toEqual([]);
    const counts = new Map(
      names(found.checks).map((name) => [name, found.checks.filter((one) => one.name === name).length]),
    );
    expect(Object.fromEntries(counts)).toEqual({
      wire: 6,
      "answer shape": 6,
      "compaction shape": 4,
      commit: 6,
      projection: 6,
      sameness: 2,
      validity: 6,
      "shared prefix": 4,
      control: 8,
    });
    // In two styles, at two boundaries: an answer of each arm, and a compaction of two arms.
    expect(found.requests).toBe(2 * 2 * (3 + 2));
    expect(found.shares).toHaveLength(2 * 2 * 2);
  });

  it("checks a variant on awkward chains without sending it", async () => {
    const awkward: RunPlan = {
      ...plan,
      chains: smallPlan({ chains: [smallChain("birch", 4)], arms: plan.arms }).chains,
    };
    const found = await verify({ awkward, styles });
    expect(failing(found)).toEqual([]);
    expect(found.checks.some(({ name, style }) => name === "validity" && style === "openai-5.6")).toBe(true);
    expect(found.checks.some(({ name, style }) => name === "wire" && style === "openai-5.6")).toBe(false);
    expect(found.shares.some(({ chain }) => chain === "birch")).toBe(false);
  });
});

/** What is broken on purpose, in every style; the one check that has to see it, and what it says. */
const faults: readonly (readonly [what: string, check: CheckName, says: RegExp, change: Change])[] = [
  [
    "a field added by the adapter while sending",
    "wire",
    /^answer of \S+ at alder 8: what arrives is not what was encoded: top_p/,
    { sent: (body) => ({ ...body, top_p: 0.5 }) },
  ],
  [
    "a system prompt of other bytes",
    "answer shape",
    /the system prompt differs from the captured one at byte \d+/,
    { request: (request) => (request.purpose === "answer" ? { ...request, system: `${request.system} ` } : request) },
  ],
  [
    "tools in another order",
    "answer shape",
    /tools\[0\] is not the captured definition/,
    {
      request: (request) =>
        request.purpose === "answer" ? { ...request, tools: request.tools.toReversed() } : request,
    },
  ],
  [
    "a tool description that was tidied",
    "answer shape",
    /tools\[1\] is not the captured definition/,
    {
      request: (request) =>
        request.purpose === "answer"
          ? {
              ...request,
              tools: request.tools.map((tool, at) =>
                at === 1 ? { ...tool, description: tool.description.trimEnd() + " " } : tool,
              ),
            }
          : request,
    },
  ],
  [
    "a tool that is missing",
    "answer shape",
    /3 tools are defined, and 4 were captured/,
    { request: (request) => (request.purpose === "answer" ? { ...request, tools: request.tools.slice(1) } : request) },
  ],
  [
    "a compaction request with another system prompt",
    "compaction shape",
    /^compaction of futureos-summarized at alder 8: the system prompt differs/,
    { request: (request) => (request.purpose === "compact" ? { ...request, system: "You summarise." } : request) },
  ],
  [
    "a shape that changes after a commit",
    "commit",
    /^answer of futureos-summarized at alder 16: system prompt or tools changed/,
    {
      request: (request) =>
        request.messages.some(({ id }) => id === "sheet-alder-1")
          ? { ...request, system: `${request.system}!` }
          : request,
    },
  ],
  [
    "a parameter that depends on the arm",
    "sameness",
    /^answer of recent at alder 8: differs from that of futureos-summarized: .*top_p is nothing there, 0.5 here/,
    {
      request: (request) => (request.cacheKey.endsWith("/recent") ? { ...request, maxOutputTokens: 77 } : request),
      body: (body) => (body["max_tokens"] === 77 ? { ...body, max_tokens: 8192, top_p: 0.5 } : body),
    },
  ],
  [
    "a message that is left out of the projection",
    "projection",
    /the projection arrives (as|with)/,
    {
      request: (request) =>
        request.purpose === "answer" ? { ...request, messages: request.messages.slice(1) } : request,
    },
  ],
  [
    "a text that is added to the projection",
    "projection",
    /the projection arrives (as|with)/,
    {
      request: (request) => ({
        ...request,
        messages: [{ id: "x", role: "user", blocks: [{ kind: "text", text: "by the way" }] }, ...request.messages],
      }),
    },
  ],
  [
    "a body that the provider would refuse",
    "validity",
    /^answer of \S+ at alder 8: best_of is no parameter of this API/,
    { body: (body) => ({ ...body, best_of: 3 }) },
  ],
];

describe("a check fails for what it is named after:", () => {
  it.each(faults)("%s", async (what, check, says, change) => {
    // In one style each: the styles take turns.
    const base = bases[faults.findIndex(([name]) => name === what) % bases.length] as Style;
    const own = failing(await verify({ styles: [changed(base, change)] })).filter(({ name }) => name === check);
    expect(own.map(({ detail }) => detail)).toContainEqual(expect.stringMatching(says));
  });

  it("a header that tells arms apart", async () => {
    const [base] = bases as [Style];
    const connect: Style["connect"] = async (url, windowTokens) => {
      const [plain, other] = await Promise.all([
        base.connect(url, windowTokens),
        base.connect(url.replace("127.0.0.1", "localhost"), windowTokens),
      ]);
      return { ...plain, send: (body) => (body["prompt_cache_key"] === "alder/recent" ? other : plain).send(body) };
    };
    expect(failing(await verify({ styles: [{ ...base, connect }] })).map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/^answer of recent at alder 8: differs from that of futureos-summarized: headers\.host is/),
    ]);
  });

  it("an arm that claims the prefix and does not have it", async () => {
    const found = await verify({ claims: { codex: { system: "session", tools: "session" } } });
    expect(names(failing(found))).toEqual(["compaction shape", "shared prefix"]);
    expect(failing(found).at(-1)?.detail).toMatch(
      /^codex at alder 8: shares 0\.1 % of the request: the session's last request does not go into it whole/,
    );
  });

  it("an arm that has the prefix and does not claim it", async () => {
    const found = await verify({ claims: { "futureos-summarized": { system: "own", tools: "none" } } });
    expect(names(failing(found))).toEqual(["compaction shape", "shared prefix"]);
    expect(failing(found).at(-1)?.detail).toMatch(/and the arm does not claim to share the prefix/);
  });

  it("a compaction request that begins with the time of day", async () => {
    for (const base of bases) {
      let clock = 0;
      const request = (one: ModelRequest): ModelRequest =>
        one.purpose === "compact" ? { ...one, system: `${clock++} o'clock. ${one.system}` } : one;
      const found = await verify({ styles: [changed(base, { request })] });
      expect(failing(found).map(({ name, subject }) => `${name} ${subject}`)).toContain(
        "shared prefix futureos-summarized",
      );
    }
  });

  it("a measure that does not see a changed shape", async () => {
    for (const base of bases) {
      const encode: Style["encode"] = (request) => base.encode({ ...request, ...captured });
      const found = await verify({ styles: [{ ...base, encode }] });
      const controls = found.checks.filter(({ name }) => name === "control");
      expect(controls).toHaveLength(4);
      for (const { passed, detail } of controls) {
        expect(passed).toBe(false);
        expect(detail).toMatch(/are still shared/);
      }
    }
  });

  it("an arm that writes into the session shape", async () => {
    const vandal = defineArm({
      id: "vandal",
      title: "Vandal",
      source: { kind: "control" },
      options: {},
      compact: async ({ journal }, { shape }) => {
        (shape as { system: string }).system += "\nAnd be brief.";
        return {
          kind: "compacted",
          state: null,
          projection: paired(journal).map((message) => verbatim("original", message)),
        };
      },
    });
    const shape = { ...plan.shape };
    const found = await verify({ plan: { ...plan, shape, arms: [{ arm: vandal, sourceDigest: "" }] } });
    expect(names(failing(found))).toEqual(["answer shape", "commit"]);
  });
});
