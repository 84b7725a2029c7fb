import { readdirSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import { HarnessError } from "../errors.ts";
import { randomStream } from "../random.ts";
import { recordLine } from "../chain/digest.ts";
import { type ChainRecord, recordSchema } from "../chain/record.ts";
import { histories } from "./entry.ts";
import { formatNames } from "./formats.ts";
import { importChain } from "./import.ts";
import { lines } from "./lines.ts";
import { mutated } from "./mutations.ts";
import { bytesSource } from "./source.ts";
import { fixture } from "./testing.ts";

const files = readdirSync(fixture(""))
  .filter((name) => /\.jsonl?$/.test(name))
  .map((name) => readFileSync(fixture(name), "utf8"));

/** Mutated files of a run: IMPORT_FUZZ=2000 for a long one. */
const count = Number(process.env["IMPORT_FUZZ"] ?? 300);

/** What is wrong with how a file was taken: nothing may disappear uncounted, and an error is one clear line. */
function faults(
  bytes: Buffer,
  format: (typeof formatNames)[number] | "auto",
  history: (typeof histories)[number],
): string[] {
  const source = bytes.length === 0 ? undefined : bytesSource("session", bytes);
  if (source === undefined) return [];
  try {
    const { chain, report } = importChain("session", { format, history, name: "x" }, source);
    const { entries, pieces } = report;
    const sum = (counts: readonly number[]): number => counts.reduce((total, one) => total + one, 0);
    return [
      entries.read !== entries.used + sum(Object.values(entries.skipped)) && "entries disappear",
      entries.unit === "line" && entries.read !== [...lines(source)].length && "lines disappear",
      pieces.read !== pieces.records + sum(Object.values(pieces.leftOut).map((one) => one.pieces)) &&
        "pieces disappear",
      pieces.records !== chain.records.length && "records disappear",
      sum(Object.values(report.kinds).map((kind) => kind.records)) !== chain.records.length && "kinds do not add up",
      chain.records.some((record) => !isDeepStrictEqual(stored(record), record)) &&
        "a record is another one when it is stored",
      new Set(chain.records.map(({ id }) => id)).size !== chain.records.length && "an id is there twice",
      chain.cuts.ends.at(-1) !== chain.records.length && "the last cut is not the end",
    ].filter((fault) => fault !== false);
  } catch (error) {
    if (!(error instanceof HarnessError)) return [`stack trace: ${error instanceof Error ? (error.stack ?? "") : ""}`];
    return /^session: [^\n]{10,380}\.$/.test(error.message) ? [] : [`unclear error: ${error.message}`];
  }
}

it(`ends ${count} mutated files in a clear error or a counted import`, { timeout: 600_000 }, () => {
  const random = randomStream(1, "mutated sessions");
  const outcomes = { imported: 0, refused: 0 };
  for (let index = 0; index < count; index++) {
    const bytes = mutated(random.pick(files), random);
    const format = random.chance(0.2) ? random.pick(formatNames) : "auto";
    const history = random.pick(histories);
    const found = faults(bytes, format, history);
    expect(found, `file ${index} as ${format}, ${history}: ${bytes.toString("latin1").slice(0, 2000)}`).toEqual([]);
    outcomes[isImported(bytes, format, history) ? "imported" : "refused"]++;
  }
  expect(outcomes.imported).toBeGreaterThan(count / 4);
  expect(outcomes.refused).toBeGreaterThan(count / 20);
});

const stored = (record: ChainRecord): unknown => recordSchema.safeParse(JSON.parse(recordLine(record))).data;

function isImported(
  bytes: Buffer,
  format: (typeof formatNames)[number] | "auto",
  history: (typeof histories)[number],
): boolean {
  try {
    importChain("session", { format, history, name: "x" }, bytesSource("session", bytes));
    return true;
  } catch {
    return false;
  }
}
