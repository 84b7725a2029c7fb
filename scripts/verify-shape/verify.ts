/** Runs all checks of a plan's requests and prints them. */
import { entries } from "../../arms/index.ts";
import claimsFile from "../../fixtures/requests/claims.json" with { type: "json" };
import { builtInPrice, filePrice } from "../../harness/models/price-sources.ts";
import type { Price } from "../../harness/models/prices.ts";
import { terminalTable } from "../../harness/report/tables.ts";
import type { RunPlan } from "../../harness/run/plan.ts";
import { defaultShapePath, readShape } from "../../harness/run/shape.ts";
import type { Check } from "../../harness/shape/checks.ts";
import { claimsSchema } from "../../harness/shape/claims.ts";
import { startRecorder } from "../../harness/shape/recorder.ts";
import { boundaryTable, summaries, summaryTable } from "../../harness/shape/share-tables.ts";
import { styles } from "../../harness/shape/styles.ts";
import { type Verification, verifyShape } from "../../harness/shape/verify.ts";
import { checkGoldens, goldensOf, updateGoldens } from "./goldens.ts";
import { awkwardPlan } from "./plans.ts";

export interface VerifyOptions {
  /** Also check the plan's arms on awkward chains. */
  readonly awkward: boolean;
  readonly shapeFile: string | undefined;
  readonly pricesFile: string | undefined;
  /** The plan has every listed arm. */
  readonly isAllArms: boolean;
  readonly goldensFolder: string;
  /** Rewrite the goldens. */
  readonly update: boolean;
  readonly json: boolean;
}

/** Whether every check has passed. Prints a line a check and the measured shares. */
export async function verify(plan: RunPlan, options: VerifyOptions): Promise<boolean> {
  const price = priceOf(options.pricesFile);
  const { system, tools } = readShape(options.shapeFile ?? defaultShapePath);
  const recorder = await startRecorder();
  let found: Verification;
  try {
    found = await verifyShape({
      plan,
      ...(options.awkward && { awkward: awkwardPlan(plan) }),
      captured: { system, tools },
      claims: claimsSchema.parse(claimsFile).arms,
      styles,
      recorder,
    });
  } finally {
    await recorder.close();
  }
  const { goldens, changed } = await goldenChecks(plan, options);
  const checks = [...found.checks, ...goldens];
  const failed = checks.filter(({ passed }) => !passed).length;
  process.stdout.write(
    options.json
      ? jsonText(found, checks, price)
      : [
          ...checks.map(checkLine(checks)),
          "",
          terminalTable(boundaryTable(found.shares)),
          "",
          terminalTable(summaryTable(summaries(found.shares, price), price)),
          "",
          ...found.stopped.map(({ arm, chain, end, reason }) => `${arm} stopped at ${chain} ${end}: ${reason}`),
          ...(changed.length === 0 ? [] : [`Rewritten: ${changed.join(", ")}. Review the difference.`]),
          `${found.requests} requests arrived over HTTP; replies are the offline model's, which is not an LLM.`,
          `${checks.length - failed} checks passed, ${failed} failed`,
          "",
        ].join("\n"),
  );
  return failed === 0;
}

function priceOf(file: string | undefined): Price {
  const { pricing } = file === undefined ? builtInPrice("article-flash") : filePrice(file, []);
  if (pricing.kind !== "priced") throw new TypeError("a price file gives no price");
  return pricing.price;
}

/** Goldens are of listed arms; an arm from a file has none. */
async function goldenChecks(plan: RunPlan, { isAllArms, goldensFolder, update }: VerifyOptions) {
  const listed = plan.arms.filter(({ arm }) => entries.some((entry) => entry.arm.id === arm.id));
  const goldens = await goldensOf({ ...plan, arms: listed }, styles);
  const changed = update ? updateGoldens(goldens, goldensFolder, isAllArms) : [];
  return { goldens: checkGoldens(goldens, goldensFolder, isAllArms), changed };
}

const checkLine = (all: readonly Check[]) => {
  const width = (of: (check: Check) => string): number => Math.max(0, ...all.map((check) => of(check).length));
  const widths = [width(({ name }) => name), width(({ subject }) => subject), width(({ style }) => style)] as const;
  return ({ passed, name, subject, style, detail }: Check): string =>
    `${passed ? "ok  " : "FAIL"}  ${name.padEnd(widths[0])}  ${subject.padEnd(widths[1])}  ${style.padEnd(widths[2])}  ${detail}`;
};

function jsonText({ shares, stopped, requests }: Verification, checks: readonly Check[], price: Price): string {
  const all = { requests, checks, stopped, price: price.id, summaries: summaries(shares, price), shares };
  return `${JSON.stringify(all, null, 2)}\n`;
}
