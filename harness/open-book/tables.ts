/** The open-book report as tables: for a terminal and in Markdown. */
import published from "../../fixtures/published.json" with { type: "json" };
import { decimalOf } from "../models/prices.ts";
import { markdownTable, type Table, terminalTable } from "../report/tables.ts";
import { roundTitle } from "./rounds.ts";
import type { OpenBookReport } from "./report.ts";
import type { RoundReport } from "./round-report.ts";

const whole = (count: number): string => count.toLocaleString("en-US");
const share = ({ hits, of }: RoundReport["recall"]): string =>
  of === 0 ? "none asked" : `${hits}/${of} ${((100 * hits) / of).toFixed(1)} %`;
const rate = (value: number | null): string => (value === null ? "no call" : value.toFixed(2));

/** What has to stand over every number. */
function openBookConditions(report: OpenBookReport): string[] {
  const { exam, limits, arm } = report;
  return [
    ...report.labels,
    `${arm.title}, sheets and projections of run ${report.closedRun}: exam ${exam.preset}, ${exam.targets} targets on ${exam.sheets} sheets, of which ${exam.kept} stand in the projections; ${exam.decoys} decoys with a denominator of their own`,
    `looking up with ${report.interface.title}, in the history up to each sheet's boundary: at most ${whole(limits.bytes)} bytes and ${limits.callRounds} rounds of calls a sheet`,
    ...(report.closedProbe === "flat"
      ? ["the closed run asked in the flattened form; these rounds ask the session's own next request"]
      : []),
    "round 5 is an upper bound: its sheet orders the model to look up what it does not see, and its first call is forced",
  ];
}

function openBookTables(report: OpenBookReport): Table[] {
  const { rounds, money } = report;
  const spent = (round: RoundReport): string =>
    round.money.spentNano === null ? "unknown" : decimalOf(BigInt(round.money.spentNano), 4);
  return [
    {
      title: "Recall by round, beside the published",
      head: [
        "round",
        "design",
        "recall",
        "published recall",
        "decoys confirmed",
        "tool calls",
        "published calls",
        "sheets without a call",
      ],
      rows: rounds.map((round) => [
        roundTitle(round),
        round.design,
        share(round.recall),
        `${round.published.hits}/${round.published.of}`,
        `${round.decoys.confirmed}/${round.decoys.of}`,
        whole(round.toolCalls),
        whole(round.published.toolCalls),
        `${round.sheets.withoutCall}/${round.sheets.asked}`,
      ]),
    },
    {
      title: "What became of every value",
      head: [
        "round",
        "kept, confirmed",
        "kept, missed",
        "lost, never searched",
        "lost, searched in vain",
        "recovered",
        "guessed",
      ],
      rows: rounds.map(({ values, ...round }) => [
        roundTitle(round),
        ...[
          values.keptAndConfirmed,
          values.keptAndMissed,
          values.lostAndNeverSearched,
          values.lostAndSearchedInVain,
          values.recovered,
          values.guessed,
        ].map(whole),
      ]),
    },
    {
      title: "What looking up gained",
      head: ["round", "hits over closed", "recovered", "per tool call", "per KB read", "bytes read", "refused calls"],
      rows: rounds.map((round) => [
        roundTitle(round),
        signed(round.gained.overClosed),
        whole(round.gained.values),
        rate(round.gained.perCall),
        rate(round.gained.perKilobyte),
        whole(round.bytesRead),
        whole(round.refusedCalls),
      ]),
    },
    {
      title: "What it cost, in billed tokens and money",
      head: [
        "round",
        "replies",
        "input",
        "of it from cache",
        "output",
        money.currency === null ? "spent" : `spent, ${money.currency}`,
        `at ${money.listPrice}, nothing cached, ${money.listCurrency}`,
      ],
      rows: rounds.map((round) => {
        const { calls, usage } = round.spending;
        const input = usage.freshInputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
        return [
          roundTitle(round),
          ...[calls, input, usage.cacheReadTokens, usage.outputTokens].map(whole),
          spent(round),
          decimalOf(BigInt(round.money.listNano), 4),
        ];
      }),
    },
  ];
}

const signed = (count: number | null): string =>
  count === null ? "not known" : count > 0 ? `+${count}` : String(count);

/** What the reader must know besides the numbers. */
function openBookNotes(report: OpenBookReport): string[] {
  const notes = report.rounds.flatMap((round) =>
    roundNotes(round).map((note) => `Round ${roundTitle(round)}: ${note}.`),
  );
  const lost = report.lost.map(
    ({ chain, end, targets, reason }) =>
      `${chain} at record ${end}: its ${targets} targets are in no denominator, because the closed run failed there: ${reason}.`,
  );
  const failed = report.failures.map(
    ({ round, chain, end, reason }) =>
      `Round ${round}, ${chain} at record ${end} failed and is in no denominator: ${reason}`,
  );
  const { openBook } = published;
  return [
    ...failed,
    ...lost,
    ...notes,
    `Published are the original experiment's figures, for its own arm, model and values; they are no result of this project. They do not add up: ${openBook.absentInRound5} values were absent in round 5 and ${openBook.recoveredInRound5} recovered, which gives ${openBook.values - openBook.absentInRound5 + openBook.recoveredInRound5} of ${openBook.values}, and ${openBook.rounds.at(-1)?.hits} is printed.`,
  ];
}

function roundNotes({ sheets, labels, oddities, decoys, values, spending }: RoundReport): string[] {
  const unusual = Object.entries(labels).filter(([label]) => label !== "clean");
  return [
    ...(sheets.pending > 0 ? [`${sheets.pending} sheets have not been asked yet`] : []),
    ...(sheets.doesNotFit > 0 ? [`${sheets.doesNotFit} sheets do not fit the window and were not asked`] : []),
    ...(unusual.length > 0
      ? [`answers that are not clean: ${unusual.map(([label, times]) => `${label} ${times}`).join(", ")}`]
      : []),
    ...Object.entries(oddities).map(
      ([oddity, times]) => `on ${times} ${times === 1 ? "sheet" : "sheets"} the model ${oddity}`,
    ),
    ...(values.guessed > 0
      ? [`${values.guessed} lost values were confirmed although no lookup had shown them: guesses, counted as hits`]
      : []),
    ...(decoys.confirmed > 0
      ? [
          `CAUGHT: confirmed ${decoys.confirmed} of ${decoys.of} decoys, which never occurred; its recall is not evidence of memory`,
        ]
      : []),
    ...(spending.unknownUsage > 0
      ? [`${spending.unknownUsage} replies reported no usage; their tokens are in no sum`]
      : []),
  ];
}

/** The whole report for a terminal. */
export const openBookTerminal = (report: OpenBookReport): string =>
  [
    openBookConditions(report).join("\n"),
    ...openBookTables(report).map(terminalTable),
    openBookNotes(report).join("\n"),
  ].join("\n\n");

/** The whole report as Markdown. */
export function openBookMarkdown(report: OpenBookReport): string {
  const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join("\n");
  const blocks = [
    `# ${report.openBookId}`,
    `Model ${report.model}.`,
    list(openBookConditions(report)),
    ...openBookTables(report).map(markdownTable),
    list(openBookNotes(report)),
  ];
  return `${blocks.join("\n\n")}\n`;
}
