/** Before money is spent on an open book: its dialogues gone through with the searching offline model, priced, and agreed to. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ModelRequest } from "../harness/models/model.ts";
import { searcherProvider } from "../harness/models/offline/searchers.ts";
import { callNano, decimalOf, reservationNano } from "../harness/models/prices.ts";
import { dialogueFile } from "../harness/open-book/artifacts.ts";
import type { OpenBookPlan } from "../harness/open-book/plan.ts";
import { type Round, roundTitle } from "../harness/open-book/rounds.ts";
import { holdSheet } from "../harness/open-book/run.ts";
import { type Table, terminalTable } from "../harness/report/tables.ts";
import { assertAgreed, type Consent } from "./confirm.ts";
import type { ChosenModel } from "./model-choice.ts";

interface RoundEstimate {
  readonly round: Round;
  readonly sheets: number;
  readonly replies: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Undefined where the price is unknown. */
  readonly coldNano: bigint | undefined;
  /** Every byte a token and every output at its limit. */
  readonly mostNano: bigint | undefined;
}

/**
 * Prints on stderr what a remote run may still cost and, above the limit or at an unknown price, asks. Offline models bill
 * nothing and never ask. Throws UsageError where nobody is there to say yes, or the answer is no.
 */
export async function assertOpenBookAffordable(
  plan: OpenBookPlan,
  chosen: ChosenModel,
  execution: Consent & { readonly rounds: readonly Round[]; readonly folderPath: string },
): Promise<void> {
  if (chosen.kind === "offline") return;
  const estimates: RoundEstimate[] = [];
  for (const round of execution.rounds) estimates.push(await estimateRound(plan, chosen, round, execution.folderPath));
  if (estimates.every(({ sheets }) => sheets === 0)) return;
  const currency = chosen.pricing.kind === "priced" ? chosen.pricing.price.currency : undefined;
  process.stderr.write(`${terminalTable(estimateTable(estimates, currency))}\n`);
  process.stderr.write(
    "Reckoned with a model that looks up every value it does not see. Another one may look up less or more; --budget is never exceeded.\n",
  );
  const mostNano = estimates.reduce<bigint | undefined>(
    (sum, one) => (sum === undefined || one.mostNano === undefined ? undefined : sum + one.mostNano),
    0n,
  );
  await assertAgreed(mostNano, currency, execution);
}

/** The dialogues of a round that the folder lacks. Sends nothing; writes nothing. */
async function estimateRound(
  plan: OpenBookPlan,
  { pricing, provider }: ChosenModel,
  round: Round,
  folderPath: string,
): Promise<RoundEstimate> {
  const price = pricing.kind === "priced" ? pricing.price : undefined;
  const searcher = searcherProvider("offline-search", { windowTokens: plan.provider.windowTokens });
  const missing = plan.sheets.filter(({ sheet: { chain, end } }) => {
    const name = { chain, end, arm: plan.arm.id, round: round.round };
    return !existsSync(join(folderPath, dialogueFile(name)));
  });
  const sum = { replies: 0, inputTokens: 0, outputTokens: 0, coldNano: 0n, mostNano: 0n };
  const ask = async (request: ModelRequest) => {
    const reply = await searcher.send(searcher.encode(request));
    const usage = reply.usage ?? { freshInputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };
    sum.replies++;
    sum.inputTokens += usage.freshInputTokens;
    sum.outputTokens += usage.outputTokens;
    if (price !== undefined) {
      const bytes = Buffer.byteLength(JSON.stringify(provider.encode(request)));
      sum.coldNano += callNano(usage, price);
      sum.mostNano += reservationNano(bytes, request.maxOutputTokens, price);
    }
    return reply;
  };
  for (const open of missing) await holdSheet(plan, round, open, () => ask);
  const known = price === undefined ? { coldNano: undefined, mostNano: undefined } : {};
  return { round, sheets: missing.length, ...sum, ...known };
}

function estimateTable(estimates: readonly RoundEstimate[], currency: string | undefined): Table {
  const money = (nano: bigint | undefined): string => (nano === undefined ? "unknown" : decimalOf(nano, 4));
  const whole = (count: number): string => count.toLocaleString("en-US");
  return {
    title: `Expected replies, in estimated tokens${currency === undefined ? "; the price is unknown" : ` and ${currency}`}`,
    head: ["round", "sheets", "replies", "input", "output", "nothing cached", "at most"],
    rows: estimates.map((one) => [
      roundTitle(one.round),
      ...[one.sheets, one.replies, one.inputTokens, one.outputTokens].map(whole),
      ...[one.coldNano, one.mostNano].map(money),
    ]),
  };
}
