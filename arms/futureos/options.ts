/** Every knob of the two FutureOS arms with its upstream value. Source: futuregene/future-os, the two current algorithms. */

/** How much of a tool result and of its metadata a row of the evidence index shows. */
export interface RowLimits {
  readonly headCodePoints: number;
  readonly tailCodePoints: number;
  /** Limit of each of: call id, tool, target. */
  readonly metadataCodePoints: number;
}

export interface FutureosOptions {
  /** Newest messages kept as they are, at most. */
  readonly recentTokens: number;
  /** The same for a compaction that was asked for; the smaller of the two holds. */
  readonly manualTailTokens: number;
  /** What the history after compaction may cost, unless what has to stay costs more. */
  readonly targetTokens: number;
  /** What it may cost at the very most. */
  readonly maxExpandedTokens: number;
  /** Kept free under the input limit, at most; a sixteenth of the window where that is less. */
  readonly marginTokens: number;
  /** Room for the index with its header, in windows of at least eight times as much. */
  readonly slotTokens: number;
  /** Added to the slot for the checkpoint message's frame and wrapper. */
  readonly slotMarginTokens: number;
  /** Taken off the slot for a header, whatever the header costs. */
  readonly headerReserveTokens: number;
  /** The index ends when less room than this is left. */
  readonly rowRoomTokens: number;
  readonly normalRow: RowLimits;
  /** Tried where a normal row does not fit. */
  readonly smallRow: RowLimits;
  /** A result under a longer entry id gets no row. */
  readonly entryIdCodePoints: number;
  /** What the user adds to a compaction; the harness has no user, so none. */
  readonly note: string | null;
}

export interface SummarizedOptions extends FutureosOptions {
  /** Length asked of the summary, in windows of at least sixteen times as much; its output limit is twice this. */
  readonly summaryTokens: number;
  /** Added to the slot besides the summary's length; what of it stays unused goes to the index. */
  readonly handoffTokens: number;
}

export const upstreamOptions: FutureosOptions = {
  recentTokens: 8_000,
  manualTailTokens: 15_000,
  targetTokens: 32_000,
  maxExpandedTokens: 128_000,
  marginTokens: 2_048,
  slotTokens: 2_048,
  slotMarginTokens: 64,
  headerReserveTokens: 112,
  rowRoomTokens: 64,
  normalRow: { headCodePoints: 380, tailCodePoints: 100, metadataCodePoints: 160 },
  smallRow: { headCodePoints: 64, tailCodePoints: 32, metadataCodePoints: 64 },
  entryIdCodePoints: 256,
  note: null,
};

export const upstreamSummarizedOptions: SummarizedOptions = {
  ...upstreamOptions,
  summaryTokens: 4_096,
  handoffTokens: 512,
};
