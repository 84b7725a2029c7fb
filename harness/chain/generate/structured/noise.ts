/**
 * The bodies of large tool results: a header, 1,400 noise lines, lines that stand at a given depth, a closing line.
 * All bytes of a chain are written by hand into one buffer, because building strings line by line is what costs the time.
 */
import type { Random } from "../../../random.ts";

export const noiseLines = 1400;
const half = noiseLines / 2;

/** Line width (characters, line end included) of the first and of the second half. */
const noiseWidths = [65, 64] as const;
const halfChars = half * noiseWidths[0];
const noiseChars = halfChars + half * noiseWidths[1];

/** Dashes of a placed line, before and after what it says. */
const ruleChars = 66;

/** A line between noise lines. The centre of `value` stands at `percent` of the whole text, to the character. */
export interface PlacedLine {
  readonly percent: number;
  readonly before: string;
  readonly value: string;
  readonly after: string;
}

/**
 * What one result is made of. The texts are ASCII; header and closing end in a line break. The two noise patterns are
 * 64 and 63 characters long and hold `NNNN` (counter), `CC` (channel), `QQQQQ` (sequence) and `RRRRR` (random) once each.
 */
export interface ResultPlan {
  readonly header: string;
  readonly noise: readonly [string, string];
  readonly channel: number;
  /** Sequence number of the first noise line. */
  readonly sequence: number;
  /** In order of depth. */
  readonly placed: readonly PlacedLine[];
  readonly closing: string;
  readonly random: Random;
}

/** Characters of a placed line: dashes, two spaces and the line end besides its own text. */
const placedChars = ({ before, value, after }: PlacedLine): number =>
  before.length + value.length + after.length + ruleChars + 3;

const planChars = (plan: ResultPlan): number =>
  plan.placed.reduce((sum, line) => sum + placedChars(line), plan.header.length + noiseChars + plan.closing.length);

const lineStart = (line: number): number =>
  line <= half ? line * noiseWidths[0] : halfChars + (line - half) * noiseWidths[1];

const lineAt = (chars: number): number =>
  chars < halfChars ? Math.floor(chars / noiseWidths[0]) : half + Math.floor((chars - halfChars) / noiseWidths[1]);

/** The placed lines as texts, each with the number of noise lines before it. */
function arranged(plan: ResultPlan): { readonly line: number; readonly text: string }[] {
  const total = planChars(plan);
  let written = plan.header.length;
  return plan.placed.map((placed) => {
    const { before, value, after } = placed;
    const lead = (placed.percent * total) / 100 - written - (before.length + 1 + value.length / 2);
    written += placedChars(placed);
    const line = lineAt(lead);
    const dashes = Math.floor(lead) - lineStart(line);
    return { line, text: `${"-".repeat(dashes)} ${before}${value}${after} ${"-".repeat(ruleChars - dashes)}\n` };
  });
}

function writeDigits(bytes: Buffer, at: number, digits: number, value: number): void {
  let rest = value;
  for (let index = at + digits - 1; index >= at; index--) {
    const tens = (rest / 10) | 0;
    bytes[index] = 48 + rest - tens * 10;
    rest = tens;
  }
}

/** Writes the noise lines [from, to), which lie in one half, at `start`; returns the position after them. */
function writeNoise(bytes: Buffer, plan: ResultPlan, from: number, to: number, start: number): number {
  const second = from >= half ? 1 : 0;
  const pattern = plan.noise[second].replace("CC", String(plan.channel).padStart(2, "0"));
  const width = noiseWidths[second];
  const counter = pattern.indexOf("NNNN");
  const sequence = pattern.indexOf("QQQQQ");
  const reading = pattern.indexOf("RRRRR");
  const end = start + (to - from) * width;
  bytes.fill(`${pattern}\n`, start, end, "latin1");
  let line = from;
  for (let at = start; at < end; at += width, line++) {
    writeDigits(bytes, at + counter, 4, line + 1);
    writeDigits(bytes, at + sequence, 5, plan.sequence + line);
    writeDigits(bytes, at + reading, 5, 10_000 + ((plan.random.int32() >>> 0) % 90_000));
  }
  return end;
}

function writeResult(bytes: Buffer, plan: ResultPlan, start: number): number {
  let at = start + bytes.write(plan.header, start, "latin1");
  let from = 0;
  const stops = [...arranged(plan), { line: half, text: "" }, { line: noiseLines, text: plan.closing }];
  for (const { line, text } of stops.sort((a, b) => a.line - b.line)) {
    if (line > from) at = writeNoise(bytes, plan, from, line, at);
    at += bytes.write(text, at, "latin1");
    from = line;
  }
  return at;
}

/** Results that share a string. Twelve are more than the million characters from which a string lives outside of V8's heap. */
const batchSize = 22;

/**
 * The results of these plans, in order. Neighbours are slices of one large string outside of V8's heap: as strings of
 * their own the collector would copy each of them twice, and that took longer than writing them.
 */
export function writeResults(plans: readonly ResultPlan[]): string[] {
  const bytes = Buffer.allocUnsafe(batchSize * Math.max(0, ...plans.map(planChars)));
  const results: string[] = [];
  for (let first = 0; first < plans.length; first += batchSize) {
    const ends: number[] = [];
    for (const plan of plans.slice(first, first + batchSize)) ends.push(writeResult(bytes, plan, ends.at(-1) ?? 0));
    const shared = bytes.toString("latin1", 0, ends.at(-1) ?? 0);
    results.push(...ends.map((end, index) => shared.slice(ends[index - 1] ?? 0, end)));
  }
  return results;
}
