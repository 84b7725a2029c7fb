/** closed-book chains: the generated chains with their sizes and digests; writes them as files on request. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Argv } from "yargs";
import { UsageError } from "../../harness/errors.ts";
import { makeFolder } from "../../harness/make-folder.ts";

export const command = "chains";
export const describe = "List the generated chains, or write them as JSONL";

export const builder = (yargs: Argv) =>
  yargs
    .option("seed", { type: "number", default: 1, describe: "another seed gives other chains of the same shape" })
    .option("write", { type: "string", describe: "folder to write <chain>.jsonl files to" })
    .option("json", { type: "boolean", default: false, describe: "print JSON" })
    .example("$0 chains", "records, characters, estimated tokens and SHA-256")
    .example("$0 chains --seed 7 --write chains/", "other chains, as files for run --chain");

export async function handler({
  seed,
  write,
  json,
}: {
  seed: number;
  write?: string | undefined;
  json: boolean;
}): Promise<void> {
  if (!Number.isSafeInteger(seed) || seed < 0)
    throw new UsageError("--seed has to be a whole number that is not negative.");
  const { chainNames, describeChain, generateChain } = await import("../../harness/chain/generate/index.ts");
  const { safeAfter, scoredCuts } = await import("../../harness/chain/boundaries.ts");
  const { chainToJsonl } = await import("../../harness/chain/file.ts");
  const { terminalTable } = await import("../../harness/report/tables.ts");
  const chains = chainNames.map((name) => generateChain(name, seed));
  const described = chains.map(describeChain);
  if (write !== undefined) {
    try {
      makeFolder(write);
      for (const chain of chains) writeFileSync(join(write, `${chain.name}.jsonl`), chainToJsonl(chain));
    } catch (cause) {
      throw new UsageError(
        `${write}: cannot be written (${(cause as NodeJS.ErrnoException).code ?? "unknown reason"}). Choose another folder.`,
        { cause },
      );
    }
  }
  if (json) process.stdout.write(`${JSON.stringify(described, null, 2)}\n`);
  else {
    const rows = described.map((one) => [
      one.name,
      ...[one.records, one.characters, one.estimatedTokens].map((count) => count.toLocaleString("en-US")),
      one.sha256,
    ]);
    process.stdout.write(
      `${terminalTable({ title: `Chains of seed ${seed}`, head: ["chain", "records", "characters", "estimated tokens", "SHA-256"], rows })}\n`,
    );
  }
  const first = chains[0];
  if (write === undefined || first === undefined) return;
  const cuts = scoredCuts(first, safeAfter(first.records));
  process.stderr.write(
    `Written to ${write}. Run one with --chain ${join(write, `${first.name}.jsonl`)} --cuts ${cuts.join(",")}\n`,
  );
}
