/**
 * Codex's local compaction: the model writes a hand-over at the end of the whole session, and what remains is the newest
 * user texts within a budget and that hand-over. No assistant text, call or output survives.
 *
 * Mirrors openai/codex at the commit below (release 0.155.0). The rules were observed in the requests of the running
 * release and no upstream source was read; where nothing was observed, a comment says what was assumed.
 */
import { type ArmContext, defineArm, generated } from "../harness/arm.ts";
import type { Message } from "../harness/chain/message.ts";
import { CompactionRefusedError, ContextOverflowError } from "../harness/errors.ts";
import type { ModelReply } from "../harness/models/model.ts";
import { type Item, newestAssistantText, normalise, withoutOldest } from "./codex/items.ts";
import { isBlank } from "./codex/markers.ts";
import { asTail, fold } from "./codex/messages.ts";
import { type CodexPrompts, ownPrompts } from "./codex/prompts.ts";
import { type Live, survivors } from "./codex/survivors.ts";

/** Every knob of the compaction. */
export type CodexOptions = {
  /** What the kept user texts may cost, in tokens of 4 UTF-8 bytes. */
  readonly keepUserTokens: number;
  /**
   * `model_auto_compact_token_limit`: usage that triggers an automatic compaction. Null means `autoLimitPercent` of window
   * less output reservation: the program takes that share of its whole window, but knows no output reservation.
   */
  readonly autoLimitTokens: number | null;
  /** The program's default, and what a limit of one's own cannot exceed, as a share of the window. */
  readonly autoLimitPercent: number;
  /** Codex sends no output limit. This one is the original experiment's. */
  readonly maxOutputTokens: number;
};

export const codexDefaults: CodexOptions = {
  keepUserTokens: 20_000,
  autoLimitTokens: null,
  autoLimitPercent: 90,
  maxOutputTokens: 8_192,
};

/**
 * The last projection is the live history that the next compaction starts from, as in the product, which stores it whole:
 * a cut text is gone for good and is cut again. There is nothing else to remember.
 */
export type CodexState = null;

/** The arm with its texts in other words. Throws CompactionRefusedError where even the prompt alone does not fit, and what `complete` throws otherwise. */
export const codexArm = (prompts: CodexPrompts) =>
  defineArm<CodexState, CodexOptions>({
    id: "codex",
    title: "Codex",
    source: {
      kind: "mirror",
      product: "openai/codex",
      commit: "b13164d86f9a70adc48d22f4a5a07ed0c001a1d0",
      path: "local compaction of release 0.155.0, as observed in its requests",
      notModelled: [
        "the wording of its prompt and of the summary's prefix: same parts and length, other words",
        "initial context (developer message, AGENTS.md and environment): the manual form leaves it out and the next turn sends it anew",
        "remote compaction, whose summary is encrypted",
        "cutting of tool outputs on their way into the history, and an output's missing error flag",
        "an assistant text that was streamed before a failed attempt",
        "usage reported by a provider: the automatic trigger looks at the estimate of the next request",
        "outputs apart from their calls, several outputs of one call and call ids used twice: providers refuse them",
      ],
    },
    options: codexDefaults,
    compact: async ({ fresh, previous, trigger }, context) => {
      const { options, boundary } = context;
      const prefix = `codex/${boundary.chain}/${boundary.end}`;
      const live: Live[] = [
        ...(previous?.projection ?? []).map(({ message, spans }) => ({
          message,
          sources: spans.flatMap((span) => span.sources),
        })),
        ...fresh.map((message) => ({ message, sources: [message.id] })),
      ];
      const history = live.map(({ message }) => message);
      const { items, abortedCalls, orphanOutputs } = normalise(history);

      if (trigger === "automatic") {
        const folded = fold(items, prefix);
        const limitTokens = autoLimit(context);
        const usedTokens = folded.reduce(
          (sum, { message }) => sum + context.estimate.message(message),
          context.fixedTokens,
        );
        if (usedTokens < limitTokens) {
          const known = new Map((previous?.projection ?? []).map((projected) => [projected.message, projected]));
          return {
            kind: "unchanged",
            projection: asTail(folded, known),
            reason: `${usedTokens} of ${limitTokens} tokens`,
          };
        }
      }

      const { reply, droppedItems } = await handOver(items, prompts, prefix, context);
      const blank = isBlank(reply.text);
      const summary = blank ? newestAssistantText(history, isBlank) : reply.text;
      const { kept, cutTexts } = survivors(live, options.keepUserTokens, prompts.summaryPrefix);
      const last = generated("summary", `${prefix}/summary`, "user", `${prompts.summaryPrefix}\n${summary}`);
      return {
        kind: "compacted",
        projection: [...kept, last],
        state: null,
        ...(blank ? { fellBack: "blank summary" } : {}),
        counts: { keptTexts: kept.length, cutTexts, droppedItems, abortedCalls, orphanOutputs },
      };
    },
  });

/** Codex in this project's words. */
export const codex = codexArm(ownPrompts);

/** Usage at and above which the program compacts by itself. */
function autoLimit({ options, windowTokens, outputReserveTokens }: ArmContext<CodexOptions>): number {
  const share = (tokens: number): number => Math.floor((tokens * options.autoLimitPercent) / 100);
  if (options.autoLimitTokens === null) return share(windowTokens - outputReserveTokens);
  return Math.min(options.autoLimitTokens, share(windowTokens));
}

/** Asks for the hand-over: the session's own request with an empty tool list and the prompt last. While it does not fit, the oldest item goes. */
async function handOver(
  items: readonly Item[],
  prompts: CodexPrompts,
  prefix: string,
  context: ArmContext<CodexOptions>,
): Promise<{ readonly reply: ModelReply; readonly droppedItems: number }> {
  const prompt: Message = {
    id: `${prefix}/prompt`,
    role: "user",
    blocks: [{ kind: "text", text: prompts.compaction }],
  };
  for (let sent = items; ; sent = withoutOldest(sent)) {
    try {
      const reply = await context.complete({
        system: context.shape.system,
        tools: [],
        toolChoice: "auto",
        messages: [...fold(sent, prefix).map(({ message }) => message), prompt],
        maxOutputTokens: context.options.maxOutputTokens,
      });
      return { reply, droppedItems: items.length - sent.length };
    } catch (error) {
      if (!(error instanceof ContextOverflowError)) throw error;
      if (sent.length > 0) continue;
      throw new CompactionRefusedError(
        "Codex: the request for a summary does not fit, not even with the prompt alone.",
        {
          cause: error,
        },
      );
    }
  }
}
