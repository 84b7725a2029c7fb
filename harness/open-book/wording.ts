/** What the rounds say to the model, in this project's words. No value that a sheet may ask stands in it. */
import { openSheetOpening, sheetOpening, sheetText } from "../exam/prompt.ts";
import type { Sheet } from "../exam/question.ts";
import type { Round } from "./rounds.ts";

const historyCalled = {
  record: "Everything before this message is the record of an engineering session.",
  view: "What stands before this message is a condensed view of an engineering session. It leaves a large part of the session out, so a value may have occurred without standing in it.",
} as const;

const questions =
  "Each line of the list below is one value. Some of these values occurred in that session and the others never did.";

const closedRules = `Reply with one JSON object, {"appeared":[...]}. Put into it exactly the values that you can confirm from what is before you, as strings, copied character for character. Do not guess: a value that you cannot check stays out. Use no tools, and write nothing besides the object: no reasoning, no prose, no code fence.`;

const openRules = `Your last message has to be one JSON object, {"appeared":[...]}. Put into it exactly the values that you can confirm, from what is before you or from what the session's history shows you now, as strings, copied character for character. Do not guess: a value that you cannot check stays out. That last message holds nothing besides the object: no reasoning, no prose, no code fence.`;

const verifyFirst =
  "Verify before you answer. Go through the list: every value that you do not see word for word before this message has to be looked up in the session's history, each one by itself. Begin with such a lookup now, and answer when none is left.";

/** The user message of a sheet in a round. Round `closed` sends the closed book's own text. */
export function roundSheetText(round: Round, sheet: Pick<Sheet, "questions">): string {
  if (round.design === "no tools" && round.calls === "record") return sheetText(sheet);
  const open = round.design !== "no tools";
  return [
    open ? openSheetOpening : sheetOpening,
    "",
    `${historyCalled[round.calls]} ${questions}`,
    "",
    ...(round.verifies ? [verifyFirst, ""] : []),
    open ? openRules : closedRules,
    "",
    "Values:",
    ...sheet.questions.map(({ value }) => `- ${value}`),
  ].join("\n");
}

const earlier = `# Earlier parts of this session

This session is longer than what you are shown of it: its older parts were condensed so that it fits. Nothing was lost by that. Everything that was said, called and returned is kept, and tools of yours look into it.`;

const strongGuidance = `The condensed parts are incomplete on purpose. That something is missing from them says nothing about whether it happened. Before you say that something did not occur, or that you cannot confirm it, look it up. A lookup is cheap and takes a moment; an answer that denies what did happen misleads the person.`;

/** The session's system prompt with what a round says about the lookups; `guide` is the interface's own paragraph. */
export function roundSystem(system: string, { guidance }: Round, guide: string): string {
  if (guidance === "none") return system;
  return [system, earlier, guide, ...(guidance === "strong" ? [strongGuidance] : [])].join("\n\n");
}
