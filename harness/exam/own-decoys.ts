/**
 * Decoys shaped like a session's own values, so that they cannot be told apart by look: a value of the session keeps its
 * kind, its length and the class of each of its characters, while its words become other words of the session, and its
 * numbers and codes are drawn anew from the characters that the session's own have.
 */
import type { Random } from "../random.ts";
import { drawDecoy } from "./decoys.ts";
import { type Candidate, type Extraction, pool } from "./extract.ts";
import type { PatternName } from "./patterns.ts";
import { type Decoy, type TargetSource, targetSources } from "./question.ts";

export interface OwnDecoyRequest {
  /** Records covered by the sheet: its decoys look like values of those. */
  readonly end: number;
  /** How many targets each source has on the sheet: decoys look like values of the sources in the same shares. */
  readonly mix: Readonly<Record<TargetSource, number>>;
}

/** Draws a decoy that is not yet checked against anything, like `drawDecoy`. */
export type DecoyDrawer = (random: Random) => Decoy;

/** Values that are shorter leave too little room for one that occurs nowhere. */
const minChars = 5;
/**
 * Draws of a sheet after which every second decoy is one of the six general shapes: a session whose values fill their
 * shapes has no other, and each dozen of draws costs another reading of the chain.
 */
const patience = 60;

/**
 * A drawer of decoys for one sheet, or undefined for a session that has no value to learn from. Whether a decoy is absent
 * from the chain is for `fitDecoys` to check; no drawn decoy equals an extracted value unless the shape has no other.
 */
export function ownDecoyShapes(extraction: Extraction, { end, mix }: OwnDecoyRequest): DecoyDrawer | undefined {
  const sources = targetSources
    .map((source) => ({ weight: mix[source], values: withRoom(pool(extraction, source, end)) }))
    .filter(({ weight, values }) => weight > 0 && values.length > 0);
  if (sources.length === 0) return undefined;
  const values = sources.flatMap((source) => source.values);
  const known = new Set(values.map(({ value }) => value));
  const models = new Map<PatternName, Model>();
  for (const { pattern, value } of values) learn(models, pattern, value);
  const total = sources.reduce((sum, { weight }) => sum + weight, 0);
  let draws = 0;
  return (random) => {
    if (++draws > patience && draws % 2 === 0) return drawDecoy(random);
    const { pattern, value } = random.pick(sourceAt(sources, random.below(total)));
    const model = models.get(pattern) ?? emptyModel();
    let drawn = value;
    for (let attempt = 0; attempt < 20 && known.has(drawn); attempt++)
      drawn = redraw(pattern, value, model, random, attempt < 10);
    return { kind: "decoy", pattern, value: drawn };
  };
}

/** Those values of a pool that are long enough for another of the same look to be absent; all where none is. */
export function withRoom(values: readonly Candidate[]): readonly Candidate[] {
  const long = values.filter(({ value }) => value.length >= minChars);
  return long.length > 0 ? long : values;
}

interface Source {
  readonly weight: number;
  readonly values: readonly Candidate[];
}

function sourceAt(sources: readonly Source[], place: number): readonly Candidate[] {
  let left = place;
  for (const { weight, values } of sources) {
    if (left < weight) return values;
    left -= weight;
  }
  return sources[0]?.values ?? [];
}

/** What the values of one pattern are made of. */
interface Model {
  /** Distinct words by length and case. */
  readonly words: Map<string, string[]>;
  /** Characters of numbers, codes and words, by class. */
  readonly alphabet: Map<CharClass, string[]>;
}

const emptyModel = (): Model => ({ words: new Map(), alphabet: new Map() });

type CharClass = "digit" | "lower vowel" | "lower" | "upper vowel" | "upper" | "other";

function classOf(char: string): CharClass {
  if (/[0-9]/.test(char)) return "digit";
  if (/[a-z]/.test(char)) return /[aeiou]/.test(char) ? "lower vowel" : "lower";
  if (/[A-Z]/.test(char)) return /[AEIOU]/.test(char) ? "upper vowel" : "upper";
  return "other";
}

