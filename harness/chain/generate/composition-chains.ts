/**
 * The five session-shaped chains that show what fills a window: the exam's three, and two that are in no exam. Together they
 * have the records and characters of the original's five sessions (fixtures/profiles.json).
 */
import profiles from "../../../fixtures/profiles.json" with { type: "json" };
import type { Chain, ChainRecord } from "../record.ts";
import { rolloutPolls, withPolls } from "./polls.ts";
import { sessionChainNames, sessionShaped } from "./session-shaped.ts";
import { codePoints } from "./session/exact.ts";
import { sessionRecords } from "./session/session.ts";
import { docs } from "./session/stories/docs.ts";
import { infra } from "./session/stories/infra.ts";

export const compositionChainNames = [...sessionChainNames, "sim-infra", "sim-docs"] as const;
export type CompositionChainName = (typeof compositionChainNames)[number];

/** Of the calls of `sim-infra`, those that only ask how far a rollout is. */
const polls = 450;

/** A chain of this name and seed. The two that are in no exam have no scored cuts. */
export function compositionChain(name: CompositionChainName, seed: number): Chain {
  switch (name) {
    case "sim-infra":
      return unscored(name, infraRecords(seed));
    case "sim-docs":
      return unscored(name, sessionRecords(name, seed, docs, profiles[name]));
    case "sim-yt":
    case "sim-visual":
    case "sim-stream":
      return sessionShaped(name, seed);
  }
}

const unscored = (name: string, records: readonly ChainRecord[]): Chain => ({
  name,
  group: "session-shaped",
  records,
  cuts: { kind: "moved", ends: [] },
});

/** A session of long waits: its polls take their share of the profile's calls and characters. */
function infraRecords(seed: number): ChainRecord[] {
  const name = "sim-infra";
  const profile = profiles[name];
  const asked = rolloutPolls(name, seed, polls);
  const pollChars = asked.reduce((sum, { result }) => sum + codePoints(result.text), 0);
  const rest = {
    ...profile,
    toolPairs: profile.toolPairs - polls,
    toolResultChars: profile.toolResultChars - pollChars,
  };
  return withPolls(sessionRecords(name, seed, infra, rest), asked);
}
