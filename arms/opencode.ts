/**
 * OpenCode's compaction: the newest turns stay as they are within a small budget, everything before them becomes a summary
 * that a dedicated request asks for.
 *
 * Mirrors anomalyco/opencode at the commit below (release 1.18.31). The rules were observed in the requests of the running
 * release, its odd cases included; where nothing was observed, a comment says what was assumed.
 */
import { type Compaction, defineArm } from "../harness/arm.ts";
import { ContextOverflowError } from "../harness/errors.ts";
import type { ModelReply } from "../harness/models/model.ts";
import { limitsOf, openCodeDefaults, type OpenCodeOptions } from "./opencode/limits.ts";
import { project } from "./opencode/projection.ts";
import { type OpenCodePrompts, ownPrompts } from "./opencode/prompts.ts";
import { summaryRequest } from "./opencode/request.ts";
import { type Sized, tailStart } from "./opencode/selection.ts";
import { storedSize, userTextSize } from "./opencode/size.ts";
import {
  inContextOrder,
  type Item,
  type OpenCodeState,
  type Pair,
  priorSummary,
  stateOf,
  storedItems,
} from "./opencode/storage.ts";
import { spokenJournal } from "./opencode/stored.ts";

/** The arm with its texts in other words. Throws what `complete` throws, except that the summary request does not fit: that leaves the step unchanged. */
export const openCodeArm = (prompts: OpenCodePrompts) =>
  defineArm<OpenCodeState, OpenCodeOptions>({
    id: "opencode",
    title: "OpenCode",
    source: {
      kind: "mirror",
      product: "anomalyco/opencode",
      commit: "e03db9bc6908f75c9334d8aa997deeaac81c0298",
      path: "session compaction of release 1.18.31, as observed in its requests",
      notModelled: [
        "the wording of its prompts: same parts, order and headings, other words",
        "pruning of old tool outputs, which is off by default, and plugins",
        "compaction after a provider overflow of a turn, which repeats the last prompt",
        "the question that a failed compaction leaves in the session: it stands in that step's projection and not in later ones",
        "usage reported by a provider: the automatic trigger looks at the estimate of the next request",
        "one wire message a step: neighbouring assistant messages of the journal stay apart",
        "call ids used twice, which the product repeats and providers refuse: the later use is renamed",
      ],
    },
    options: openCodeDefaults,
    compact: async ({ journal, fresh, previous, trigger }, context) => {
      const { options, boundary } = context;
      const limits = limitsOf(context.windowTokens, context.outputReserveTokens, options);
      const prefix = `opencode/${boundary.chain}/${boundary.end}`;
      const spoken = spokenJournal(journal);
      const items = storedItems(previous?.state, spoken, fresh.length);
      const current = () => project(inContextOrder(items), prompts, prefix);

      if (trigger === "automatic") {
        const projection = current();
        if (!options.auto || context.windowTokens === 0)
          return { kind: "unchanged", projection, reason: "automatic compaction is off" };
        const usedTokens = projection.reduce(
          (sum, { message }) => sum + context.estimate.message(message),
          context.fixedTokens,
        );
        if (usedTokens < limits.usableTokens)
          return { kind: "unchanged", projection, reason: `${usedTokens} of ${limits.usableTokens} usable tokens` };
      }

      const history = items.filter((item) => item.kind !== "pair");
      const sized = history.map((item) => sizedItem(item, prompts));
      const start = tailStart(sized, limits.tailTokens, options.tailTurns);
      const head = start === undefined ? history : history.slice(0, start);
      const firstKept = start === undefined ? undefined : history[start];
      const request = summaryRequest(`${prefix}/request`, head, priorSummary(items), prompts, {
        resultChars: options.resultChars,
        maxOutputTokens: limits.outputTokens,
      });

      let reply: ModelReply;
      try {
        reply = await context.complete(request);
      } catch (error) {
        if (!(error instanceof ContextOverflowError)) throw error;
        return failed(current(), prefix, prompts);
      }

      const pair: Pair = { kind: "pair", id: prefix, summary: reply.text };
      const kept = firstKept === undefined ? [] : items.slice(items.indexOf(firstKept));
      const after: Item[] = [...kept, pair];
      if (trigger === "automatic") after.push({ kind: "continue", id: `${prefix}/continue` });
      return {
        kind: "compacted",
        projection: project(inContextOrder(after), prompts, prefix),
        state: stateOf(after),
        ...(reply.text === "" ? { fellBack: "empty summary" } : {}),
        counts: {
          headMessages: head.length,
          tailMessages: history.length - head.length,
          staleSummaries: kept.filter((item) => item.kind === "pair").length,
          openCalls: kept.reduce((sum, item) => sum + openCalls(item), 0),
          orphanResults: spoken.orphans,
        },
      };
    },
  });

/** OpenCode in this project's words. */
export const opencode = openCodeArm(ownPrompts);

const sizedItem = (item: Exclude<Item, Pair>, prompts: OpenCodePrompts): Sized => ({
  opensTurn: item.kind !== "step",
  size: () => (item.kind === "continue" ? userTextSize(prompts.proceed) : storedSize(item, prompts.interrupted)),
});

function openCalls(item: Item): number {
  if (item.kind !== "step") return 0;
  return item.spoken.flatMap(({ parts }) => parts).filter((part) => part.kind === "tool" && part.answer === undefined)
    .length;
}

/** The product drops nothing when the summary request does not fit, and its question stays in the session. */
function failed(
  context: ReturnType<typeof project>,
  prefix: string,
  prompts: OpenCodePrompts,
): Compaction<OpenCodeState> {
  const question = project([{ kind: "pair", id: prefix, summary: "" }], prompts, prefix);
  return { kind: "unchanged", projection: [...context, ...question], reason: "the summary request does not fit" };
}
