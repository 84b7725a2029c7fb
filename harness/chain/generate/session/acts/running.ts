/** Acts that run the project: logs, JSON documents, builds. */
import { filler } from "../exact.ts";
import { restart } from "../makers.ts";
import { type Finding, fitting, type Stream } from "../story.ts";
import { make, render, renderTogether, writeLine, writer, writeTemplate, writtenText } from "../template.ts";
import type { World } from "../world.ts";
import { type Act, type FactKind, type Perform, shell, wait } from "./act.ts";

/** The last words of a log, of any length. */
const closing = filler([
  [" Closed", " Flushed", " Released", " Checked", " Kept", " Synced", " Drained", " Counted"],
  [" the", " all", " every", " each open", " the last of the"],
  [" handle", " buffer", " queue entry", " writer", " temporary file", " lock", " open connection", " timer"],
  [
    ".",
    " in order.",
    " on time.",
    " before exit.",
    " without a retry.",
    " and moved on.",
    " at the first try.",
    " again.",
  ],
]);

const closingPrefix = " INFO  shutdown:";

/** Room that an exact log keeps for a line that came out long, and for its last words. */
const closingRoomChars = 420;

export interface Shown {
  readonly line: string;
  readonly values: { readonly what: string; readonly whatZh: string };
}

/** One of the findings, as the output's line and as prose about it. */
export function showFinding(world: World, findings: readonly Finding[]): Shown {
  const { line, en, zh } = world.random.pick(findings);
  const [shown, what, whatZh] = renderTogether([line, en, zh], world.makers) as [string, string, string];
  return { line: shown, values: { what, whatZh } };
}

export const timeoutsMs = { short: 60_000, long: 300_000 } as const;

/** "run `command`", shortened to what a reader needs. */
export function commandAim(command: string): Act["aim"] {
  const first = command.split(" | ")[0]?.split(" && ")[0] ?? command;
  const bare = first.length > 56 ? `${first.split(" ").slice(0, 3).join(" ")} …` : first;
  return { en: `run \`${bare}\``, zh: `运行 \`${bare}\`` };
}

/** Head, lines and one finding among them; about `chars` characters, at most a line more. */
function streamAct(world: World, stream: Stream, chars: number, kind: FactKind): Act {
  const { random, makers, scope } = world;
  const command = render(random.pick(stream.commands), makers);
  restart(random, scope);
  const shown = showFinding(world, stream.findings);
  const out = writer();
  for (const line of stream.head) writeTemplate(out, line, makers);
  const at = out.chars + Math.max(0, chars - out.chars) * (0.2 + random.below(60) / 100);
  let found = false;
  while (!found || out.chars < chars)
    if (!found && (out.chars >= at || out.chars > chars - 150)) {
      writeLine(out, shown.line);
      found = true;
    } else writeTemplate(out, random.pick(stream.lines), makers);
  const rest = { facts: [{ kind, values: shown.values }], aim: commandAim(command), timeoutMs: timeoutsMs.long };
  return shell(command, writtenText(out), rest);
}

const logStream = (world: World): Stream => world.random.pick(fitting(world.story.logs, world.turn.area));

export const log: Perform = (world, chars) => {
  wait(world, 10, 90);
  return streamAct(world, logStream(world), Math.max(300, chars), "logged");
};

/** A log of exactly `chars` characters. Throws RangeError where they are too few for one. */
export const exactLog: Perform = (world, chars) => {
  wait(world, 10, 90);
  const act = streamAct(world, logStream(world), chars - closingRoomChars, "logged");
  const stamp = `\n${make(world.makers, "tick")}${closingPrefix}`;
  return { ...act, text: act.text + stamp + closing.fill(world.random, chars - act.text.length - stamp.length) };
};

export const build: Perform = (world, chars) => {
  wait(world, 30, 300);
  return streamAct(world, world.story.build, Math.min(9000, Math.max(400, chars)), "built");
};

export const json: Perform = (world, chars) => {
  const { random, makers, scope } = world;
  wait(world, 2, 20);
  const shape = random.pick(fitting(world.story.json, world.turn.area));
  restart(random, scope);
  const out = writer();
  writeTemplate(out, shape.open, makers);
  for (let before = random.range(1, 5); before > 0; before--) {
    writeTemplate(out, random.pick(shape.entries), makers);
    out.parts.push(",");
    out.chars++;
  }
  const shown = showFinding(world, shape.findings);
  writeLine(out, shown.line);
  while (out.chars < chars) {
    out.parts.push(",");
    out.chars++;
    writeTemplate(out, random.pick(shape.entries), makers);
  }
  writeTemplate(out, shape.close, makers);
  const command = render(random.pick(shape.commands), makers);
  const text = writtenText(out);
  return shell(command, text, { facts: [{ kind: "counted", values: shown.values }], aim: commandAim(command) });
};
