/** `--prompts upstream`: the mirrors of Codex and OpenCode in the products' own words, of which a run keeps digests alone. */
import { codexArm } from "../arms/codex.ts";
import { openCodeArm } from "../arms/opencode.ts";
import type { Arm } from "../harness/arm.ts";
import { UsageError } from "../harness/errors.ts";
import type { PlannedArm, PromptsUsed, UpstreamDigests } from "../harness/run/plan.ts";
import { readUpstreamPrompts, type UpstreamPrompts } from "./conformance/prompts.ts";

type Mirror = keyof UpstreamPrompts;
const isMirror = (id: string): id is Mirror => id === "codex" || id === "opencode";

/**
 * The arms of a run with the mirrors in the products' words. Throws UsageError, naming the command that fetches them, where
 * the words are not there, or where the run has no mirror of either product.
 */
export function inUpstreamWords(
  arms: readonly PlannedArm[],
  read: () => UpstreamPrompts = readUpstreamPrompts,
): { readonly arms: PlannedArm[]; readonly prompts: PromptsUsed } {
  if (!arms.some(({ arm }) => isMirror(arm.id)))
    throw new UsageError('--prompts upstream is for the arms "codex" and "opencode", and neither is in this run.');
  const words = read();
  const products = arms.flatMap(({ arm }) => {
    const digests = upstreamDigests(words, arm.id);
    return digests === undefined ? [] : [[arm.id, digests] as const];
  });
  return {
    arms: arms.map((one) => ({ ...one, arm: inWords(one.arm, words) })),
    prompts: { kind: "upstream", products: Object.fromEntries(products) },
  };
}

/** The digests of what an arm takes, the session's own text not among it; undefined where it takes nothing. */
export function upstreamDigests(words: UpstreamPrompts, id: string): UpstreamDigests | undefined {
  if (!isMirror(id)) return undefined;
  const { version, digests, prompts } = words[id];
  return { version, sha256: Object.fromEntries(Object.keys(prompts).map((name) => [name, digests[name] ?? ""])) };
}

/** A mirror that says the product's words, with the options it had; another arm as it is. */
export function inWords(arm: Arm, { codex, opencode }: UpstreamPrompts): Arm {
  if (!isMirror(arm.id)) return arm;
  const worded = arm.id === "codex" ? codexArm(codex.prompts) : openCodeArm(opencode.prompts);
  const { source } = worded;
  if (source.kind !== "mirror") return arm;
  const notModelled = source.notModelled.filter((line) => !line.startsWith("the wording of "));
  return { ...worded, options: arm.options, source: { ...source, notModelled } };
}
