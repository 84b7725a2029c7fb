/** Reads Codex's own texts out of its requests. */
import type { CodexPrompts } from "../../../arms/codex/prompts.ts";
import type { JsonObject } from "../../../harness/json.ts";
import type { Endpoint } from "../../../arms/native/endpoint.ts";
import { digestsOf, type ProductTexts } from "../prompts.ts";
import type { CodexProgram } from "../../../arms/native/codex/program.ts";
import { asksForSummary, inputItems } from "../../../arms/native/codex/wire.ts";
import { objectsAt, textAt } from "../../../arms/native/json-text.ts";

const summary = "probe-summary";

/** One compaction in a thread that has the program's own instructions. */
export async function probeCodex(
  program: CodexProgram,
  mock: Endpoint,
  version: string,
): Promise<ProductTexts<CodexPrompts>> {
  let [compaction, turn]: (JsonObject | undefined)[] = [];
  mock.answer = (body) => {
    if (!asksForSummary(body)) turn = body;
    else compaction = body;
    return { kind: "text", text: asksForSummary(body) ? summary : "noted" };
  };
  const thread = await program.startThread({ config: {} });
  await program.inject(thread, inputItems([{ id: "probe", role: "user", blocks: [{ kind: "text", text: "probe" }] }]));
  await program.compact(thread);
  await program.turn(thread, "next");
  await program.leave(thread);
  if (compaction === undefined || turn === undefined) throw new Error("Codex did not compact its probe");
  const userTexts = texts(turn);
  const summarised = userTexts.find((text) => text.endsWith(`\n${summary}`)) ?? "";
  const prompts: CodexPrompts = {
    compaction: texts(compaction).at(-1) ?? "",
    summaryPrefix: summarised.slice(0, -1 - summary.length),
  };
  const session = textAt(compaction, "instructions");
  return { version, prompts, session, digests: digestsOf({ ...prompts, session }) };
}

const texts = (body: JsonObject): string[] =>
  objectsAt(body, "input").map((item) =>
    objectsAt(item, "content")
      .map((part) => textAt(part, "text"))
      .join(""),
  );
