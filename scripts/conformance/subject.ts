/** A running program, the arm that mirrors it in the program's own words, and the scenarios that both live through. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codexArm } from "../../arms/codex.ts";
import { type CodexPrompts, ownPrompts as ownCodex } from "../../arms/codex/prompts.ts";
import { openCodeArm } from "../../arms/opencode.ts";
import { type OpenCodePrompts, ownPrompts as ownOpenCode } from "../../arms/opencode/prompts.ts";
import type { Arm } from "../../harness/arm.ts";
import { type ArmWire, armProduct } from "./arm.ts";
import { codexProduct, codexWire } from "./codex/driver.ts";
import { probeCodex } from "./codex/probe.ts";
import { startCodex } from "../../arms/native/codex/program.ts";
import { codexChains, codexScenarios } from "./codex/scenarios.ts";
import { responses, responsesPath } from "../../arms/native/codex/wire.ts";
import { startEndpoint } from "../../arms/native/endpoint.ts";
import type { ArmMaker } from "./mutant.ts";
import { openCodeProduct, openCodeWire, setupOf } from "./opencode/driver.ts";
import { probeOpenCode, probeSetup } from "./opencode/probe.ts";
import { startOpenCode } from "../../arms/native/opencode/program.ts";
import { openCodeChains, openCodeScenarios } from "./opencode/scenarios.ts";
import { chat, chatPath } from "../../arms/native/opencode/wire.ts";
import type { ProductTexts } from "./prompts.ts";
import type { Product, Scenario } from "./scenario.ts";
import type { ProductName, Release } from "../../arms/native/upstream.ts";

/** What is known of a product without running it. `Prompts` are the texts that its arm takes. */
export interface Kind<Prompts> {
  readonly name: ProductName;
  readonly ownPrompts: Prompts;
  readonly wire: ArmWire;
  arm(prompts: Prompts): Arm;
  /** Scenarios of stretches of the generated chains. */
  chains(seed: number, quick: boolean): Scenario[];
  /** Scenarios of every rule. */
  rules(seed: number, quick: boolean, prompts: Prompts): Scenario[];
  /** Starts the program in a folder of its own; `scenarios` are what it has to be set up for. */
  start(release: Release, folder: string, scenarios: readonly Scenario[]): Promise<Running<Prompts>>;
}

/** A program that runs. `program` takes one scenario at a time. */
interface Running<Prompts> {
  readonly program: Product;
  /** Reads the product's own texts. */
  probe(): Promise<ProductTexts<Prompts>>;
  stop(): Promise<void>;
}

export const codexKind: Kind<CodexPrompts> = {
  name: "codex",
  ownPrompts: ownCodex,
  wire: codexWire,
  arm: codexArm,
  chains: codexChains,
  rules: codexScenarios,
  start: async ({ binary, version }, folder) => {
    const mock = await startEndpoint(responsesPath, responses, () => ({ kind: "text", text: "" }));
    const program = await startCodex(binary, folder, mock.port);
    return {
      program: codexProduct(program, mock),
      probe: () => probeCodex(program, mock, version),
      stop: async () => {
        await program.stop();
        mock.close();
      },
    };
  },
};

export const openCodeKind: Kind<OpenCodePrompts> = {
  name: "opencode",
  ownPrompts: ownOpenCode,
  wire: openCodeWire,
  arm: openCodeArm,
  chains: openCodeChains,
  rules: openCodeScenarios,
  start: async (release, folder, scenarios) => {
    const mock = await startEndpoint(chatPath, chat, () => ({ kind: "text", text: "" }));
    const program = await startOpenCode(release, folder, mock.port, [probeSetup, ...scenarios.map(setupOf)]);
    return {
      program: openCodeProduct(program, mock),
      probe: () => probeOpenCode(program, mock, release.version),
      stop: async () => {
        await program.stop();
        mock.close();
      },
    };
  },
};

/** A product and its arm, ready to be compared. */
export interface Subject {
  readonly name: ProductName;
  readonly version: string;
  /** SHA-256 of the product's own texts by name. */
  readonly digests: Readonly<Record<string, string>>;
  readonly scenarios: readonly Scenario[];
  readonly program: Product;
  readonly arm: Product;
  /** Another arm, e.g. one with a rule changed, as the product with the same texts. */
  readonly otherArm: (make: ArmMaker) => Product;
}

/** Starts a release, hands over the subject and stops it again, whatever happens. */
export async function withSubject<Prompts, Result>(
  kind: Kind<Prompts>,
  release: Release,
  choice: { readonly seed: number; readonly quick: boolean },
  use: (subject: Subject) => Promise<Result>,
): Promise<Result> {
  const { seed, quick } = choice;
  const chains = kind.chains(seed, quick);
  return await withProgram(kind, release, [...chains, ...kind.rules(seed, quick, kind.ownPrompts)], async (running) => {
    const { prompts, digests, version } = await running.probe();
    return await use({
      name: kind.name,
      version,
      digests,
      scenarios: [...chains, ...kind.rules(seed, quick, prompts)],
      program: running.program,
      arm: armProduct(kind.arm(prompts), kind.wire),
      otherArm: (make) => armProduct((make as (prompts: Prompts) => Arm)(prompts), kind.wire),
    });
  });
}

/** Starts a release for scenarios, in a temporary folder outside every repository, and stops it again. */
export async function withProgram<Prompts, Result>(
  kind: Kind<Prompts>,
  release: Release,
  scenarios: readonly Scenario[],
  use: (running: Running<Prompts>) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), `closed-book-${kind.name}-`));
  try {
    const running = await kind.start(release, folder, scenarios);
    try {
      return await use(running);
    } finally {
      await running.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
