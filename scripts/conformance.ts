/**
 * npm run conformance: the arms of Codex and OpenCode against the real programs. Installs the pinned releases once, lives a
 * set of sessions in each, and compares every item that the programs and the arms send.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import yargs from "yargs";
import { exitCodes, HarnessError } from "../harness/errors.ts";
import { clearFailures, type Conformance, conform, smallest, writeFailure } from "./conformance/conform.ts";
import { mutations } from "./conformance/mutations.ts";
import { inOrderOfSize, noticedBy, type Recorded } from "./conformance/notice.ts";
import { conformanceJson, conformanceTable, type ProductConformance, summaryLine } from "./conformance/results.ts";
import { enterNamespace, isolation } from "./conformance/sandbox.ts";
import { codexKind, type Kind, openCodeKind, type Subject, withSubject } from "./conformance/subject.ts";
import { availability, install, type ProductName, productNames, UnreachableError } from "../arms/native/upstream.ts";

const failureFolder = new URL("../.captures/conformance/", import.meta.url).pathname;
const resultsFile = new URL("../results/conformance.json", import.meta.url).pathname;

interface Choice {
  readonly seed: number;
  readonly quick: boolean;
  readonly mutations: boolean;
  readonly products: readonly ProductName[];
  readonly scenario: string;
}

const choice = (argv: readonly string[]): Choice =>
  yargs([...argv])
    .scriptName("npm run conformance --")
    .usage("$0\n\nCompare the codex and opencode arms with the real programs, item by item")
    .option("quick", { type: "boolean", default: false, describe: "a smaller set of every kind; writes no results" })
    .option("seed", { type: "number", default: 1, describe: "another seed makes other sessions" })
    .option("products", {
      type: "string",
      array: true,
      choices: productNames,
      default: productNames,
      describe: "which programs",
    })
    .option("scenario", { type: "string", default: "", describe: "only sessions whose name holds this text" })
    .option("mutations", {
      type: "boolean",
      default: false,
      describe: "also change every rule of the arms and tell whether it is noticed",
    })
    .strict()
    .parseSync();

async function run(options: Choice): Promise<number> {
  const why = options.products.map(whyNot).find((reason) => reason !== undefined);
  if (why !== undefined) {
    process.stdout.write(`${why} Nothing was compared.\n`);
    return exitCodes.done;
  }
  const inside = await enterNamespace();
  if (inside !== undefined) return inside;
  process.stderr.write(`Isolation: ${isolation()}.\n`);
  clearFailures(failureFolder);
  // Side by side: a program is busy with one core at a time.
  const results: ProductConformance[] = await Promise.all([
    ...(options.products.includes("codex") ? [conformKind(codexKind, options)] : []),
    ...(options.products.includes("opencode") ? [conformKind(openCodeKind, options)] : []),
  ]);
  process.stdout.write(`${conformanceTable(results)}\n`);
  if (!options.quick && options.scenario === "" && results.length === productNames.length) {
    mkdirSync(join(resultsFile, ".."), { recursive: true });
    writeFileSync(resultsFile, conformanceJson(options.seed, results));
  }
  process.stdout.write(`${summaryLine(results)}\n`);
  return results.every(({ conformance, unnoticed }) => conformance.failures.length === 0 && unnoticed.length === 0)
    ? exitCodes.done
    : exitCodes.failed;
}

/** Why a product cannot be had here, which is no failure; undefined once it is installed. Throws where what arrived is not what is pinned. */
function whyNot(product: ProductName): string | undefined {
  const available = availability(product);
  if (available.kind === "missing") return available.reason;
  try {
    install(product);
    return undefined;
  } catch (error) {
    if (error instanceof UnreachableError) return error.message;
    throw error;
  }
}

async function conformKind<Prompts>(kind: Kind<Prompts>, options: Choice): Promise<ProductConformance> {
  const release = install(kind.name);
  return await withSubject(kind, release, options, async (subject) => {
    const recorded: Recorded[] = [];
    const conformance = await conformSubject(subject, options, recorded);
    const tried = options.mutations ? mutations.filter(({ product }) => product === kind.name) : [];
    const unnoticed: string[] = [];
    const ordered = inOrderOfSize(recorded);
    for (const mutation of tried) {
      const name = await noticedBy(mutation, ordered, subject.otherArm);
      process.stdout.write(
        `${kind.name}, ${mutation.rule}: ${name === undefined ? "NOT NOTICED" : `noticed in "${name}"`}\n`,
      );
      if (name === undefined) unnoticed.push(mutation.rule);
    }
    return {
      product: kind.name,
      version: subject.version,
      digests: subject.digests,
      conformance,
      mutations: tried.length,
      unnoticed,
    };
  });
}

async function conformSubject(
  { name, scenarios, program, arm }: Subject,
  { scenario: wanted, mutations: keep }: Choice,
  recorded: Recorded[],
): Promise<Conformance> {
  const chosen = scenarios.filter((scenario) => scenario.name.includes(wanted));
  const failed: string[] = [];
  const conformance = await conform(chosen, program, arm, {
    onScenario: (done, outcomes) => {
      const scenario = chosen[done - 1];
      if (keep && scenario !== undefined) recorded.push({ scenario, outcomes });
      if (done % 50 === 0 || done === chosen.length)
        process.stderr.write(`${name}: ${done} of ${chosen.length} sessions\n`);
    },
    onFailure: (failure) => {
      failed.push(failure.scenario.name);
      process.stdout.write(
        `${name}, "${failure.scenario.name}" differs: ${writeFailure(failureFolder, name, failure)}\n`,
      );
    },
  });
  for (const scenario of chosen.filter((one) => failed.includes(one.name) && one.known === undefined).slice(0, 3)) {
    const found = await smallest(scenario, program, arm);
    const repro = { ...found, name: `${scenario.name} smallest` };
    await conform([repro], program, arm, {
      onFailure: (failure) => process.stdout.write(`smallest: ${writeFailure(failureFolder, name, failure)}\n`),
    });
  }
  return conformance;
}

try {
  process.exitCode = await run(choice(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof HarnessError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error.exitCode;
}
