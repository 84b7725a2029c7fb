/** The two artifacts that a step leaves, and how they become text and back. Messages that stand in the journal are stored by id. */
import { type Compaction, type ProjectedMessage, type Span, verbatim } from "../arm.ts";
import type { Message } from "../chain/message.ts";
import { ArtifactError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import type { ModelReply } from "../models/model.ts";

/** What came of asking a sheet. */
export type StoredAnswer =
  | { readonly kind: "asked"; readonly reply: ModelReply }
  /** The request does not fit, so the model was not asked. */
  | { readonly kind: "does-not-fit"; readonly neededTokens: number; readonly limitTokens: number };

type StoredMessage = { readonly id: string; readonly part: Span["part"] } | ProjectedMessage;

export interface StepName {
  readonly chain: string;
  readonly end: number;
  readonly arm: string;
}

export const projectionFile = ({ chain, end, arm }: StepName): string => `projections/${chain}-${end}-${arm}.json`;
export const answerFile = ({ chain, end, arm }: StepName): string => `answers/${chain}-${end}-${arm}.json`;
export const failureFile = ({ chain, arm }: Omit<StepName, "end">): string => `failures/${chain}-${arm}.json`;

/** Finds a journal message by id. */
export type Find = (id: string) => Message | undefined;

/** A compaction as text, one projected message a line; equal compactions give equal texts. */
export function compactionText(step: StepName, compaction: Compaction, find: Find): string {
  const { projection, ...rest } = compaction;
  const head = JSON.stringify({ ...step, ...rest }).slice(0, -1);
  const lines = projection.map((projected) => JSON.stringify(stored(projected, find)));
  return `${head},"projection":[\n${lines.join(",\n")}\n]}\n`;
}

/** Reads `compactionText` back. Throws ArtifactError for a text of another form or an id that the journal lacks. */
export function readCompaction(path: string, text: string, find: Find): Compaction {
  const { projection, ...rest } = parsed(path, text) as JsonObject & { readonly projection: readonly StoredMessage[] };
  const restored = projection.map((entry): ProjectedMessage => {
    if ("message" in entry) return entry;
    const message = find(entry.id);
    if (message === undefined)
      throw new ArtifactError(
        path,
        `names message "${entry.id}", which the chain does not have. The chain's file was changed; move the run folder away.`,
      );
    return verbatim(entry.part, message);
  });
  return { ...rest, projection: restored } as unknown as Compaction;
}

/** By id where the message is the journal's own and its one span says so. */
function stored(projected: ProjectedMessage, find: Find): StoredMessage {
  const { message, spans } = projected;
  const only = spans[0];
  if (find(message.id) !== message || only === undefined) return projected;
  const plain = verbatim(only.part, message).spans;
  return JSON.stringify(plain) === JSON.stringify(spans) ? { id: message.id, part: only.part } : projected;
}

export const answerText = (step: StepName, answer: StoredAnswer): string =>
  `${JSON.stringify({ ...step, ...answer }, null, 1)}\n`;

export const readAnswer = (path: string, text: string): StoredAnswer => parsed(path, text) as unknown as StoredAnswer;

export interface StoredFailure {
  readonly chain: string;
  readonly arm: string;
  readonly end: number;
  readonly reason: string;
}

export const readFailure = (path: string, text: string): StoredFailure =>
  parsed(path, text) as unknown as StoredFailure;

function parsed(path: string, text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ArtifactError(path, "is not JSON. Move it away and run again: what was paid for is in the ledger.", {
      cause,
    });
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new ArtifactError(
    path,
    "holds no JSON object. Move it away and run again: what was paid for is in the ledger.",
  );
}
