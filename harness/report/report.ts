/** The report: everything a run says about its arms, as one JSON object without times or paths. */
import type { LedgerRow } from "../models/ledger.ts";
import type { Cell } from "../run/cell.ts";
import type { RunPlan } from "../run/plan.ts";
import { type ArmReport, armReport } from "./arm-report.ts";
import { articleCosting, type Costing } from "./costing.ts";
import { type ImportedReport, importedReports } from "./imported.ts";
import { type ArmMoney, type Money, moneyOf } from "./money.ts";
import { type Rows, rowsOf } from "./rows.ts";

export interface Report {
  readonly runId: string;
  readonly model: string;
  readonly labels: readonly string[];
  readonly exam: {
    readonly preset: string;
    readonly targets: number;
    readonly decoys: number;
    readonly sheets: number;
  };
  readonly conditions: {
    readonly seed: number;
    readonly trigger: string;
    readonly probe: string;
    readonly windowTokens: number;
    readonly outputReserveTokens: number;
    readonly chains: readonly string[];
    readonly boundaries: number;
  };
  /** Only of runs on imported sessions. */
  readonly imported?: readonly ImportedReport[];
  /** What the costs were reckoned with. */
  readonly money: Money;
  readonly arms: readonly ArmReport[];
}

/** The report of a run's cells, and the rows it was made of. */
export function reportOf(
  runId: string,
  plan: RunPlan,
  cells: readonly Cell[],
  ledger: readonly LedgerRow[],
  costing: Costing = articleCosting(),
): { report: Report; rows: Rows } {
  const rows = rowsOf(cells);
  const { money, arms: armMoney } = moneyOf(plan, rows, ledger, costing);
  const sheets = plan.chains.flatMap((chain) => chain.sheets);
  const asked = (kind: "target" | "decoy"): number =>
    sheets.reduce((sum, sheet) => sum + sheet.questions.filter((question) => question.kind === kind).length, 0);
  const { options, provider } = plan;
  const imported = importedReports(plan.chains);
  const report: Report = {
    runId,
    model: `${provider.id}:${provider.model}`,
    labels: [...(provider.label === undefined ? [] : [provider.label]), ...promptLabels(plan)],
    exam: { preset: options.exam, targets: asked("target"), decoys: asked("decoy"), sheets: sheets.length },
    conditions: {
      seed: options.seed,
      trigger: options.trigger,
      probe: options.probe,
      windowTokens: options.windowTokens,
      outputReserveTokens: options.outputReserveTokens,
      chains: plan.chains.map(({ chain }) => chain.name),
      boundaries: plan.chains.reduce((sum, chain) => sum + chain.boundaries.length, 0),
    },
    ...(imported.length > 0 && { imported }),
    money,
    arms: plan.arms.map(({ arm }, index) => ({
      ...armReport(arm.id, cells, rows, ledger),
      ...(armMoney[index] as ArmMoney),
    })),
  };
  return { report, rows };
}

/** A line about whose words were used, where they are not this project's. */
const promptLabels = ({ prompts }: RunPlan): string[] =>
  prompts?.kind === "upstream"
    ? [
        `prompts: the products' own, of ${Object.entries(prompts.products)
          .map(([product, { version }]) => `${product} ${version}`)
          .join(" and ")}`,
      ]
    : [];
