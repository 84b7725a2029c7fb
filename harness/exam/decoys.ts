/** Decoys: values of the shapes that sessions are full of, which this one never had. */
import type { Random } from "../random.ts";
import type { Decoy } from "./question.ts";

const digits = "0123456789".split("");

/** Six shapes, drawn with equal chances, fields in reading order. Source: futuregene/future-os, questionnaire of the probe harness. */
const shapes: readonly { readonly pattern: string; readonly draw: (random: Random) => string }[] = [
  { pattern: "hex", draw: (random) => random.range(0x10000000, 0xffffffff).toString(16) },
  { pattern: "pr", draw: (random) => `PR #${random.range(100, 999)}` },
  { pattern: "version", draw: (random) => `${random.range(10, 99)}.${random.pick(digits)}.${random.range(0, 9)}-diag` },
  {
    pattern: "path",
    draw: (random) =>
      `${random.pick(["src", "lib", "app", "packages"])}/${random.pick(["cache", "router", "adapter", "parser"])}.${random.pick(["rs", "ts", "py"])}`,
  },
  {
    pattern: "size",
    draw: (random) => `${random.range(11, 99)}.${random.range(0, 9)} ${random.pick(["MiB", "MB"])}`,
  },
  { pattern: "count", draw: (random) => `${random.range(100, 2000)} 项测试` },
];

/** One decoy, not yet checked against anything. */
export function drawDecoy(random: Random): Decoy {
  const shape = random.pick(shapes);
  return { kind: "decoy", pattern: shape.pattern, value: shape.draw(random) };
}

/** What a sheet's decoys are checked against. */
export interface DecoyRules {
  readonly count: number;
  /** Whether a value occurs anywhere in the chain. */
  readonly occurs: (value: string) => boolean;
  /** The sheet's targets: no decoy is part of one or contains one. */
  readonly targets: readonly string[];
  /** Texts that every request carries: no decoy is part of one. */
  readonly avoid: readonly string[];
}

/**
 * The first `count` draws that are fit to be decoys, and how many before them occurred in the chain. Fewer than `count`
 * where the draws do not suffice.
 */
export function fitDecoys(draws: readonly Decoy[], rules: DecoyRules): { decoys: Decoy[]; redrawn: number } {
  const decoys: Decoy[] = [];
  let redrawn = 0;
  for (const draw of draws) {
    if (decoys.length === rules.count) break;
    if (rules.occurs(draw.value)) redrawn++;
    else if (
      !rules.avoid.some((text) => text.includes(draw.value)) &&
      ![...rules.targets, ...decoys.map(({ value }) => value)].some((value) => overlaps(value, draw.value))
    )
      decoys.push(draw);
  }
  return { decoys, redrawn };
}

/** Whether one value is part of the other. */
export const overlaps = (one: string, other: string): boolean => one.includes(other) || other.includes(one);
