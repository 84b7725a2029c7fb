/** What the results of one stage show, and where in them its values stand. */
import type { Random } from "../../../random.ts";
import { noiseLines, type PlacedLine, type ResultPlan } from "./noise.ts";
import type { Story } from "./story.ts";
import type { StageValues } from "./values.ts";

/** Files read in a stage, in order, before its tail. */
export const resultPaths = [
  "config.snapshot",
  "validation.log",
  "trace.log",
  ...Array.from({ length: 8 }, (_, index) => `metrics-${index + 3}.log`),
] as const;

export const tailPath = "tail-status.log";
const tailLines = 180;

/** Text around the values of one result; the line in the middle is there without a value too. */
interface Wording {
  readonly header: string;
  readonly placed: readonly PlacedLine[];
  /** Said in the closing line. */
  readonly last?: string;
}

const middle = (before: string, value = "", after = ""): PlacedLine => ({ percent: 50, before, value, after });
const plainMiddle = middle("second half of the lines");

function wordings(chain: string, stage: number, values: StageValues["results"], story: Story): Wording[] {
  const blocker = story.blockers[stage];
  const of = `chain ${chain}, stage ${stage}`;
  const workers = (group: number, placed: readonly PlacedLine[], last?: string): Wording => ({
    header: `metrics-${group}.log of ${of}: readings of worker group ${group}, one a line\n`,
    placed,
    ...(last === undefined ? {} : { last }),
  });
  return [
    {
      header: `config.snapshot of ${of}: the settings in force as this stage began, saved as revision ${values.version}\n`,
      placed: [middle("settings digest", ` ${values.settingsDigest}`)],
    },
    {
      header:
        `validation.log of ${of}\nstatus: ${blocker === undefined ? "passed" : "failed"}\n` +
        `blocker: ${blocker ?? "none"}\ndeployment: ${blocker === undefined ? "allowed" : "held back"}\n`,
      placed: [plainMiddle],
      last: `report digest ${values.reportDigest}`,
    },
    {
      header: `trace.log of ${of}: spans in the order in which they closed, one a line\n`,
      placed: [middle("run recorded under ", values.trace)],
    },
    workers(3, [middle("frame digest ", values.frameDigest)]),
    workers(4, [plainMiddle], `peak of the group ${values.peak}`),
    workers(5, [{ percent: 25, before: "digest so far ", value: values.earlyDigest, after: "" }, plainMiddle]),
    workers(6, [middle("spilled so far ", values.spill, " to disk")]),
    workers(7, [plainMiddle, { percent: 75, before: "digest so far ", value: values.lateDigest, after: "" }]),
    ...[8, 9, 10].map((group) => workers(group, [plainMiddle])),
  ];
}

/** The plans of a stage's results, in the order of `resultPaths`. `stream` gives the chain's random stream of a name. */
export function resultPlans(
  chain: string,
  stage: number,
  values: StageValues["results"],
  story: Story,
  stream: (name: string) => Random,
): ResultPlan[] {
  return wordings(chain, stage, values, story).map(({ header, placed, last }, index) => ({
    header,
    noise: story.noise,
    channel: index,
    sequence: stage * 4000,
    placed,
    random: stream(`noise-${stage}-${index}`),
    closing: `end of ${resultPaths[index] ?? ""}: ${noiseLines} lines, none dropped${last === undefined ? "" : `, ${last}`}\n`,
  }));
}

/** The tail's result: counters and nothing else. */
export function tailResult(stage: number, story: Story): string {
  const line = story.tailLine.replace("SS", String(stage).padStart(2, "0"));
  return Array.from({ length: tailLines }, (_, index) => line.replace("NNNN", String(index + 1).padStart(4, "0"))).join(
    "\n",
  );
}

/** Whether the result of this path failed in this stage. */
export const failed = (path: string, stage: number, story: Story): boolean =>
  path === "validation.log" && story.blockers[stage] !== undefined;
