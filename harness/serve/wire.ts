/** What the wire forms have in common: a request read into neutral messages, a reply to be written, a refusal. */
import type { Block, Message, TextBlock } from "../chain/message.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { ModelReply, ModelRequest, ToolDefinition } from "../models/model.ts";
import type { Life } from "../shape/cache-rules.ts";

export type Route = "chat" | "responses" | "messages";

/** A request as it was read. */
export interface Decoded {
  readonly model: string;
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice: ModelRequest["toolChoice"];
  readonly system: readonly TextBlock[];
  readonly messages: readonly Message[];
  /** Cache breakpoints, by what they stand behind. */
  readonly breakpoints: ReadonlyMap<ToolDefinition | Block, Life>;
  /** The request wants no breakpoints but its own. */
  readonly explicitOnly: boolean;
  /** What else two requests need equal to share messages, as text; "" where nothing. */
  readonly messageSettings?: string;
  /** The routing key of the request's cache. */
  readonly cacheKey: string | undefined;
  /** Undefined where the request leaves it to the provider. */
  readonly maxOutputTokens: number | undefined;
  readonly stream: boolean;
  /** Whether a streamed reply is to carry its usage. */
  readonly streamsUsage: boolean;
}

/** A reply, as a model made it or a fault left it. */
export interface Reply {
  /** Null where the reply has no text at all, which is not the empty text. */
  readonly text: string | null;
  readonly reasoning: string;
  readonly refusal: string;
  readonly calls: readonly { readonly id: string; readonly tool: string; readonly args: string }[];
  readonly finish: ModelReply["finish"];
}

/** A usage object, and what of it the first and the last event of a stream carry where both do. */
export interface UsageForm {
  readonly whole: JsonObject;
  readonly first: JsonObject;
  readonly last: JsonObject;
}

export interface Envelope {
  /** Number of the call: ids are made of it. */
  readonly call: number;
  readonly model: string;
  /** Undefined where a fault keeps it back. */
  readonly usage: UsageForm | undefined;
  /** Whether a stream carries the usage with the reply's end, in whatever form, asked for or not. */
  readonly usageAtEnd: boolean;
  readonly streamsUsage: boolean;
}

/** One wire form. */
export interface Wire {
  readonly route: Route;
  /** Path without `/v1`. */
  readonly path: string;
  /** Reads a parsed body. Throws Refusal (400) where the provider would refuse it. */
  decode(body: unknown): Decoded;
  /** The reply as one body. */
  whole(reply: Reply, envelope: Envelope): JsonObject;
  /** The reply as frames of an event stream, in order, the last one ending it. */
  frames(reply: Reply, envelope: Envelope): string[];
  /** The body of an error reply. */
  problem(refusal: Refusal): JsonObject;
  /** An error within an event stream that has begun. */
  problemFrame(refusal: Refusal, call: number): string;
  /** Frames that carry an overflow inside a stream that begins as usual, where the form does that. */
  overflowFrames?(refusal: Refusal, envelope: Pick<Envelope, "call" | "model">): string[];
}

/** What the server answers instead of a reply. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string | null;
  readonly param: string | null;
  /** The error's type, where it is not the usual one of its status. */
  readonly type: string | undefined;
  readonly headers: { readonly [name: string]: string };

  constructor(
    status: number,
    message: string,
    detail: {
      readonly code?: string;
      readonly param?: string;
      readonly type?: string;
      readonly headers?: { readonly [name: string]: string };
    } = {},
  ) {
    super(message);
    this.status = status;
    this.code = detail.code ?? null;
    this.param = detail.param ?? null;
    this.type = detail.type;
    this.headers = detail.headers ?? {};
  }
}

/** One frame of an event stream without an event name. */
export const dataFrame = (data: JsonValue): string => `data: ${JSON.stringify(data)}\n\n`;

/** One frame whose event name is its `type`. */
export const eventFrame = (data: JsonObject & { readonly type: string }): string =>
  `event: ${data.type}\n${dataFrame(data)}`;

/** A text in the pieces that a stream sends it in, never through a code point; none for an empty text. */
export const piecesOf = (text: string): string[] => text.match(/[\s\S]{1,64}/gu) ?? [];
