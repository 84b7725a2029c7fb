/** Reads OpenCode's own texts out of its requests. */
import type { OpenCodePrompts } from "../../../arms/opencode/prompts.ts";
import type { JsonObject } from "../../../harness/json.ts";
import type { Endpoint } from "../../../arms/native/endpoint.ts";
import { digestsOf, type ProductTexts } from "../prompts.ts";
import { author } from "../texts.ts";
import { asksForSummary } from "../../../arms/native/opencode/wire.ts";
import type { OpenCodeProgram } from "../../../arms/native/opencode/program.ts";
import type { OpenCodeSetup } from "../../../arms/native/opencode/setup.ts";
import { objectsAt, textAt } from "../../../arms/native/json-text.ts";

/** What the program is started with for the probe; its tail of one turn holds a call without a result. */
export const probeSetup: OpenCodeSetup = { limits: { context: 100_000, output: 8_192 }, compaction: {} };

/** Three compactions: a first summary, a merged one, and one that the program makes by itself. */
export async function probeOpenCode(
  program: OpenCodeProgram,
  mock: Endpoint,
  version: string,
): Promise<ProductTexts<OpenCodePrompts>> {
  const summaries: JsonObject[] = [];
  let turn: JsonObject = {};
  mock.answer = (body) => {
    if (asksForSummary(body)) summaries.push(body);
    else turn = body;
    return { kind: "text", text: asksForSummary(body) ? "probe-summary" : "noted" };
  };
  const write = author("probe");
  const filler = "word ".repeat(20_000);
  const session = await program.open(probeSetup);
  await program.store(session, [
    write.user(filler),
    write.assistant("ok"),
    write.user("call"),
    ...write.step("", [null]),
  ]);
  await program.summarize(session);
  await program.prompt(session, "first");
  const first = texts(turn);
  const note = toolText(turn);
  await program.store(session, [write.user(filler), write.assistant("ok"), write.user("x"), write.assistant("y")]);
  await program.summarize(session);
  await program.prompt(session, "second");
  await program.store(session, [write.user(filler), write.assistant("ok")], 99_000);
  await program.prompt(session, "third");
  const automatic = texts(turn);

  const [create, merge] = summaries.map((body) => texts(body)[1] ?? "");
  if (create === undefined || merge === undefined) throw new Error("OpenCode did not compact its probe");
  const opening = before(create, "\n\n<conversation>\n");
  const created = between(create, "\n</conversation>\n\n", "\n<template>\n");
  const merged = between(merge, "\n</prior-summary>\n\n", "\n<template>\n");
  const form = commonBlocks(created, merged);
  const prompts: OpenCodePrompts = {
    system: texts(summaries[0] ?? {})[0] ?? "",
    opening,
    create: before(created, `\n\n${form}`),
    prior: between(merge, "\n</conversation>\n\n", "\n\n<prior-summary>\n"),
    merge: before(merged, `\n\n${form}`),
    form,
    template: between(create, "\n<template>\n", "\n</template>\n\n"),
    rules: create.slice(create.lastIndexOf("\n</template>\n\n") + "\n</template>\n\n".length),
    question: first[1] ?? "",
    proceed: automatic.at(-1) ?? "",
    interrupted: note,
  };
  const sessionText = withoutEnvironment(first[0] ?? "");
  return { version, prompts, session: sessionText, digests: digestsOf({ ...prompts, session: sessionText }) };
}

const texts = (body: JsonObject): string[] => objectsAt(body, "messages").map((message) => textAt(message, "content"));

/** A session's system text up to the two lines that introduce the model and the machine. */
const withoutEnvironment = (text: string): string => before(text, "\n<env>\n").split("\n").slice(0, -2).join("\n");

const toolText = (body: JsonObject): string =>
  textAt(
    objectsAt(body, "messages").find(({ role }) => role === "tool"),
    "content",
  );

function before(text: string, mark: string): string {
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`OpenCode's request has no "${mark.trim()}" where the probe looks for it`);
  return text.slice(0, at);
}

function between(text: string, from: string, to: string): string {
  return before(text.slice(before(text, from).length + from.length), to);
}

/** The longest end, in blocks that an empty line separates, that two texts share. */
function commonBlocks(left: string, right: string): string {
  const [a, b] = [left.split("\n\n"), right.split("\n\n")];
  let same = 0;
  while (same < Math.min(a.length, b.length) && a.at(-1 - same) === b.at(-1 - same)) same++;
  return a.slice(a.length - same).join("\n\n");
}