type Token = { readonly kind: "fixed" | "word" | "code"; readonly text: string };

/** A value in tokens: words, split where the case changes, codes and numbers, and what stays between them. */
function tokensOf(pattern: PatternName, value: string): Token[] {
  const fixedStart = /^(?:PR #|(?:ver|trace|ACK|DEC|RSN)_)/.exec(value)?.[0] ?? "";
  const isFixed = pattern === "pr" || pattern === "prefixed";
  const start = isFixed ? fixedStart : "";
  const tokens: Token[] = start === "" ? [] : [{ kind: "fixed", text: start }];
  for (const [run] of value.slice(start.length).matchAll(/[A-Za-z0-9]+|[^A-Za-z0-9]+/g))
    if (!/[A-Za-z0-9]/.test(run)) tokens.push({ kind: "fixed", text: run });
    else if (pattern === "hex" || isFixed || /[0-9]/.test(run)) tokens.push(...codeTokens(pattern, run));
    else for (const [text] of run.matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[A-Z]/g)) tokens.push({ kind: "word", text });
  return tokens;
}

/** A unit right after its number, as in `64MiB`, is a word; any other mix of letters and digits is a code. */
function codeTokens(pattern: PatternName, run: string): Token[] {
  const size = pattern === "size" || pattern === "cap" ? /^([0-9]+)([A-Za-z]+)$/.exec(run) : null;
  if (size === null) return [{ kind: "code", text: run }];
  return [
    { kind: "code", text: size[1] ?? "" },
    { kind: "word", text: size[2] ?? "" },
  ];
}

const shapeOf = (word: string): string => word.replaceAll(/[a-z]/g, "a").replaceAll(/[A-Z]/g, "A");

function learn(models: Map<PatternName, Model>, pattern: PatternName, value: string): void {
  const model = models.get(pattern) ?? emptyModel();
  models.set(pattern, model);
  for (const { kind, text } of tokensOf(pattern, value)) {
    if (kind === "fixed") continue;
    if (kind === "word") {
      const words = model.words.get(shapeOf(text)) ?? [];
      if (!words.includes(text)) words.push(text);
      model.words.set(shapeOf(text), words);
    }
    for (const char of new Set(text)) {
      const chars = model.alphabet.get(classOf(char)) ?? [];
      if (!chars.includes(char)) chars.push(char);
      model.alphabet.set(classOf(char), chars);
    }
  }
}

/**
 * Another value of the same shape. With `wholeWords`, words become words of the session; without, their letters are drawn
 * too. What a value begins with, like `src/` or `test_`, stays where there is more to change: the beginnings of a session's
 * values are few, and a new one would be seen at once.
 */
function redraw(pattern: PatternName, value: string, model: Model, random: Random, wholeWords: boolean): string {
  const tokens = tokensOf(pattern, value);
  const extension = pattern === "path" ? tokens.length - 1 : -1;
  const changing = tokens.flatMap(({ kind }, index) => (kind === "fixed" || index === extension ? [] : [index]));
  const beginning = wholeWords && changing.length > 1 ? changing[0] : -1;
  return tokens
    .map(({ kind, text }, index) => {
      if (kind === "fixed" || index === extension || (index === beginning && kind === "word")) return text;
      if (kind === "code") return newCode(text, model, random);
      const words = model.words.get(shapeOf(text)) ?? [text];
      if (wholeWords || pattern === "size" || pattern === "cap") return random.pick(words);
      return newCode(text, model, random);
    })
    .join("");
}

/** Each character another of its class; a number keeps a first digit that is not 0. */
function newCode(text: string, model: Model, random: Random): string {
  return text.replaceAll(/./g, (char, index: number) => {
    const alphabet = model.alphabet.get(classOf(char)) ?? [char];
    const chars = index === 0 && char !== "0" ? alphabet.filter((one) => one !== "0") : alphabet;
    return chars.length === 0 ? char : random.pick(chars);
  });
}
