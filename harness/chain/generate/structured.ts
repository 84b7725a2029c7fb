/**
 * Structured chains: eight stages of one shape, which tell where each kind of value stands.
 *
 * Source: the synthetic chains of the original experiment (futuregene/future-os, deterministic-evidence-v1): its
 * structure, placement of values and sizes, in words of this project. Three seeds where the original used two.
 */
import { type Random, randomStream } from "../../random.ts";
import type { Chain, ChainRecord } from "../record.ts";
import { analysisStory } from "./structured/analysis.ts";
import { exportStory } from "./structured/export.ts";
import { writeResults } from "./structured/noise.ts";
import { pipelineStory } from "./structured/pipeline.ts";
import { stageReport } from "./structured/report.ts";
import { failed, resultPaths, resultPlans, tailPath, tailResult } from "./structured/results.ts";
import type { Story } from "./structured/story.ts";
import { drawValues } from "./structured/values.ts";

export const structuredChainNames = ["export", "analysis", "pipeline"] as const;
export type StructuredChainName = (typeof structuredChainNames)[number];

const stories: { readonly [Name in StructuredChainName]: Story } = {
  export: exportStory,
  analysis: analysisStory,
  pipeline: pipelineStory,
};

/** Stages after which a sheet is asked. */
const scoredStages = [0, 3, 7];

/** Records of a stage: requirement and report, a pair a file, and the tail's four. */
const recordsPerStage = 2 + 2 * resultPaths.length + 4;

/** A structured chain: 224 records, cuts after stages 0, 3 and 7. Equal names and seeds give equal chains, in new strings. */
export function structured(name: StructuredChainName, seed: number): Chain {
  const story = stories[name];
  const stream = (purpose: string): Random => randomStream(seed, `${name}/${purpose}`);
  const values = drawValues(story.bank, stream);
  const results = writeResults(
    values.flatMap((drawn, stage) => resultPlans(name, stage, drawn.results, story, stream)),
  );
  const records: ChainRecord[] = [];
  const order = (): number => records.length + 1;

  values.forEach((drawn, stage) => {
    const id = `${name}-${String(stage).padStart(2, "0")}`;
    const say = (suffix: string, role: "user" | "assistant", text: string): void => {
      records.push({ id: `${id}-${suffix}`, order: order(), kind: "text", role, text });
    };
    const read = (call: string, result: string, path: string, text: string): void => {
      records.push({ id: call, order: order(), kind: "tool_call", role: "assistant", call, path });
      const error = failed(path, stage, story) ? { error: true } : {};
      records.push({ id: result, order: order(), kind: "tool_result", role: "tool", call, text, ...error, path });
    };

    say("u", "user", story.requirements[stage]?.(drawn) ?? "");
    say("a", "assistant", stageReport(story, stage, drawn, stream(`report-${stage}`)));
    resultPaths.forEach((path, index) => {
      const text = results[stage * resultPaths.length + index] ?? "";
      read(`${id}-call-${index}`, `${id}-result-${index}`, path, text);
    });
    const tail = story.tails[stage % story.tails.length];
    say("tail-u", "user", tail?.ask(drawn) ?? "");
    read(`${id}-tail-call`, `${id}-tail-result`, tailPath, tailResult(stage, story));
    say("tail-a", "assistant", tail?.answer(drawn) ?? "");
  });

  const ends = scoredStages.map((stage) => (stage + 1) * recordsPerStage);
  return { name, group: "structured", records, cuts: { kind: "moved", ends } };
}
