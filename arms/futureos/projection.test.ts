import { describe, expect, it } from "vitest";
import type { Checkpoint } from "./checkpoint.ts";
import { checkpointMessage, entryIdOf, readCheckpoint } from "./checkpoint.ts";
import { internalSummary, isCompactable, protectedForm } from "./marked.ts";
import { project, withSpans } from "./projection.ts";
import { handoffHeading } from "./prompt.ts";
import { assistant, call, pair, result, user } from "./testing.ts";

const raw = [
  user("u1", "please"),
  assistant("a1", "looking", call("x")),
  result("r-x", "x", "body"),
  user("u2", "  \n"),
  user("u3", "thanks"),
  ...pair("y", "b.txt"),
];
const checkpoint: Checkpoint = {
  entry_id: "entry",
  checkpoint_id: "cp_entry",
  covered_from_entry_id: "u1",
  cutoff_entry_id: "u3",
  summary: 'Header\nCoverage cutoff: "u3"\n{"entryId":"r-x","head":"body"}',
  protected_entry_ids: ["u3", "u2", "a1", "r-x"],
  tokens_before: 100,
  tokens_after: 50,
  trigger: "manual",
  phase: "pre-turn",
  algorithm_version: "deterministic-evidence-v1",
  model: null,
  context_window: 1_000,
  summary_outcome: null,
};

const shape = (state: Checkpoint | undefined) => project(raw, state).map(({ mark, message }) => [mark, message.id]);

describe("the projection", () => {
  it("is the raw history, the very same messages, without a checkpoint", () => {
    expect(project(raw, undefined).every(({ message }, index) => message === raw[index])).toBe(true);
  });

  it("is the protected texts in journal order, the checkpoint, and what came after its cutoff", () => {
    expect(shape(checkpoint)).toEqual([
      ["anchor", "a1"],
      ["anchor", "u3"],
      ["checkpoint", "entry"],
      ["journal", "c-y"],
      ["journal", "r-y"],
    ]);
    expect(project(raw, checkpoint)[0]?.message.blocks).toEqual([{ kind: "text", text: "looking" }]);
  });

  it("sends the whole history after the checkpoint when the cutoff is not found", () => {
    expect(shape({ ...checkpoint, cutoff_entry_id: "gone" })).toEqual([
      ["checkpoint", "entry"],
      ...raw.map(({ id }) => ["journal", id]),
    ]);
  });

  it("has no checkpoint message when the checkpoint has no text", () => {
    expect(shape({ ...checkpoint, summary: " " }).map(([mark]) => mark)).not.toContain("checkpoint");
  });

  it("drops a result from its end whose call was removed", () => {
    const late = [...raw, result("r-late", "x", "again")];
    expect(project(late, checkpoint).map(({ message }) => message.id)).not.toContain("r-late");
  });

  it("labels anchors as original, the checkpoint as evidence of the entries in its rows, and the rest as tail", () => {
    const spans = withSpans(project(raw, checkpoint), checkpoint).map((projected) => projected.spans);
    expect(spans).toEqual([
      [{ part: "original", chars: 7, sources: ["a1"] }],
      [{ part: "original", chars: 6, sources: ["u3"] }],
      [{ part: "evidence", chars: checkpoint.summary.length + 22, sources: ["r-x"] }],
      [{ part: "tail", chars: 'read {"path":"b.txt"}'.length, sources: ["c-y"] }],
      [{ part: "tail", chars: "body of b.txt".length, sources: ["r-y"] }],
    ]);
  });
});

describe("the checkpoint message", () => {
  it("splits into the index and what a model wrote, rows of which are nobody's", () => {
    const summary = `${checkpoint.summary}\n\n${handoffHeading}\n\n{"entryId":"u1"}\n\n${handoffHeading}\n\nagain`;
    const { message, spans } = checkpointMessage("entry", summary);
    const evidenceChars = `[Context compaction: ${checkpoint.summary}`.length;
    expect(spans).toEqual([
      { part: "evidence", chars: evidenceChars, sources: ["r-x"] },
      { part: "summary", chars: summary.length + 22 - evidenceChars, sources: [] },
    ]);
    expect(internalSummary({ mark: "checkpoint", message })).toBe(summary);
  });

  it("is a checkpoint by its mark, never by its text alone", () => {
    const { message } = checkpointMessage("entry", "index");
    expect(internalSummary({ mark: "journal", message })).toBeUndefined();
    expect(internalSummary({ mark: "checkpoint", message: user("u", "plain") })).toBeUndefined();
    expect(internalSummary({ mark: "checkpoint", message: user("u", "[Context compaction: ]") })).toBeUndefined();
  });
});

describe("marks", () => {
  it("protect the texts of users and assistants, and no result, call or checkpoint", () => {
    expect(protectedForm({ mark: "journal", message: user("u", "text") })?.id).toBe("u");
    expect(protectedForm({ mark: "journal", message: user("u", " ") })).toBeUndefined();
    expect(protectedForm({ mark: "journal", message: assistant("a", "", call("x")) })).toBeUndefined();
    expect(protectedForm({ mark: "journal", message: result("r", "x", "body") })).toBeUndefined();
    expect(protectedForm({ mark: "checkpoint", message: user("u", "[Context compaction: x]") })).toBeUndefined();
  });

  it("find the same object again for the same message, so that its estimate is kept", () => {
    const message = assistant("a", "text", call("x"));
    const form = protectedForm({ mark: "journal", message });
    expect(form).not.toBe(message);
    expect(protectedForm({ mark: "journal", message })).toBe(form);
  });

  it("leave nothing to compact in anchors, checkpoints and blank texts", () => {
    expect(isCompactable({ mark: "anchor", message: user("u", "text") })).toBe(false);
    expect(isCompactable({ mark: "checkpoint", message: checkpointMessage("e", "index").message })).toBe(false);
    expect(isCompactable({ mark: "journal", message: user("u", "\n") })).toBe(false);
    expect(isCompactable({ mark: "journal", message: result("r", "x", "") })).toBe(true);
  });
});

describe("a stored state", () => {
  it("is a checkpoint of either current algorithm, read back as it was stored", () => {
    expect(readCheckpoint(checkpoint)).toEqual(checkpoint);
    expect(readCheckpoint({ ...checkpoint, algorithm_version: "summarized-evidence-v1" })).toBeDefined();
  });

  it("is none when another algorithm wrote it or when a field is missing", () => {
    expect(readCheckpoint({ ...checkpoint, algorithm_version: "recursive-summary-v3" })).toBeUndefined();
    expect(readCheckpoint({ ...checkpoint, protected_entry_ids: undefined })).toBeUndefined();
    expect(readCheckpoint(undefined)).toBeUndefined();
    expect(readCheckpoint(null)).toBeUndefined();
  });
});

it("derives entry ids from arm, chain and boundary, and from all three", () => {
  const ids = [
    entryIdOf("arm", { chain: "chain", end: 1 }),
    entryIdOf("arm", { chain: "chain", end: 2 }),
    entryIdOf("arm", { chain: "chain1", end: 2 }),
    entryIdOf("other", { chain: "chain", end: 1 }),
  ];
  expect(new Set(ids).size).toBe(4);
  expect(entryIdOf("arm", { chain: "chain", end: 1 })).toBe(ids[0]);
});
