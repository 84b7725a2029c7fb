/** The chains of the exam, by name. */
import { unknownName } from "../../did-you-mean.ts";
import type { Chain } from "../record.ts";
import { sessionChainNames, sessionShaped } from "./session-shaped.ts";
import { structured, structuredChainNames } from "./structured.ts";

export { describeChain } from "../digest.ts";

/** Names of the generated chains, in the order of every report. */
export const chainNames = [...structuredChainNames, ...sessionChainNames] as const;

export const defaultSeed = 1;

const isOneOf = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  (names as readonly string[]).includes(name);

/**
 * A chain by its name. Equal names and seeds give equal chains on any machine, in new strings; another seed gives another
 * chain of the same shape. Throws UsageError for a name that is not in `chainNames`.
 */
export function generateChain(name: string, seed: number): Chain {
  if (isOneOf(structuredChainNames, name)) return structured(name, seed);
  if (isOneOf(sessionChainNames, name)) return sessionShaped(name, seed);
  throw unknownName("chain", name, chainNames);
}
