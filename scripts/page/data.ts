/** What the report page holds, as JSON inside the file: everything it shows is made of this. */
import type { Part } from "../../harness/arm.ts";
import type { Table } from "../../harness/report/tables.ts";

export interface PageArm {
  readonly id: string;
  readonly title: string;
  readonly colour: string;
}

/** A stretch of text around a value. */
export interface Excerpt {
  readonly before: string;
  readonly value: string;
  readonly after: string;
}

/** What became of a question in one arm. */
export interface PageOutcome {
  /** What the answer made of it, or why it was not asked. */
  readonly outcome: string;
  /** The part in which the value still stands; null where it does not, undefined where there is no projection. */
  readonly part?: Part | null;
  readonly excerpt?: Excerpt;
}

export interface PageQuestion {
  /** `<chain>-<stage>-<place on the sheet>` */
  readonly id: string;
  readonly chain: string;
  readonly stage: number;
  readonly end: number;
  readonly kind: "target" | "decoy";
  readonly value: string;
  /** Pool it was drawn from, `given`, or `decoy`. */
  readonly source: string;
  readonly pattern: string;
  /** Name of the quarter of the covered history in which it stands last. */
  readonly age: string | null;
  readonly place: {
    readonly record: string;
    readonly source: string;
    readonly alsoIn: readonly string[];
    readonly excerpt: Excerpt;
  } | null;
  /** One an arm, in the order of `arms`. */
  readonly arms: readonly PageOutcome[];
}

/** A stretch of a projected message. */
export interface PagePiece {
  readonly part: Part;
  /** What a model reads before it in a flat rendering: a tool and its arguments, or that it is a result. */
  readonly label: string;
  /** Index into `texts`. */
  readonly text: number;
  /** Characters of the whole stretch; more than the text has where it was clipped. */
  readonly chars: number;
}

export type PageMessage =
  | { readonly id: string; readonly role: string; readonly pieces: readonly PagePiece[] }
  /** Messages of the journal that stand here unchanged and are not repeated. */
  | { readonly leftOut: number; readonly first: string; readonly last: string };

/** A request without its text. */
export interface RequestOutline {
  readonly purpose: "compact" | "answer";
  readonly tokens: number;
  readonly systemTokens: number;
  readonly tools: { readonly count: number; readonly tokens: number };
  readonly toolChoice: string;
  readonly maxOutputTokens: number;
  readonly messages: readonly (
    | { readonly role: string; readonly id: string; readonly tokens: number }
    | { readonly leftOut: number; readonly tokens: number }
  )[];
}

export interface PageCell {
  readonly arm: string;
  readonly chain: string;
  readonly end: number;
  readonly stage: number | null;
  readonly status: string;
  readonly note: string;
  readonly rawTokens: number;
  readonly projectionTokens: number | null;
  readonly parts: Readonly<Record<Part, number>> | null;
  readonly messages: readonly PageMessage[];
  readonly requests: readonly RequestOutline[];
  /** Why the requests of the compaction cannot be shown; "" where they can. */
  readonly requestsMissing: string;
  /** The reply to the sheet, or what came instead; undefined where no sheet is asked. */
  readonly answer?: { readonly label: string; readonly text: string };
}

export interface PageFigure {
  readonly name: string;
  readonly title: string;
  /** A Vega-Lite specification. */
  readonly spec: unknown;
}

export interface PageData {
  readonly runId: string;
  readonly model: string;
  readonly conditions: readonly string[];
  readonly notes: readonly string[];
  readonly tables: readonly Table[];
  readonly arms: readonly PageArm[];
  readonly questions: readonly PageQuestion[];
  readonly cells: readonly PageCell[];
  readonly texts: readonly string[];
  readonly figures: readonly PageFigure[];
  /** Why a figure is not there, by name. */
  readonly missingFigures: readonly string[];
  /** Vega-Lite configurations for both themes. */
  readonly themes: { readonly light: unknown; readonly dark: unknown };
}
