/** What a session is about, as data: the project, its words, and what its user asks for turn by turn. */
import { type Template, template } from "./template.ts";

/** How many records and characters (code points) a session-shaped chain has. */
export interface Profile {
  readonly toolPairs: number;
  readonly assistantTexts: number;
  readonly userTexts: number;
  readonly toolResultChars: number;
  readonly assistantChars: number;
  readonly userChars: number;
}

export interface Bilingual {
  readonly en: string;
  readonly zh: string;
}

/** What a turn is mostly about; decides which tools are used in which order. */
export type Phase = "build" | "change" | "bug" | "measure" | "review" | "release";

/** One request of the user and what it leads to. `{slot}`s are filled from the story's choices. */
export interface Turn {
  readonly phase: Phase;
  /** Directory that the work is about; one of the story's tree. */
  readonly area: string;
  /** Completes "this turn is about …". */
  readonly goal: Bilingual;
  /** Subject of its commits. */
  readonly subject: string;
  readonly user: Bilingual;
  /** A constraint from now on; a later one with the same key replaces it. */
  readonly rule?: Bilingual & { readonly key: string };
}

/** Directories that a thing belongs to; it is preferred while the work is there. Missing: anywhere. */
export interface About {
  readonly about?: readonly string[];
}

/** Something that a command's output shows, as a line of it and as prose; equal slots have equal values in all three. */
export interface Finding {
  readonly line: Template;
  readonly en: Template;
  readonly zh: Template;
}

/** Output of one kind of program run: lines, with one finding among them. */
export interface Stream extends About {
  readonly commands: readonly Template[];
  readonly head: readonly Template[];
  readonly lines: readonly Template[];
  readonly findings: readonly Finding[];
}

/** Why a test fails, with the two sides of its assertion. */
export interface Cause {
  readonly left: Template;
  readonly right: Template;
  readonly why: Bilingual;
}

/** A JSON document of many entries: opening text, entries joined by a comma and a newline, closing text. */
interface JsonShape extends About {
  readonly commands: readonly Template[];
  readonly open: Template;
  readonly entries: readonly Template[];
  readonly close: Template;
  readonly findings: readonly Finding[];
}

/** One row of a measurement: what is measured, and its usual milliseconds and MiB. */
interface BenchCase extends About, Bilingual {
  readonly ms: number;
  readonly mib: number;
}

/** The words of one directory of source code. */
export interface Area {
  readonly verbs: readonly string[];
  readonly nouns: readonly string[];
  /** What its tests are about. */
  readonly subjects: readonly string[];
  /** Truths about its code: comments say them, and so does the assistant. */
  readonly remarks: readonly string[];
  readonly causes: readonly Cause[];
}

export interface Story {
  readonly project: string;
  readonly language: "python" | "typescript" | "rust";
  readonly start: string;
  /** Major, minor, patch. */
  readonly version: readonly [number, number, number];
  readonly firstPr: number;
  /** Tests that exist before the session. */
  readonly tests: number;
  readonly people: readonly string[];
  /** Values that users' texts and rules refer to; one is drawn for each. */
  readonly choices: { readonly [slot: string]: readonly string[] };
  /** Directory to file names. */
  readonly tree: { readonly [directory: string]: readonly string[] };
  /** Directories of source code; the turns work in them. */
  readonly areas: { readonly [directory: string]: Area };
  /** Further word lists; each is a slot. */
  readonly words: { readonly [slot: string]: readonly string[] };
  /** Commits before the session. */
  readonly past: readonly string[];
  /** A test's name is one of these, a subject, and one of those. */
  readonly claims: { readonly what: readonly string[]; readonly when: readonly string[] };
  readonly logs: readonly Stream[];
  readonly json: readonly JsonShape[];
  readonly benchCommands: readonly Template[];
  readonly bench: readonly BenchCase[];
  /** By directory; one that is missing has those of all. */
  readonly crashes: { readonly [directory: string]: readonly Finding[] };
  readonly build: Stream;
  readonly turns: readonly Turn[];
}

/** The causes of one area from lines `left | right | why | 为什么`. */
export const causes = (text: string): Cause[] =>
  phrases(text).map((line) => {
    const [left, right, en, zh] = line.split(" | ") as [string, string, string, string];
    return { left: template(left), right: template(right), why: { en, zh } };
  });

/** Findings from pairs of lines: the output's own line, then ` -> prose -> 中文`. */
export const findings = (text: string): Finding[] => {
  const lines = text.replaceAll(/^\n+|\n+$/g, "").split("\n");
  return Array.from({ length: lines.length / 2 }, (_item, index) => {
    const [en, zh] = (lines[2 * index + 1] as string).trim().slice(3).split(" -> ") as [string, string];
    return { line: template(lines[2 * index] as string), en: template(en), zh: template(zh) };
  });
};

/** What is about a directory, else what is about none, else everything. */
export function fitting<Item extends About>(items: readonly Item[], directory: string): readonly Item[] {
  const own = items.filter(({ about }) => about?.includes(directory) === true);
  if (own.length > 0) return own;
  const general = items.filter(({ about }) => about === undefined);
  return general.length > 0 ? general : items;
}

/** A list of words out of one text. */
export const words = (text: string): string[] => text.trim().split(/\s+/);

/** A list of phrases, one a line. */
export const phrases = (text: string): string[] => text.trim().split(/\n\s*/);
