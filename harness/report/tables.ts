/** The report as tables: aligned text for a terminal, Markdown, and CSV rows. */
import { stringify } from "csv-stringify/sync";
import { partNames } from "../arm.ts";
import type { Spending } from "../models/ledger.ts";
import { baselineLine, costTable } from "./cost-table.ts";
import { importedNotes, importedTable } from "./imported.ts";
import type { ArmReport, Count, KeptBy } from "./arm-report.ts";
import type { Report } from "./report.ts";
import type { Rows } from "./rows.ts";

/** A table of texts; the first column is left-aligned, the others right. */
export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const count = ({ hits, of }: Count): string => (of === 0 ? "none asked" : `${hits}/${of}`);
const countWithShare = (one: Count): string =>
  one.of === 0 ? "none asked" : `${one.hits}/${one.of} ${percent(one.hits / one.of)}`;
const whole = (value: number | null): string => (value === null ? "none" : Math.round(value).toLocaleString("en-US"));

/** What has to stand over every number: model labels, exam, conditions. */
export function conditionLines(report: Report): string[] {
  const { exam, conditions: c } = report;
  return [
    ...report.labels,
    `exam ${exam.preset}: ${exam.targets} targets on ${exam.sheets} sheets, and ${exam.decoys} decoys with a denominator of their own`,
    `${c.trigger} compaction at ${c.boundaries} boundaries of ${c.chains.length === 1 ? "one chain" : `${c.chains.length} chains`}, window ${whole(c.windowTokens)}, output reservation ${whole(c.outputReserveTokens)}, ${c.probe} probe, seed ${c.seed}`,
  ];
}

/** The comparison, as the article prints it: recall, decoys, size; then where the values stood. */
export function reportTables(report: Report): Table[] {
  const { arms } = report;
  return [
    {
      title: "What is still answered, and how large the history is",
      head: ["arm", "recall", "survival", "decoys confirmed", "median projection", "compression", "compacted"],
      rows: arms.map((arm) => [
        arm.title,
        countWithShare(arm.recall),
        count(arm.survival),
        `${arm.decoys.confirmed}/${arm.decoys.of}`,
        arm.medianProjectionTokens === null ? "none" : `${whole(arm.medianProjectionTokens)} tok`,
        arm.compression === null ? "none" : percent(arm.compression),
        `${arm.boundaries.compacted}/${arm.boundaries.total}`,
      ]),
    },
    keptTable("Recall by group and by source of the value", arms, [(arm) => arm.byGroup, (arm) => arm.bySource]),
    keptTable("Recall by age of the value", arms, [(arm) => arm.byAge]),
    keptTable("Recall by chain", arms, [(arm) => arm.byChain]),
    ...(report.imported === undefined ? [] : [importedTable(report.imported)]),
    {
      title: "What a projection is made of, in mean estimated tokens",
      head: ["arm", ...partNames],
      rows: arms.map((arm) => [arm.title, ...partNames.map((part) => whole(arm.parts[part]))]),
    },
    {
      title: "What was asked of the model: compactions and answers, in billed tokens",
      head: ["arm", "compactions", "input", "output", "answers", "input", "output"],
      rows: arms.map(({ title, byPurpose: { compact, answer } }) => [title, ...spent(compact), ...spent(answer)]),
    },
    costTable(report),
  ];
}

const spent = ({ calls, usage }: Spending): string[] =>
  [calls, usage.freshInputTokens + usage.cacheReadTokens + usage.cacheWriteTokens, usage.outputTokens].map(whole);

function keptTable(title: string, arms: readonly ArmReport[], views: readonly ((arm: ArmReport) => KeptBy)[]): Table {
  const columns = views.flatMap((view) =>
    [...new Set(arms.flatMap((arm) => Object.keys(view(arm))))].map((name) => ({ view, name })),
  );
  const cell = (arm: ArmReport, { view, name }: (typeof columns)[number]): string => {
    const kept = view(arm)[name];
    return kept === undefined ? "" : count(kept.recall);
  };
  return {
    title,
    head: ["arm", ...columns.map(({ name }) => name)],
    rows: arms.map((arm) => [arm.title, ...columns.map((column) => cell(arm, column))]),
  };
}

