/** `sim-stream`: a service that stores events in partitioned logs and serves them. */
import { type Story, words } from "../story.ts";
import { streamAreas } from "./stream-areas.ts";
import { streamOutput } from "./stream-output.ts";
import { streamChoices, streamTurns } from "./stream-turns.ts";

export const stream: Story = {
  project: "tideway",
  language: "rust",
  start: "2026-04-20T07:12:30Z",
  version: [0, 18, 0],
  firstPr: 1306,
  tests: 318,
  people: ["Lena Brandt", "Jonas Ekholm", "Priya Raman", "Marek Dvorak", "Sofia Alves"],
  tree: {
    ".": ["Cargo.toml", "deny.toml"],
    "storage/src": words("lib.rs log.rs segment.rs index.rs compact.rs snapshot.rs sync.rs reader.rs"),
    "broker/src": words("lib.rs lease.rs partition.rs replica.rs offsets.rs router.rs quota.rs"),
    "gateway/src": words("lib.rs http.rs auth.rs batch.rs codec.rs limits.rs drain.rs"),
    "client/src": words("lib.rs producer.rs consumer.rs retry.rs rebalance.rs cursor.rs"),
    "tools/src": words("main.rs inspect.rs load.rs replay.rs table.rs"),
    ops: words("staging.yaml tenants.yaml alerts.yaml node.toml"),
    docs: words("segments.md leases.md changes.md limits.md"),
  },
  claims: {
    what: words("keeps refuses renews returns drops orders survives splits acknowledges rewinds counts closes"),
    when: [
      "after a crash",
      "when the clock jumps",
      "at a segment border",
      "under a full queue",
      "during a rebalance",
      "for an empty batch",
      "with one replica",
      "before the lease ends",
      "on a cold start",
    ],
  },
  choices: streamChoices,
  areas: streamAreas,
  turns: streamTurns,
  ...streamOutput,
};
