/** A run's manifest: its identity, what else was recorded, and how a plan is made from it again. */
import type { Arm, Source } from "../arm.ts";
import { toMessages } from "../chain/message.ts";
import { chainDigest } from "../chain/digest.ts";
import { parseChain } from "../chain/file.ts";
import { generateChain } from "../chain/generate/index.ts";
import { type Chain, type ChainRecord, isGenerated } from "../chain/record.ts";
import { ArtifactError, UsageError } from "../errors.ts";
import type { Sheet } from "../exam/question.ts";
import type { RedactionCounts } from "../import/redact/redact.ts";
import { digest, type JsonObject, type JsonValue, sha256 } from "../json.ts";
import type { Provider, SessionShape } from "../models/model.ts";
import { billsNothing } from "../models/price-record.ts";
import { flatSystem, sheetText } from "../exam/prompt.ts";
import { chainFile, type RunFolder, shapeFile, sheetFile } from "./folder.ts";
import { journalLengths, type PlannedChain, type PromptsUsed, type RunOptions, type RunPlan } from "./plan.ts";

/** Everything that decides what is sent, and nothing else: no price, no version, no path, no clock. */
export interface Identity {
  readonly chains: readonly {
    readonly name: string;
    readonly group: Chain["group"];
    readonly records: number;
    readonly sha256: string;
    readonly boundaries: readonly { readonly end: number; readonly stage: number | null }[];
    readonly sheets: readonly string[];
  }[];
  readonly options: RunOptions;
  /** Digests of the texts that are not this project's arms' own. */
  readonly prompts: PromptsUsed & { readonly flatProbe: string | null };
  readonly arms: readonly { readonly id: string; readonly options: JsonValue; readonly source: string }[];
  readonly shape: string;
  readonly model: {
    readonly provider: string;
    readonly model: string;
    readonly windowTokens: number;
    readonly parameters: JsonObject;
  };
}

export interface Manifest {
  readonly runId: string;
  readonly identity: Identity;
  /** Facts that do not decide what is sent. */
  readonly recorded: {
    readonly harnessVersion: string;
    readonly label: string | null;
    /** The price that the ledger was kept at, and where it came from: see `recordPricing`. */
    readonly price: JsonObject;
    readonly arms: readonly { readonly id: string; readonly title: string; readonly source: Source }[];
    /** What was replaced in imported sessions, by chain; only where a session was redacted. */
    readonly redaction?: { readonly [chain: string]: RedactionCounts };
  };
}

const sheetDigest = (sheet: Sheet): string => sha256(`${JSON.stringify(sheet)}\n${sheetText(sheet)}`);

/** The manifest of a plan. The run id is `<name>-<digest of the identity>`: one configuration always finds the same folder. */
export function manifestOf(
  plan: RunPlan,
  name: string,
  harnessVersion: string,
  price: JsonObject = billsNothing,
): Manifest {
  const { options, shape, provider } = plan;
  const identity: Identity = {
    chains: plan.chains.map(({ chain, sha256: chainSha256, boundaries, sheets }) => ({
      name: chain.name,
      group: chain.group,
      records: chain.records.length,
      sha256: chainSha256,
      boundaries: boundaries.map(({ end, stage }) => ({ end, stage: stage ?? null })),
      sheets: sheets.map(sheetDigest),
    })),
    options,
    prompts: { ...(plan.prompts ?? { kind: "own" }), flatProbe: options.probe === "flat" ? sha256(flatSystem) : null },
    arms: plan.arms.map(({ arm, sourceDigest }) => ({
      id: arm.id,
      options: asJson(arm.options),
      source: sourceDigest,
    })),
    shape: digest(asJson(shape)),
    model: {
      provider: provider.id,
      model: provider.model,
      windowTokens: provider.windowTokens,
      parameters: provider.parameters,
    },
  };
  return {
    runId: `${name}-${shortDigest(identity)}`,
    identity,
    recorded: {
      harnessVersion,
      label: provider.label ?? null,
      price,
      arms: plan.arms.map(({ arm: { id, title, source } }) => ({ id, title, source })),
      ...redactionOf(plan),
    },
  };
}

function redactionOf({ chains }: RunPlan): Pick<Manifest["recorded"], "redaction"> {
  const counts = chains.flatMap(({ chain, redaction }) =>
    redaction === undefined ? [] : [[chain.name, redaction] as const],
  );
  return counts.length === 0 ? {} : { redaction: Object.fromEntries(counts) };
}

/** A value as it would come back from a file. */
export const asJson = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;

/** Reads a run's manifest. Throws ArtifactError where it is not one. */
export function readManifest(folder: RunFolder): Manifest {
  const manifest = readJson(folder, "manifest.json") as Partial<Manifest> | null;
  if (!Array.isArray(manifest?.identity?.chains))
    throw new ArtifactError(
      folder.at("manifest.json"),
      "belongs to no closed-book run. The report of an open-book run is printed by closed-book open-book --run with its closed run.",
    );
  const read = manifest as Manifest;
  if (!read.runId.endsWith(`-${shortDigest(read.identity)}`))
    throw new ArtifactError(
      folder.at("manifest.json"),
      `was changed: its run id is "${read.runId}", but what it says has the digest ${shortDigest(read.identity)}. Restore it.`,
    );
  return read;
}

