/** Exam presets: how many targets and decoys every sheet asks. The table is fixtures/exams.json. */
import { readFileSync } from "node:fs";
import * as z from "zod";
import { unknownName } from "../did-you-mean.ts";
import type { TargetSource } from "./question.ts";

/** The seats of one sheet. */
export interface SheetQuota {
  readonly targets: Readonly<Record<TargetSource, number>>;
  readonly decoys: number;
}

/** The seats of one chain's sheets, in stage order. */
export interface ChainQuotas {
  readonly sheets: readonly SheetQuota[];
  readonly poolFactor: number;
}

export interface ExamPreset {
  readonly name: string;
  /** How many distinct values a pool must hold for each target drawn from it; at least 1. */
  readonly poolFactor: number;
  readonly chains: { readonly [chain: string]: readonly SheetQuota[] };
  /** The row of every sheet that `chains` has none for, so of chains from files. */
  readonly otherChains: SheetQuota;
}

const seats = z.int().min(0);
const rowSchema = z
  .tuple([seats, seats, seats, seats])
  .transform(([assistant, user, tool, decoys]): SheetQuota => ({ targets: { assistant, user, tool }, decoys }));
const tableSchema = z.object({
  presets: z.record(
    z.string(),
    z.object({
      poolFactor: z.int().min(1),
      chains: z.record(z.string(), z.array(rowSchema).min(1)),
      otherChains: rowSchema,
    }),
  ),
});

const readTable = () =>
  tableSchema.parse(JSON.parse(readFileSync(new URL("../../fixtures/exams.json", import.meta.url), "utf8"))).presets;

/** Names of the presets, the default first. */
export const examPresetNames = (): string[] => Object.keys(readTable());

/** The preset of this name. Throws UsageError for a name that is none. */
export function examPreset(name: string): ExamPreset {
  const table = readTable();
  const preset = Object.hasOwn(table, name) ? table[name] : undefined;
  if (preset === undefined) throw unknownName("exam", name, Object.keys(table));
  return { name, ...preset };
}

/** The quotas of a chain with so many sheets: its own rows where the preset has them, the row for other chains else. */
export function quotasOf(preset: ExamPreset, chain: string, sheetCount: number): ChainQuotas {
  return {
    sheets: Array.from({ length: sheetCount }, (_, stage) => preset.chains[chain]?.[stage] ?? preset.otherChains),
    poolFactor: preset.poolFactor,
  };
}
