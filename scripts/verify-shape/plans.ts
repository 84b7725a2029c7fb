/** The plans that requests are checked on besides the user's: awkward chains for every arm, and the small one of the goldens. */
import { smallChains } from "../../arms/small-chains.ts";
import { safeAfter } from "../../harness/chain/boundaries.ts";
import { chainDigest } from "../../harness/chain/digest.ts";
import { toMessages } from "../../harness/chain/message.ts";
import type { Chain, ChainRecord } from "../../harness/chain/record.ts";
import type { Question, Sheet } from "../../harness/exam/question.ts";
import type { SessionShape } from "../../harness/models/model.ts";
import { defaultOptions, journalLengths, type PlannedChain, type RunPlan } from "../../harness/run/plan.ts";

/** What is asked where it does not matter. */
const questions: readonly Question[] = [
  { kind: "target", value: "PR #482", source: "given", pattern: "given" },
  { kind: "decoy", value: "PR #9731", pattern: "given" },
];

/** A chain of records with sheets at the given ends, safe or not. */
function planned(name: string, records: readonly ChainRecord[], ends: readonly number[]): PlannedChain {
  const chain: Chain = { name, group: "file", records, cuts: { kind: "exact", ends } };
  const journal = toMessages(records);
  const boundaries = journalLengths(
    chain,
    journal,
    ends.map((end, stage) => ({ end, stage })),
  );
  const sheets = ends.map((end, stage): Sheet => ({ chain: name, stage, end, questions, redrawn: 0 }));
  return { chain, sha256: chainDigest(chain), journal, boundaries, sheets };
}

/** Awkward chains that are compacted twice. */
const twice = 3;

/** The plan's arms on every awkward chain, at its end wherever that is; on the first of them also near its middle before. */
export function awkwardPlan(plan: RunPlan): RunPlan {
  const chains = smallChains.map(({ name, records }, index) => {
    const middle = safeAfter(records).findIndex((isSafe, at) => isSafe && at + 1 >= records.length / 2) + 1;
    const isTwice = index < twice && middle > 0 && middle < records.length;
    return planned(name, records, isTwice ? [middle, records.length] : [records.length]);
  });
  return { ...plan, chains };
}

/** The session shape of the goldens: short, so that they can be read. */
export const goldenShape: SessionShape = {
  system: "You are a coding agent in a small repository.\nAnswer in one sentence.",
  tools: [
    {
      name: "read",
      description: "Read a file.",
      parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    },
    {
      name: "shell",
      description: "Run a command.",
      parameters: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
    },
  ],
};

const said = (order: number, role: "user" | "assistant", text: string): ChainRecord => ({
  id: `golden-${order}`,
  order,
  kind: "text",
  role,
  text,
});
const called = (order: number, call: string, tool: string, args: Record<string, string>): ChainRecord => ({
  id: `golden-${order}-${call}`,
  order,
  kind: "tool_call",
  role: "assistant",
  call,
  tool,
  args,
});
const resulted = (order: number, call: string, text: string, error = false): ChainRecord => ({
  id: `golden-${order}`,
  order,
  kind: "tool_result",
  role: "tool",
  call,
  text,
  error,
});

/** Two turns before the first boundary and one between it and the second: parallel calls, an error, other scripts. */
const goldenRecords: readonly ChainRecord[] = [
  said(1, "user", "Lower the upload limit to 96 MiB and keep CSV. 请保持格式不变。"),
  said(2, "assistant", "Reading both places."),
  called(2, "c1", "read", { path: "src/limits.ts" }),
  called(2, "c2", "shell", { command: "npm test -- upload" }),
  resulted(3, "c1", "export const limitBytes = 134217728;"),
  resulted(4, "c2", '1 failed: "upload.test.ts:18"\n\texpected 100663296 👍🏽', true),
  said(5, "assistant", "The limit stands in `src/limits.ts`; commit 4be19d0 set it."),
  said(6, "user", "Change it, and name PR #482."),
  said(7, "assistant", "Done in one line."),
  called(8, "c3", "shell", { command: "git commit -am 'PR #482'" }),
  resulted(9, "c3", ""),
  said(10, "assistant", "Committed."),
];

/** The plan's arms on the golden chain, with its own shape and the default options. */
export const goldenPlan = (plan: RunPlan): RunPlan => ({
  ...plan,
  options: defaultOptions,
  shape: goldenShape,
  chains: [planned("golden", goldenRecords, [9, goldenRecords.length])],
});
