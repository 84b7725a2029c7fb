/** A run's arms and replies once more, so that what was sent can be rebuilt without asking anything. */
import { isDeepStrictEqual } from "node:util";
import { entries } from "../arms/index.ts";
import { sourceDigest } from "../arms/source-digest.ts";
import type { Arm } from "../harness/arm.ts";
import { ContextOverflowError, HarnessError } from "../harness/errors.ts";
import type { LedgerCell, LedgerRow, Reserve } from "../harness/models/ledger.ts";
import type { Meter } from "../harness/models/meter.ts";
import type { ModelReply, ModelRequest } from "../harness/models/model.ts";
import type { Manifest } from "../harness/run/manifest.ts";
import { readUpstreamPrompts } from "./conformance/prompts.ts";
import { inWords, upstreamDigests } from "./upstream-words.ts";

/** The arm as it was run, with the options and in the words it was run with, or why it cannot be had. */
export function armOfRun(manifest: Manifest, id: string): Arm | string {
  if (manifest.recorded.arms.some((arm) => arm.id === id && arm.source.kind === "native"))
    return "the arm is the real program, which is not started again for it";
  const entry = entries.find(({ arm }) => arm.id === id);
  if (entry === undefined) return "the arm came from a file";
  const ran = manifest.identity.arms.find((arm) => arm.id === id);
  if (ran === undefined || ran.source !== sourceDigest(entry.file)) return "the arm's source has changed since the run";
  const arm: Arm = { ...entry.arm, options: ran.options as unknown as Arm["options"] };
  return inWordsOfRun(manifest, arm);
}

/** A mirror in the product's words where the run had it so, and they are still the ones that the run had. */
function inWordsOfRun({ identity: { prompts } }: Manifest, arm: Arm): Arm | string {
  const used = prompts.kind === "upstream" ? prompts.products[arm.id] : undefined;
  if (used === undefined) return arm;
  try {
    const words = readUpstreamPrompts();
    return isDeepStrictEqual(upstreamDigests(words, arm.id), used)
      ? inWords(arm, words)
      : "the product's words are others now";
  } catch (error) {
    if (error instanceof HarnessError) return "the product's words are not there any more";
    throw error;
  }
}

type Recorded = ModelReply | { readonly overflow: string };
type Place = LedgerCell & { readonly purpose: ModelRequest["purpose"] };

const keyOf = ({ chain, end, arm, purpose }: Place): string => JSON.stringify([chain, end, arm, purpose]);

/**
 * A meter whose replies are a ledger's, step by step in the order in which they were asked; each call that did not fit is
 * refused again, and so is one that the ledger does not have.
 */
export function recordedReplies(rows: readonly LedgerRow[]): Meter {
  const reserves = new Map<string, Reserve>();
  /** By place, then by the key of the request: one that was settled again after a crash is one. */
  const places = new Map<string, Map<string, Recorded>>();
  const keep = ({ key, ...place }: Reserve, recorded: Recorded): void => {
    const name = keyOf(place);
    const known = places.get(name) ?? new Map<string, Recorded>();
    places.set(name, known.set(key, recorded));
  };
  for (const row of rows) {
    if (row.row === "reserve") {
      reserves.set(row.reservation, row);
      continue;
    }
    const reserve = reserves.get(row.reservation);
    if (reserve === undefined) continue;
    if (row.row === "settle" && "reply" in row) keep(reserve, row.reply);
    if (row.row === "release" && row.overflow) keep(reserve, { overflow: row.reason });
  }
  return {
    forStep: (cell) => {
      const left = new Map<ModelRequest["purpose"], Recorded[]>();
      return async ({ purpose }) => {
        const queue = left.get(purpose) ?? [...(places.get(keyOf({ ...cell, purpose }))?.values() ?? [])];
        left.set(purpose, queue);
        const next = queue.shift() ?? { overflow: "the ledger has no reply to this request" };
        if (!("overflow" in next)) return next;
        throw new ContextOverflowError(next.overflow, {
          provider: "recorded",
          status: 400,
          charge: "none",
          decision: "request",
        });
      };
    },
  };
}
