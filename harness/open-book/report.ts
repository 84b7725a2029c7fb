/** The report of an open-book run, as one JSON object without times or paths. */
import { targetsOf } from "../exam/question.ts";
import { type LedgerRow, type Reserve, type Spending, spending } from "../models/ledger.ts";
import { callNano, type Pricing } from "../models/prices.ts";
import { articleCosting } from "../report/costing.ts";
import { spentNano } from "./money.ts";
import { outcomeOf, type SheetOutcome } from "./outcomes.ts";
import type { OpenBookPlan } from "./plan.ts";
import { type Judged, roundReport, type RoundReport } from "./round-report.ts";
import { type ValueRow, valueRows } from "./rows.ts";
import type { Round, RoundName } from "./rounds.ts";
import type { RoundSheet } from "./run.ts";

export interface OpenBookReport {
  readonly openBookId: string;
  readonly closedRun: string;
  readonly arm: { readonly id: string; readonly title: string };
  readonly model: string;
  readonly labels: readonly string[];
  readonly interface: { readonly id: string; readonly title: string };
  /** How the closed run asked. The rounds here ask production's next request in any case. */
  readonly closedProbe: "production" | "flat";
  readonly exam: {
    readonly preset: string;
    readonly targets: number;
    readonly decoys: number;
    readonly sheets: number;
    readonly kept: number;
  };
  readonly limits: { readonly bytes: number; readonly callRounds: number; readonly limitTokens: number };
  /** Currency of the money spent, null where nothing is billed or the price is unknown; and the list price. */
  readonly money: { readonly currency: string | null; readonly listPrice: string; readonly listCurrency: string };
  /** Sheets that the closed run has no projection for, and their targets. */
  readonly lost: readonly {
    readonly chain: string;
    readonly end: number;
    readonly targets: number;
    readonly reason: string;
  }[];
  readonly failures: readonly {
    readonly round: RoundName;
    readonly chain: string;
    readonly end: number;
    readonly reason: string;
  }[];
  readonly rounds: readonly RoundReport[];
}

/** The report of what is there of these rounds, and its rows. */
export function openBookReport(
  id: string,
  plan: OpenBookPlan,
  rounds: readonly Round[],
  sheets: readonly RoundSheet[],
  ledger: readonly LedgerRow[],
  pricing: Pricing,
): { readonly report: OpenBookReport; readonly rows: readonly ValueRow[] } {
  const judged = sheets.map((sheet): Judged => ({ sheet, outcome: judge(plan, sheet) }));
  const inRound = (round: Round): Judged[] => judged.filter(({ sheet }) => sheet.round.round === round.round);
  const closed = judged.filter(({ sheet }) => sheet.round.round === "closed");
  const { closed: run, provider, offer, limits, limitTokens, arm } = plan;
  const { price: list } = articleCosting();
  const questions = plan.sheets.flatMap(({ sheet }) => sheet.questions);
  const report: OpenBookReport = {
    openBookId: id,
    closedRun: plan.closedRun,
    arm: { id: arm.id, title: arm.title },
    model: `${provider.id}:${provider.model}`,
    labels: provider.label === undefined ? [] : [provider.label],
    interface: { id: offer.id, title: offer.title },
    closedProbe: run.options.probe,
    exam: {
      preset: run.options.exam,
      targets: questions.filter(({ kind }) => kind === "target").length,
      decoys: questions.filter(({ kind }) => kind === "decoy").length,
      sheets: plan.sheets.length,
      kept: plan.sheets.reduce((sum, { sheet, kept }) => sum + countTargets(sheet.questions, kept), 0),
    },
    limits: { ...limits, limitTokens },
    money: {
      currency: pricing.kind === "priced" ? pricing.price.currency : null,
      listPrice: list.id,
      listCurrency: list.currency,
    },
    lost: plan.lost.map(({ sheet, reason }) => ({
      chain: sheet.chain,
      end: sheet.end,
      targets: targetsOf(sheet).length,
      reason,
    })),
    failures: sheets.flatMap(({ round, open, end }) =>
      end.kind === "failed"
        ? [{ round: round.round, chain: open.sheet.chain, end: open.sheet.end, reason: end.reason }]
        : [],
    ),
    rounds: rounds.map((round) => {
      const belongs = (row: Reserve): boolean => row.round === String(round.round);
      const spent = spending(ledger, belongs);
      return {
        ...roundReport(round, inRound(round), closed),
        spending: spent,
        money: {
          spentNano: pricing.kind === "unknown" ? null : String(spentNano(ledger, belongs)),
          listNano: String(callNano(asFresh(spent.usage), list)),
        },
      };
    }),
  };
  return { report, rows: judged.flatMap(valueRows) };
}

const asFresh = (usage: Spending["usage"]): Spending["usage"] => ({
  freshInputTokens: usage.freshInputTokens + usage.cacheReadTokens + usage.cacheWriteTokens,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: usage.outputTokens,
});

const countTargets = (questions: readonly { readonly kind: string }[], marked: readonly boolean[]): number =>
  questions.filter(({ kind }, index) => kind === "target" && marked[index]).length;

function judge({ offer, limits }: OpenBookPlan, { round, open, end }: RoundSheet): SheetOutcome | undefined {
  return end.kind === "held" ? outcomeOf(open.sheet, open.kept, end, { round, offer, limits }) : undefined;
}
