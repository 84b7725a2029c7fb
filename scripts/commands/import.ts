/** closed-book import: sessions of coding agents as chains, in a private folder. Sends nothing anywhere. */
import type { Argv, InferredOptionTypes, Options } from "yargs";
import { exitCodes, HarnessError, UsageError } from "../../harness/errors.ts";
import type { ImportFile, StoredImport } from "../../harness/import/store.ts";
import { collectEarlier } from "../engine.ts";

export const command = "import <files..>";
export const describe = "Import sessions of Codex, Claude Code, OpenCode or pi as chains";

const formatChoices = ["auto", "codex", "claude", "opencode", "pi", "openai", "anthropic", "records"] as const;

const flags = {
  format: {
    choices: formatChoices,
    default: "auto",
    describe: "what the files are; auto looks at their content",
  },
  history: {
    choices: ["raw", "live"],
    default: "raw",
    describe: "raw: everything, as if never compacted, where the file still has it; live: what the agent last saw",
  },
  name: { type: "string", describe: "name of the chain [default: its format and the beginning of its digest]" },
  redact: {
    type: "boolean",
    default: false,
    describe: "store it redacted: secrets, home paths, e-mail addresses and host names become stand-ins",
  },
  data: { type: "string", describe: "data folder [default: closed-book in the XDG data home]" },
  out: { type: "string", describe: "folder for the imported chains themselves [default: imports in the data folder]" },
  "allow-repo": { type: "boolean", default: false, describe: "write into a git work tree" },
  json: { type: "boolean", default: false, describe: "the reports as JSON lines on stdout, all else on stderr" },
} as const satisfies { [name: string]: Options };

export const builder = (yargs: Argv) =>
  yargs
    .positional("files", {
      type: "string",
      array: true,
      demandOption: true,
      describe: "session files, or OpenCode's storage folder",
    })
    .options(flags)
    .example("$0 import ~/.codex/sessions/2026/01/05/rollout-*.jsonl", "Codex rollouts")
    .example("$0 import ~/.claude/projects/my-project/SESSION.jsonl", "a Claude Code session")
    .example("opencode export SESSION > s.json && $0 import s.json", "an OpenCode session")
    .example("$0 import session.jsonl --history live", "only what the agent last saw");

type Flags = InferredOptionTypes<typeof flags> & { readonly files: readonly string[] };

export async function handler(args: Flags): Promise<void> {
  if (args.name !== undefined && args.files.length > 1)
    throw new UsageError(
      `--name is for one file, but ${args.files.length} are given. Import them one by one, or leave --name out.`,
    );
  collectEarlier();
  const { reportLines } = await import("../../harness/import/report.ts");
  for (const file of args.files)
    try {
      const stored = await importFile(file, args);
      const text = args.json
        ? JSON.stringify({ source: file, ...stored })
        : summary(file, stored, reportLines(stored.report));
      process.stdout.write(`${text}\n`);
      process.stderr.write(`${whereTo(stored)}\n`);
    } catch (error) {
      // The other files are imported all the same; the exit code tells that one was not.
      if (!(error instanceof HarnessError) || args.files.length === 1) throw error;
      process.stderr.write(`${error.message}\n`);
      process.exitCode = exitCodes.usage;
    }
}

async function importFile(path: string, args: Flags): Promise<StoredImport> {
  const { readSession } = await import("../../harness/import/import.ts");
  const { dataFolder, importsFolder, refuseWorkTree } = await import("../../harness/import/privacy.ts");
  const { storeImport } = await import("../../harness/import/store.ts");
  const folder = args.out ?? importsFolder(dataFolder(args.data));
  refuseWorkTree(folder, "an imported session", args["allow-repo"]);
  const reading = readSession(path, { format: args.format, history: args.history });
  if (!args.redact) {
    const end = () => ({ ...reading.end(), redaction: undefined });
    return storeImport(folder, { format: reading.format, records: reading.records(), end }, args.name);
  }
  const { redactChain } = await import("../../harness/import/redact/redact.ts");
  const records = [...reading.records()];
  const { cuts, report } = reading.end();
  const { chain, counts } = await redactChain({
    name: reading.format,
    group: "imported",
    records,
    cuts: { kind: "moved", ends: cuts },
  });
  const end = () => ({ cuts, report, redaction: counts });
  return storeImport(folder, { format: reading.format, records: chain.records, end }, args.name);
}

const whereTo = ({ path, existed }: StoredImport): string =>
  `${existed ? "Was already imported" : "Imported"} to ${path}, readable by you alone. Run it with closed-book run --chain ${path}`;

function summary(source: string, { name, cuts, redaction }: ImportFile, report: readonly string[]): string {
  const redacted = Object.entries(redaction ?? {}).map(
    ([kind, { distinct, replaced }]) => `${kind} ${distinct} (${replaced} times)`,
  );
  return [
    `${name} (${source})`,
    ...report,
    `scored cuts after ${cuts.join(", ")} records`,
    ...(redaction === undefined ? [] : [`redacted: ${redacted.join(", ")}`]),
  ].join("\n  ");
}
