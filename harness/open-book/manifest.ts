/** An open-book run's manifest: everything that decides what is sent, so that one configuration always finds one folder. */
import { digest, type JsonObject, sha256 } from "../json.ts";
import { asJson } from "../run/manifest.ts";
import type { OpenBookPlan } from "./plan.ts";
import { type Design, type RoundName, rounds } from "./rounds.ts";
import type { ReadingLimits } from "./serving.ts";
import { roundSheetText, roundSystem } from "./wording.ts";

/** Raised whenever equal calls would be answered with other results than before. */
const servingVersion = 1;

export interface OpenBookIdentity {
  readonly kind: "open-book";
  /** Id of the closed run, which stands for its chains, sheets and session shape. */
  readonly closedRun: string;
  readonly arm: string;
  /** SHA-256 of the projections: a model's summaries may differ between two runs of one configuration. */
  readonly projections: string;
  /** Every round there is, also those that were not run. */
  readonly rounds: readonly { readonly round: RoundName; readonly design: Design; readonly wording: string }[];
  readonly interface: { readonly id: string; readonly tools: string; readonly servingVersion: number };
  readonly limits: ReadingLimits & { readonly limitTokens: number };
  readonly model: {
    readonly provider: string;
    readonly model: string;
    readonly windowTokens: number;
    readonly parameters: JsonObject;
  };
}

export interface OpenBookManifest {
  readonly runId: string;
  readonly identity: OpenBookIdentity;
  readonly recorded: {
    readonly harnessVersion: string;
    readonly label: string | null;
    readonly price: JsonObject;
    readonly armTitle: string;
  };
}

/** The manifest of a plan. Which of the rounds are run decides how much is sent, not what, so it is not in it. */
export function openBookManifest(plan: OpenBookPlan, harnessVersion: string, price: JsonObject): OpenBookManifest {
  const { provider, offer, limits, limitTokens } = plan;
  const identity: OpenBookIdentity = {
    kind: "open-book",
    closedRun: plan.closedRun,
    arm: plan.arm.id,
    projections: sha256(
      plan.sheets.map(({ projection }) => projection.map((message) => JSON.stringify(message)).join("\n")).join("\n\n"),
    ),
    rounds: rounds.map((round) => ({
      round: round.round,
      design: round.design,
      wording: sha256(`${roundSystem("", round, offer.guide)}\n${roundSheetText(round, { questions: [] })}`),
    })),
    interface: { id: offer.id, tools: digest(asJson(offer.tools)), servingVersion },
    limits: { ...limits, limitTokens },
    model: {
      provider: provider.id,
      model: provider.model,
      windowTokens: provider.windowTokens,
      parameters: provider.parameters,
    },
  };
  return {
    runId: `open-book-${digest(asJson(identity)).slice(0, 12)}`,
    identity,
    recorded: { harnessVersion, label: provider.label ?? null, price, armTitle: plan.arm.title },
  };
}
