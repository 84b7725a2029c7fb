/** `--arms`, `--arm` and what belongs to single arms: the arms of a run, each with the digest of its sources. */
import { entries, type Entry } from "../arms/index.ts";
import { loadArm } from "../arms/load.ts";
import { sourceDigest } from "../arms/source-digest.ts";
import type { Arm } from "../harness/arm.ts";
import { unknownName } from "../harness/did-you-mean.ts";
import { UsageError } from "../harness/errors.ts";
import type { PlannedArm, PromptsUsed, RunOptions } from "../harness/run/plan.ts";

export interface ArmChoices {
  readonly armIds: readonly string[] | undefined;
  readonly armFiles: readonly string[];
  readonly codexAutoLimitTokens: number | undefined;
  /** Whose words the mirrors of Codex and OpenCode use. */
  readonly prompts: PromptsUsed["kind"];
  /** Releases of the real programs; undefined for the pinned ones. */
  readonly codexVersion: string | undefined;
  readonly openCodeVersion: string | undefined;
}

/**
 * The listed arms that were asked for, then the ones from files; with both, `--arms` also orders the files' arms
 * that it names.
 * Real programs are taken where they are named, and installed where they are not yet. Throws UsageError for an unknown or
 * repeated arm, or where a flag's arm is not in the run.
 */
export async function chooseArms(
  choices: ArmChoices,
  { trigger }: Pick<RunOptions, "trigger">,
): Promise<{ readonly arms: PlannedArm[]; readonly prompts: PromptsUsed }> {
  const { armIds, armFiles, codexAutoLimitTokens } = choices;
  const fromFiles: PlannedArm[] = [];
  for (const path of armFiles) {
    const taken = [...entries, ...fromFiles].map(({ arm }) => arm.id);
    fromFiles.push({ arm: await loadArm(path, taken), sourceDigest: sourceDigest(path) });
  }
  const known = [...entries.map(planned), ...fromFiles];
  const ids = new Set(known.map(({ arm }) => arm.id));
  const isNamed = (id: string): boolean => !ids.has(id);
  const natives = armIds?.some(isNamed) ? await nativeArms(choices, armIds.filter(isNamed), trigger) : [];
  assertVersionsUsed(choices, natives);
  const others = fromFiles.filter(({ arm }) => armIds !== undefined && !armIds.includes(arm.id));
  const chosen = armIds === undefined ? known : [...picked([...known, ...natives], armIds), ...others];
  const limited = chosen.map((one) => ({ ...one, arm: withLimit(one.arm, codexAutoLimitTokens) }));
  if (choices.prompts === "own") return { arms: limited, prompts: { kind: "own" } };
  const { inUpstreamWords } = await import("./upstream-words.ts");
  return inUpstreamWords(limited);
}

const planned = ({ arm, file }: Entry): PlannedArm => ({ arm, sourceDigest: sourceDigest(file) });

function picked(known: readonly PlannedArm[], armIds: readonly string[]): PlannedArm[] {
  noRepeats("arm", armIds);
  return armIds.map((id) => {
    const found = known.find(({ arm }) => arm.id === id);
    const ids = known.map(({ arm }) => arm.id);
    if (found === undefined) throw unknownName("arm", id, ids);
    return found;
  });
}

/** The real programs, those of `wanted` installed. */
async function nativeArms(
  { codexVersion, openCodeVersion }: ArmChoices,
  wanted: readonly string[],
  trigger: RunOptions["trigger"],
): Promise<PlannedArm[]> {
  const { nativeEntries } = await import("../arms/native/index.ts");
  const { install } = await import("../arms/native/upstream.ts");
  const versions = {
    ...(codexVersion === undefined ? {} : { codex: codexVersion }),
    ...(openCodeVersion === undefined ? {} : { opencode: openCodeVersion }),
  };
  const natives = nativeEntries(versions);
  const asked = natives.filter(({ arm }) => wanted.includes(arm.id));
  const [first] = asked;
  if (first !== undefined && trigger === "automatic")
    throw new UsageError(
      `"${first.arm.id}" has no --trigger automatic: the real program compacts here when it is asked to. Run it with --trigger forced.`,
    );
  for (const { product } of asked) {
    const version = versions[product];
    install(product, version === undefined ? {} : { version });
  }
  return natives.map(planned);
}

/** A release that no arm of the run is of would be silently without effect. */
function assertVersionsUsed(
  { codexVersion, openCodeVersion, armIds }: ArmChoices,
  natives: readonly PlannedArm[],
): void {
  for (const [flag, version, id] of [
    ["--codex-version", codexVersion, "codex-native"],
    ["--opencode-version", openCodeVersion, "opencode-native"],
  ] as const)
    if (version !== undefined && !(armIds?.includes(id) && natives.some(({ arm }) => arm.id === id)))
      throw new UsageError(`${flag} belongs to the arm "${id}", which is not in this run. Add it with --arms.`);
}

const withLimit = (arm: Arm, autoLimitTokens: number | undefined): Arm =>
  arm.id !== "codex" || autoLimitTokens === undefined ? arm : { ...arm, options: { ...arm.options, autoLimitTokens } };

/** Throws UsageError where a name is given twice. */
export function noRepeats(kind: string, names: readonly string[]): void {
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new UsageError(`The ${kind} "${repeated}" is named twice. Name each once.`);
}