/** What a run id ends in. */
const shortDigest = (identity: Identity): string => digest(asJson(identity)).slice(0, 12);

/** Names of a run's imported sessions: such a run is private. */
export const importedIn = ({ identity }: Manifest): string[] =>
  identity.chains.filter(({ group }) => group === "imported").map(({ name }) => name);

/** One chain of a run: generated again, or read from the run's own copy. Throws ArtifactError where it is not the chain that was run. */
export function reopenChain(folder: RunFolder, { identity }: Manifest, name: string): Chain {
  const known = identity.chains.find((chain) => chain.name === name);
  if (known === undefined)
    throw new ArtifactError(
      folder.at("manifest.json"),
      `has no chain "${name}"; it has ${identity.chains.map((chain) => chain.name).join(", ")}.`,
    );
  const file = chainFile(name);
  const cuts = known.boundaries.filter(({ stage }) => stage !== null).map(({ end }) => end);
  const stored = isGenerated(known.group) ? undefined : folder.read(file);
  if (!isGenerated(known.group) && stored === undefined)
    throw new ArtifactError(folder.at(file), "is missing. Restore it, or run again.");
  const chain =
    stored === undefined
      ? generateChain(name, identity.options.seed)
      : { ...parseChain(`${name}.jsonl`, stored, cuts), group: known.group };
  if (chainDigest(chain) !== known.sha256)
    throw new ArtifactError(
      folder.at("manifest.json"),
      `was made with another version of chain "${name}". Check that version out, or run again.`,
    );
  return chain;
}

/** The records of one chain of a run, up to the boundary `end` or to its last. Throws UsageError where there is no such boundary. */
export function reopenRecords(
  folder: RunFolder,
  manifest: Manifest,
  name: string,
  end?: number,
): readonly ChainRecord[] {
  const chain = reopenChain(folder, manifest, name);
  const known = manifest.identity.chains.find((candidate) => candidate.name === name);
  const ends = known?.boundaries.map((boundary) => boundary.end) ?? [];
  const wanted = end ?? ends.at(-1) ?? chain.records.length;
  if (!ends.includes(wanted))
    throw new UsageError(`Chain "${name}" has no boundary ${wanted}; it has ${ends.join(", ")}.`);
  return chain.records.slice(0, wanted);
}

function reopenSheet(folder: RunFolder, file: string, asked: string): Sheet {
  const sheet = readJson(folder, file) as Sheet;
  if (Array.isArray(sheet.questions) && sheetDigest(sheet) === asked) return sheet;
  throw new ArtifactError(
    folder.at(file),
    "is not the sheet that was asked: it was changed, or another version words it otherwise. Restore it, or check that version out.",
  );
}

/** The plan of a run, to be read and not to be run: its arms and its provider throw when they are asked to work. */
export function reopenPlan(folder: RunFolder, manifest: Manifest): RunPlan {
  const { identity, recorded } = manifest;
  const chains = identity.chains.map((known): PlannedChain => {
    const chain = reopenChain(folder, manifest, known.name);
    const journal = toMessages(chain.records);
    const boundaries = journalLengths(
      chain,
      journal,
      known.boundaries.map(({ end, stage }) => ({ end, stage: stage ?? undefined })),
    );
    const sheets = known.sheets.map((asked, stage) => reopenSheet(folder, sheetFile(known.name, stage), asked));
    const redaction = recorded.redaction?.[known.name];
    return { chain, sha256: known.sha256, journal, boundaries, sheets, ...(redaction && { redaction }) };
  });
  const arms = recorded.arms.map(({ id, title, source }) => {
    const arm: Arm = {
      id,
      title,
      source,
      options: {},
      compact: () => Promise.reject(new Error(`arm ${id} was reopened to be read`)),
    };
    return { arm, sourceDigest: identity.arms.find((known) => known.id === id)?.source ?? "" };
  });
  const { provider, ...model } = identity.model;
  const readOnly: Provider = {
    id: provider,
    ...model,
    ...(recorded.label === null ? {} : { label: recorded.label }),
    encode: () => ({}),
    send: () => Promise.reject(new Error("this run was reopened to be read")),
  };
  return {
    options: identity.options,
    chains,
    arms,
    prompts: identity.prompts,
    shape: readJson(folder, shapeFile) as SessionShape,
    provider: readOnly,
  };
}

/** A file of a run folder that has to be JSON. Throws ArtifactError where it is missing or is none. */
export function readJson(folder: RunFolder, file: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(folder.read(file) ?? "");
  } catch (cause) {
    throw new ArtifactError(folder.at(file), "is missing or not JSON. Restore it, or run again.", { cause });
  }
  if (typeof value === "object" && value !== null) return value;
  throw new ArtifactError(folder.at(file), "holds no JSON object. Restore it, or run again.");
}
