/**
 * The session-shaped chains: invented coding sessions with the record counts and sizes of the original's private ones
 * (fixtures/profiles.json). Equal seeds give equal chains; another seed gives another session of the same story.
 */
import profiles from "../../../fixtures/profiles.json" with { type: "json" };
import type { Chain } from "../record.ts";
import { sessionRecords } from "./session/session.ts";
import { stream } from "./session/stories/stream.ts";
import { visual } from "./session/stories/visual.ts";
import { yt } from "./session/stories/yt.ts";
import type { Story } from "./session/story.ts";

export const sessionChainNames = ["sim-yt", "sim-visual", "sim-stream"] as const;

export type SessionChainName = (typeof sessionChainNames)[number];

const stories: Record<SessionChainName, Story> = { "sim-yt": yt, "sim-visual": visual, "sim-stream": stream };

/** The chain of this name and seed, with its scored cuts at 40, 70 and 100 % of the records, to be moved to safe endpoints. */
export function sessionShaped(name: SessionChainName, seed: number): Chain {
  const records = sessionRecords(name, seed, stories[name], profiles[name]);
  const count = records.length;
  return {
    name,
    group: "session-shaped",
    records,
    cuts: { kind: "moved", ends: [Math.floor(count * 0.4), Math.floor(count * 0.7), count] },
  };
}
