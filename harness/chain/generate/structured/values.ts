/** The values that a structured chain's stages carry, drawn from one named stream a purpose. */
import type { Random } from "../../../random.ts";
import type { Bank } from "./story.ts";

const stageCount = 8;

/** What one stage says and shows. Values of one kind are distinct within their chain. */
export interface StageValues {
  /** Acknowledges the first requirement; the same in every stage. */
  readonly ack: string;
  /** Names the first decision; the same in every stage. */
  readonly decision: string;
  readonly report: {
    readonly paths: readonly [string, string, string];
    readonly names: readonly [string, string, string];
    readonly commits: readonly [string, string];
    readonly pull: string;
    /** A size in MiB. */
    readonly measured: string;
  };
  readonly user: {
    readonly page: string;
    readonly tailPage: string;
    /** A size in KB. */
    readonly limit: string;
  };
  readonly results: {
    readonly version: string;
    readonly trace: string;
    readonly settingsDigest: string;
    readonly reportDigest: string;
    readonly frameDigest: string;
    readonly earlyDigest: string;
    readonly lateDigest: string;
    /** A size in MB. */
    readonly peak: string;
    /** A size in GB. */
    readonly spill: string;
  };
}

/** `count` different draws. */
function distinct(random: Random, count: number, draw: (random: Random) => string): string[] {
  const drawn = new Set<string>();
  while (drawn.size < count) drawn.add(draw(random));
  return [...drawn];
}

/** Hex digits with a letter and a numeral among them, so that they read as a digest. */
function word(random: Random, digits: number): string {
  for (;;) {
    const drawn = random.hex(digits);
    if (/[a-f]/.test(drawn) && /[0-9]/.test(drawn)) return drawn;
  }
}

/** Every combination of two lists, in random order. */
const combined = (random: Random, left: readonly string[], joint: string, right: readonly string[]): string[] =>
  random.shuffle(left.flatMap((first) => right.map((second) => first + joint + second)));

const tenths = (random: Random, from: number, to: number): string => (random.range(from * 10, to * 10) / 10).toFixed(1);

/** Item `index` of a list that is known to be long enough. */
function at(list: readonly string[], index: number): string {
  const item = list[index];
  if (item === undefined) throw new RangeError(`a bank of ${list.length} has no item ${index}`);
  return item;
}

/** The values of all stages. `stream` gives the chain's random stream of a name. */
export function drawValues(bank: Bank, stream: (name: string) => Random): StageValues[] {
  const each = (name: string, draw: (random: Random) => string): string[] => distinct(stream(name), stageCount, draw);
  const ack = `ACK_${stream("ack").hex(16)}`;
  const decision = `DEC_${stream("decision").hex(8)}`;
  const paths = combined(stream("paths"), bank.folders, "/", bank.files);
  const names = combined(stream("names"), bank.verbs, "_", bank.nouns);
  const pages = combined(stream("pages"), bank.shelves, "/", bank.pages);
  const commits = distinct(stream("commits"), 2 * stageCount, (random) => word(random, 9));
  const pulls = runningNumbers(stream("pulls"));
  const measured = each("measured", (random) => `${tenths(random, 20, 60)} MiB`);
  const limits = each("limits", (random) => `${random.range(210, 990)} KB`);
  const results = {
    version: each("version", (random) => `ver_${random.hex(12)}`),
    trace: each("trace", (random) => `trace_${random.hex(16)}`),
    settingsDigest: each("settings-digest", (random) => word(random, 10)),
    reportDigest: each("report-digest", (random) => word(random, 12)),
    frameDigest: each("frame-digest", (random) => word(random, 8)),
    earlyDigest: each("early-digest", (random) => word(random, 11)),
    lateDigest: each("late-digest", (random) => word(random, 9)),
    peak: each("peak", (random) => `${tenths(random, 100, 900)} MB`),
    spill: each("spill", (random) => `${tenths(random, 1, 9)} GB`),
  };
  return Array.from({ length: stageCount }, (_, stage): StageValues => ({
    ack,
    decision,
    report: {
      paths: [at(paths, 3 * stage), at(paths, 3 * stage + 1), at(paths, 3 * stage + 2)],
      names: [at(names, 3 * stage), at(names, 3 * stage + 1), at(names, 3 * stage + 2)],
      commits: [at(commits, 2 * stage), at(commits, 2 * stage + 1)],
      pull: `PR #${at(pulls, stage)}`,
      measured: at(measured, stage),
    },
    user: { page: at(pages, 2 * stage), tailPage: at(pages, 2 * stage + 1), limit: at(limits, stage) },
    results: {
      version: at(results.version, stage),
      trace: at(results.trace, stage),
      settingsDigest: at(results.settingsDigest, stage),
      reportDigest: at(results.reportDigest, stage),
      frameDigest: at(results.frameDigest, stage),
      earlyDigest: at(results.earlyDigest, stage),
      lateDigest: at(results.lateDigest, stage),
      peak: at(results.peak, stage),
      spill: at(results.spill, stage),
    },
  }));
}

/** One pull request number a stage, growing as a repository's do. */
function runningNumbers(random: Random): string[] {
  let number = random.range(120, 900);
  return Array.from({ length: stageCount }, () => String((number += random.range(2, 40))));
}
