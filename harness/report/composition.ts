/** What fills a window: records and characters of a chain by kind. Needs no model. */
import type { Chain, ChainRecord } from "../chain/record.ts";
import { type Sheet, type TargetSource, targetSources, targetsOf } from "../exam/question.ts";

export interface KindTally {
  readonly records: number;
  /** Code points. */
  readonly characters: number;
}

export interface Composition {
  readonly chain: string;
  readonly records: number;
  readonly characters: number;
  readonly toolResult: KindTally;
  readonly assistantText: KindTally;
  readonly userText: KindTally;
  /** Calls have no text of their own; their arguments are not counted. */
  readonly toolCall: { readonly records: number };
}

type Kind = "toolResult" | "assistantText" | "userText";

const kindOf = (record: ChainRecord): Kind | undefined => {
  if (record.kind === "tool_call") return undefined;
  if (record.kind === "tool_result") return "toolResult";
  return record.role === "user" ? "userText" : "assistantText";
};

/** Code points of a text. */
function characters(text: string): number {
  let count = text.length;
  if (Buffer.byteLength(text) === count) return count;
  for (let at = 1; at < text.length; at++) {
    const low = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
    if (low && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) count--;
  }
  return count;
}

/** The tally of one chain. */
export function compositionOf({ name, records }: Pick<Chain, "name" | "records">): Composition {
  const tally = { toolResult: [0, 0], assistantText: [0, 0], userText: [0, 0] } satisfies Record<
    Kind,
    [number, number]
  >;
  let calls = 0;
  for (const record of records) {
    const kind = kindOf(record);
    if (kind === undefined || record.kind === "tool_call") calls++;
    else {
      tally[kind][0] = (tally[kind][0] ?? 0) + 1;
      tally[kind][1] = (tally[kind][1] ?? 0) + characters(record.text);
    }
  }
  const of = (kind: Kind): KindTally => ({ records: tally[kind][0] ?? 0, characters: tally[kind][1] ?? 0 });
  return withSums(name, of("toolResult"), of("assistantText"), of("userText"), calls);
}

function withSums(
  chain: string,
  toolResult: KindTally,
  assistantText: KindTally,
  userText: KindTally,
  calls: number,
): Composition {
  const kinds = [toolResult, assistantText, userText];
  return {
    chain,
    records: kinds.reduce((sum, kind) => sum + kind.records, calls),
    characters: kinds.reduce((sum, kind) => sum + kind.characters, 0),
    toolResult,
    assistantText,
    userText,
    toolCall: { records: calls },
  };
}

/** Several tallies as one. */
export function compositionSum(chain: string, parts: readonly Composition[]): Composition {
  const sum = (kind: Kind): KindTally => ({
    records: parts.reduce((total, part) => total + part[kind].records, 0),
    characters: parts.reduce((total, part) => total + part[kind].characters, 0),
  });
  const calls = parts.reduce((total, part) => total + part.toolCall.records, 0);
  return withSums(chain, sum("toolResult"), sum("assistantText"), sum("userText"), calls);
}

/** Share of the characters that are tool results; 0 of none. */
export const toolShare = ({ toolResult, characters }: Composition): number =>
  characters === 0 ? 0 : toolResult.characters / characters;

/** Targets of some sheets by the pool they were drawn from, by the last place where they stand, and by every place. */
export interface TargetPlaces {
  readonly targets: number;
  readonly drawnFrom: Readonly<Record<TargetSource, number>>;
  readonly standLastIn: Readonly<Record<TargetSource, number>>;
  /** A target that stands in two of them counts in both. */
  readonly standIn: Readonly<Record<TargetSource, number>>;
}

/** Where the targets of these sheets stand. */
export function targetPlaces(sheets: readonly Sheet[]): TargetPlaces {
  const targets = sheets.flatMap(targetsOf);
  const count = (
    is: (target: (typeof targets)[number], source: TargetSource) => boolean,
  ): Record<TargetSource, number> =>
    Object.fromEntries(
      targetSources.map((source) => [source, targets.filter((target) => is(target, source)).length]),
    ) as Record<TargetSource, number>;
  return {
    targets: targets.length,
    drawnFrom: count((target, source) => target.source === source),
    standLastIn: count(({ place }, source) => place?.source === source),
    standIn: count(({ place }, source) => place?.source === source || place?.alsoIn.includes(source) === true),
  };
}
