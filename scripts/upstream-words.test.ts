import { join } from "node:path";
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { ownPrompts as codexWords } from "../arms/codex/prompts.ts";
import { entries } from "../arms/index.ts";
import { nativeEntries } from "../arms/native/index.ts";
import { ownPrompts as openCodeWords } from "../arms/opencode/prompts.ts";
import { sourceDigest } from "../arms/source-digest.ts";
import { recordingContext } from "../arms/testing.ts";
import { asked, told } from "../arms/testing-histories.ts";
import { UsageError } from "../harness/errors.ts";
import { sha256 } from "../harness/json.ts";
import { manifestOf } from "../harness/run/manifest.ts";
import { digestsOf, readUpstreamPrompts, type UpstreamPrompts } from "./conformance/prompts.ts";
import { armOfRun } from "./recorded.ts";
import { smallPlan } from "./testing.ts";
import { inUpstreamWords } from "./upstream-words.ts";

const texts = <Prompts extends object>(version: string, prompts: Prompts) => ({
  version,
  prompts,
  session: "a session's text",
  digests: digestsOf({ ...(prompts as Record<string, string>), session: "a session's text" }),
});
const words: UpstreamPrompts = {
  codex: texts("7.1", { ...codexWords, compaction: "Hand it over, in other words.\n" }),
  opencode: texts("8.2", { ...openCodeWords, opening: "Other words open it." }),
};
const planned = (...ids: string[]) =>
  entries.filter(({ arm }) => ids.includes(arm.id)).map(({ arm, file }) => ({ arm, sourceDigest: sourceDigest(file) }));
const worded = (...ids: string[]) => inUpstreamWords(planned(...ids), () => words);

describe("upstream's words", () => {
  it.each([
    ["codex", "Hand it over, in other words.\n"],
    ["opencode", "Other words open it."],
  ])("are what %s then asks with, its options kept", async (id, text) => {
    const [one] = worded(id).arms;
    if (one === undefined) throw new Error("no arm");
    const { context, requests } = recordingContext(one.arm);
    const journal = [asked("u1", "wish"), told("a1", "done"), asked("u2", "more")];
    await one.arm.compact({ journal, fresh: journal, previous: undefined, trigger: "forced" }, context);
    expect(JSON.stringify(requests)).toContain(JSON.stringify(text).slice(1, -1));
    expect(one.arm.options).toEqual(planned(id)[0]?.arm.options);
  });

  it("are kept as digests of what the run's arms take, and decide the run's id", () => {
    const { arms, prompts } = worded("codex", "recent");
    expect(prompts).toEqual({
      kind: "upstream",
      products: {
        codex: {
          version: "7.1",
          sha256: {
            compaction: sha256("Hand it over, in other words.\n"),
            summaryPrefix: sha256(codexWords.summaryPrefix),
          },
        },
      },
    });
    const plan = smallPlan({ arms });
    const manifest = manifestOf({ ...plan, prompts }, "x", "0");
    expect(manifest.runId).not.toBe(manifestOf(plan, "x", "0").runId);
    expect(JSON.stringify(manifest)).not.toContain("in other words");
  });

  it("leave other arms as they are, and are no longer among what is not modelled", () => {
    const [first, ...rest] = worded("codex", "recent", "full").arms;
    expect(rest.map(({ arm }) => arm)).toEqual(planned("recent", "full").map(({ arm }) => arm));
    const [own] = planned("codex");
    if (first?.arm.source.kind !== "mirror" || own?.arm.source.kind !== "mirror") throw new Error("no mirror");
    expect(first.arm.source.notModelled).toEqual(own.arm.source.notModelled.slice(1));
  });

  it("are asked for by the command's name where they are not there, and refused where no arm takes them", () => {
    const none = (): UpstreamPrompts => readUpstreamPrompts(join(tmpdir(), "no-such-prompts.json"));
    expect(() => inUpstreamWords(planned("codex"), none)).toThrow(/closed-book prompts fetch/);
    expect(() => inUpstreamWords(planned("codex"), none)).toThrow(UsageError);
    expect(() => inUpstreamWords(planned("recent"), none)).toThrow(
      '--prompts upstream is for the arms "codex" and "opencode", and neither is in this run.',
    );
  });

  it("that are others now do not stand in for a run's own when its requests are rebuilt", () => {
    const { arms, prompts } = worded("codex");
    const manifest = manifestOf({ ...smallPlan({ arms }), prompts }, "x", "0");
    expect(armOfRun(manifest, "codex")).toMatch(/^the product's words are /);
    const own = manifestOf(smallPlan({ arms: planned("codex") }), "x", "0");
    expect(armOfRun(own, "codex")).toMatchObject({ id: "codex" });
  });

  it("are not asked of a real program, which is not started again to rebuild what it sent", () => {
    const arms = nativeEntries({ codex: "0.1.2" }).map(({ arm }) => ({ arm, sourceDigest: "" }));
    expect(arms[1]?.arm).toMatchObject({ title: "Codex 0.1.2 (real)", options: { version: "0.1.2" } });
    expect(armOfRun(manifestOf(smallPlan({ arms }), "x", "0"), "codex-native")).toMatch(/^the arm is the real program/);
  });
});
