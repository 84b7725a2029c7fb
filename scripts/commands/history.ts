/** closed-book history: looks into a run's journal, also at what every projection left out. */
import type { Argv } from "yargs";
import { UsageError } from "../../harness/errors.ts";

export const command = "history <action> <text>";
export const describe = "Search a chain's journal, or print one entry of it";

interface Flags {
  readonly action: "search" | "get";
  readonly text: string;
  readonly run: string;
  readonly chain: string;
  readonly results: string;
  readonly end?: number | undefined;
  readonly limit: number;
  readonly offset: number;
  readonly length: number;
}

export const builder = (yargs: Argv) =>
  yargs
    .positional("action", {
      choices: ["search", "get"] as const,
      demandOption: true,
      describe: "search for a text, or get an entry by its id",
    })
    .positional("text", { type: "string", demandOption: true, describe: "text to search for, or an entry's id" })
    .option("run", { type: "string", demandOption: true, describe: "run id, a beginning of it, or the folder" })
    .option("chain", { type: "string", demandOption: true, describe: "chain of the run" })
    .option("end", { type: "number", describe: "look only at the journal up to this boundary [default: the last one]" })
    .option("limit", { type: "number", default: 20, describe: "search: hits at most, newest first" })
    .option("offset", { type: "number", default: 0, describe: "get: first character" })
    .option("length", { type: "number", default: 4000, describe: "get: characters at most" })
    .option("results", { type: "string", default: "results", describe: "folder of the runs" })
    .example("$0 history search trace_ --run exam-3f9a --chain export", "entries with that text, newest first")
    .example(
      "$0 history get export-04-result-2 --run exam-3f9a --chain export --offset 44000",
      "one entry from a place on",
    );

export async function handler({ action, text, run, chain, results, end, limit, offset, length }: Flags): Promise<void> {
  for (const [flag, value] of Object.entries({ end: end ?? 0, limit, offset, length }))
    if (!Number.isSafeInteger(value) || value < 0)
      throw new UsageError(`--${flag} has to be a whole number that is not negative.`);
  const { findRun } = await import("../runs.ts");
  const { toMessages } = await import("../../harness/chain/message.ts");
  const { readManifest, reopenRecords } = await import("../../harness/run/manifest.ts");
  const { entryIdOf, entryText, searchJournal } = await import("../../harness/run/history.ts");
  const folder = findRun(run, results);
  const records = reopenRecords(folder, readManifest(folder), chain, end);
  const journal = toMessages(records);
  if (action === "search") {
    const hits = searchJournal(journal, text, limit);
    for (const hit of hits)
      process.stdout.write(`${hit.entry}  ${hit.role} ${hit.kind} at ${hit.offset}: ${hit.excerpt}\n`);
    process.stderr.write(hits.length === 0 ? `Nothing in ${chain} has "${text}".\n` : "");
    return;
  }
  const entryId = entryIdOf(records, text);
  const entry = journal.find((message) => message.id === entryId);
  if (entry === undefined)
    throw new UsageError(
      `Chain "${chain}" has no entry "${text}" there. Search for one with closed-book history search.`,
    );
  const whole = entryText(entry);
  const part = whole.slice(offset, offset + length).toWellFormed();
  process.stdout.write(`${part}\n`);
  process.stderr.write(`characters ${Math.min(offset, whole.length)} to ${offset + part.length} of ${whole.length}\n`);
}