/** What the reader must know besides the numbers: failures, fallbacks, sheets that do not fit, unusable answers, caught arms. */
export function noteLines(report: Report): string[] {
  const notes = report.arms.flatMap((arm) => {
    const { notAsked, failures, fallbacks, answers, decoys } = arm;
    const notes: string[] = [];
    for (const failure of failures)
      notes.push(`failed on ${failure.chain} at record ${failure.end}: ${failure.reason.replace(/\.$/, "")}`);
    if (notAsked.failed > 0) notes.push(`${notAsked.failed} targets are in no denominator because their cell failed`);
    if (notAsked.pending > 0)
      notes.push(`${notAsked.pending} targets have not been asked yet: the run is not finished`);
    if (answers.doesNotFit > 0)
      notes.push(
        `${answers.doesNotFit} sheets with ${notAsked.doesNotFit} targets do not fit the window and were not asked; survival still counts them`,
      );
    if (fallbacks.count > 0)
      notes.push(`${fallbacks.count} compactions went without a summary (${listed(fallbacks.byReason)})`);
    if (answers.unusable > 0)
      notes.push(
        `${answers.unusable} of ${answers.usable + answers.unusable} answers were unusable and count as 0 hits (${listed(answers.byLabel)})`,
      );
    if ((answers.byLabel["cut-empty"] ?? 0) + (answers.byLabel["reasoning-only"] ?? 0) > 0)
      notes.push(
        `some answers ended before any text: for a reasoning model the output limit may be small; see --thinking`,
      );
    if (answers.wrapped > 0)
      notes.push(`${answers.wrapped} reported values had quotes or back-ticks around them and count as misses`);
    if (answers.invented > 0) notes.push(`${answers.invented} reported values were not on the sheet`);
    if (decoys.confirmed > 0)
      notes.push(
        `CAUGHT: confirmed ${decoys.confirmed} of ${decoys.of} decoys, which never occurred; its recall is not evidence of memory`,
      );
    if (arm.unknownUsage > 0) notes.push(`${arm.unknownUsage} calls reported no usage; their tokens are in no sum`);
    return notes.map((note) => `${arm.title}: ${note}.`);
  });
  return [baselineLine(report), ...importedNotes(report.imported ?? []), ...notes];
}

const listed = (counts: { readonly [name: string]: number }): string =>
  Object.entries(counts)
    .map(([name, times]) => `${name} ${times}`)
    .join(", ");

/** A table as aligned text. */
export function terminalTable({ title, head, rows }: Table): string {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => (row[column] ?? "").length)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ")
      .trimEnd();
  return [title, line(head), line(widths.map((width) => "─".repeat(width))), ...rows.map(line)].join("\n");
}

const escaped = (cell: string): string => cell.replaceAll("|", "\\|");

/** A table as Markdown. */
export function markdownTable({ title, head, rows }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escaped).join(" | ")} |`;
  return [
    ...(title === "" ? [] : [`**${title}**`, ""]),
    line(head),
    line(head.map((_, column) => (column === 0 ? "---" : "---:"))),
    ...rows.map(line),
  ].join("\n");
}

/** The whole report for a terminal. */
export function terminalReport(report: Report): string {
  const tables = reportTables(report).map(terminalTable);
  const notes = noteLines(report);
  return [conditionLines(report).join("\n"), ...tables, ...(notes.length > 0 ? [notes.join("\n")] : [])].join("\n\n");
}

/** The whole report as Markdown: report.md. */
export function markdownReport(report: Report): string {
  const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join("\n");
  const notes = noteLines(report);
  const blocks = [
    `# ${report.runId}`,
    `Model ${report.model}.`,
    list(conditionLines(report)),
    ...reportTables(report).map(markdownTable),
  ];
  return `${[...blocks, ...(notes.length > 0 ? [list(notes)] : [])].join("\n\n")}\n`;
}

/** questions.csv, boundaries.csv and arms.csv, by file name. */
export function csvFiles(report: Report, rows: Rows): ReadonlyMap<string, string> {
  const boundaries = rows.boundaries.map(({ parts, ...row }) => ({
    ...row,
    ...Object.fromEntries(partNames.map((part) => [`${part}Tokens`, parts?.[part] ?? null])),
  }));
  return new Map([
    ["questions.csv", csv(rows.questions)],
    ["boundaries.csv", csv(boundaries)],
    ["arms.csv", csv(report.arms.map(armRow))],
  ]);
}

/** An arm in one line: names of nested numbers are joined by a dot. */
function armRow(arm: ArmReport): { [column: string]: string | number | null } {
  const flat = (value: unknown, name: string): [string, string | number | null][] =>
    value !== null && typeof value === "object"
      ? Array.isArray(value)
        ? [[name, value.length]]
        : Object.entries(value).flatMap(([key, inner]) => flat(inner, name === "" ? key : `${name}.${key}`))
      : [[name, value as string | number | null]];
  const { byLabel: _labels, ...answers } = arm.answers;
  const { byReason: _reasons, ...fallbacks } = arm.fallbacks;
  return Object.fromEntries(flat({ ...arm, answers, fallbacks }, ""));
}

/** CSV with a header line of the first row's columns; empty for no rows. Booleans are true and false, null is empty. */
const csv = (rows: readonly object[]): string => stringify([...rows], { header: true, cast: { boolean: String } });
