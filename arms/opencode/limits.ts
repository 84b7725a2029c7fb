/** What OpenCode computes from a model's limits before it compacts. */

/** Every knob of the compaction; `null` is the product's "not set". Source: anomalyco/opencode 1.18.31, config `compaction` and model `limit`. */
export type OpenCodeOptions = {
  /** `compaction.auto`: whether the product compacts by itself. */
  readonly auto: boolean;
  /** `compaction.tail_turns`: turns that may be kept; null keeps as many as fit, 0 none. */
  readonly tailTurns: number | null;
  /** `compaction.preserve_recent_tokens`: the tail's budget, taken as it is. */
  readonly preserveRecentTokens: number | null;
  /** `compaction.reserved`: read only where the model declares an input limit. */
  readonly reservedTokens: number | null;
  /** `limit.input` of the model. */
  readonly inputLimitTokens: number | null;
  /** Cap on the output limit, and on what a summary may cost. */
  readonly maxOutputTokens: number;
  /** What is held back of an input limit where `reservedTokens` is not set. */
  readonly inputBufferTokens: number;
  /** The tail's budget is usable / `tailDivisor`, within the next two. */
  readonly tailDivisor: number;
  readonly minTailTokens: number;
  readonly maxTailTokens: number;
  /** UTF-16 units of a completed result that the summariser is shown. */
  readonly resultChars: number;
};

export const openCodeDefaults: OpenCodeOptions = {
  auto: true,
  tailTurns: null,
  preserveRecentTokens: null,
  reservedTokens: null,
  inputLimitTokens: null,
  maxOutputTokens: 32_000,
  inputBufferTokens: 20_000,
  tailDivisor: 4,
  minTailTokens: 2_000,
  maxTailTokens: 15_000,
  resultChars: 2_000,
};

export interface Limits {
  /** Output limit of the compaction request. */
  readonly outputTokens: number;
  /** A step that used this many tokens or more triggers an automatic compaction. */
  readonly usableTokens: number;
  /** What the kept tail may cost. */
  readonly tailTokens: number;
}

/** The limits for a window (`limit.context`) and an output reservation (`limit.output`). Source: the same, as captured at ±1 for nine combinations. */
export function limitsOf(windowTokens: number, outputReserveTokens: number, options: OpenCodeOptions): Limits {
  const outputTokens = Math.min(outputReserveTokens, options.maxOutputTokens);
  const usableTokens = usable(windowTokens, outputTokens, options);
  const share = Math.floor(usableTokens / options.tailDivisor);
  const clamped = Math.min(options.maxTailTokens, Math.max(options.minTailTokens, share));
  return { outputTokens, usableTokens, tailTokens: options.preserveRecentTokens ?? clamped };
}

function usable(windowTokens: number, outputTokens: number, options: OpenCodeOptions): number {
  if (windowTokens === 0) return 0;
  if (options.inputLimitTokens === null) return Math.max(0, windowTokens - outputTokens);
  const held = options.reservedTokens ?? Math.min(options.inputBufferTokens, outputTokens);
  return Math.max(0, options.inputLimitTokens - held);
}
