/** Watches system prompts and tool definitions of what arrives: the captured ones, byte for byte, before and after every commit. */
import type { JsonObject } from "../json.ts";
import type { SessionShape } from "../models/model.ts";
import { type Arrival, placeOf, type Watcher } from "./arrival.ts";
import { type Check, createTally } from "./checks.ts";
import type { Claims } from "./claims.ts";
import { systemTextsIn, toolsIn } from "./session-shape.ts";

/** Checks `answer shape`, `compaction shape` (of arms that claim something) and `commit`. */
export function watchShape(captured: SessionShape, claims: Claims): Watcher & { checks(): Check[] } {
  const answers = createTally("answer shape", "answer requests carry the captured system prompt and tools");
  const compactions = createTally("compaction shape", "compaction requests carry what the arm claims");
  const commits = createTally(
    "commit",
    "times system prompt and tools are after a compaction what they were before it",
  );
  const before = new Map<string, string>();
  const tools = captured.tools.map((tool) => JSON.stringify(tool));
  return {
    see: (arrival) => {
      const { arm, style, request, chain } = arrival;
      const read = readShapeOf(arrival);
      const where = placeOf(arrival);
      if (request.purpose === "compact") {
        const claim = claims[arm];
        if (claim === undefined) return;
        const faults = [
          ...(claim.system === "session" ? systemFaults(read, captured) : ownSystemFaults(read, captured)),
          ...(claim.tools === "session" ? toolFaults(read, tools) : noToolFaults(read)),
        ];
        return compactions.saw(arm, style.id, prefixed(where, faults));
      }
      answers.saw(arm, style.id, prefixed(where, [...systemFaults(read, captured), ...toolFaults(read, tools)]));
      const key = JSON.stringify([style.id, chain, arm]);
      const now = JSON.stringify(read);
      const then = before.get(key);
      before.set(key, now);
      if (then === undefined) return;
      commits.saw(arm, style.id, then === now ? [] : [`${where}: system prompt or tools changed with the compaction`]);
    },
    checks: () => [...answers.checks(), ...compactions.checks(), ...commits.checks()],
  };
}

interface ShapeRead {
  readonly systems: readonly string[];
  readonly tools: readonly string[];
}

const readShapeOf = ({ style: { form }, body }: Arrival): ShapeRead => ({
  systems: systemTextsIn(form, body),
  tools: toolsIn(form, body).map((tool) => JSON.stringify(tool)),
});

const prefixed = (where: string, faults: readonly string[]): string[] => faults.map((fault) => `${where}: ${fault}`);

function systemFaults({ systems }: ShapeRead, { system }: SessionShape): string[] {
  if (systems.length !== 1) return [`the system prompt is ${systems.length} texts and was captured as one`];
  const [arrived = ""] = systems;
  const at = firstDifferingByte(Buffer.from(arrived), Buffer.from(system));
  return at === undefined ? [] : [`the system prompt differs from the captured one at byte ${at}`];
}

function firstDifferingByte(left: Buffer, right: Buffer): number | undefined {
  if (left.equals(right)) return undefined;
  const at = left.findIndex((byte, index) => byte !== right[index]);
  return at < 0 ? left.length : at;
}

const ownSystemFaults = ({ systems }: ShapeRead, { system }: SessionShape): string[] =>
  systems.includes(system) ? ["the system prompt is the session's, and the arm claims one of its own"] : [];

function toolFaults({ tools }: ShapeRead, captured: readonly string[]): string[] {
  if (tools.length !== captured.length)
    return [`${tools.length} tools are defined, and ${captured.length} were captured`];
  const at = tools.findIndex((tool, index) => tool !== captured[index]);
  return at < 0 ? [] : [`tools[${at}] is not the captured definition`];
}

/** Names without definitions do not count: Anthropic's API wants them where a history has calls. */
function noToolFaults({ tools }: ShapeRead): string[] {
  const at = tools.findIndex((tool) => !isBareName(JSON.parse(tool) as JsonObject));
  return at < 0 ? [] : [`tools[${at}] is a definition, and the arm claims to send none`];
}

const isBareName = ({ name: _name, ...rest }: JsonObject): boolean =>
  JSON.stringify(rest) === '{"parameters":{"type":"object"}}';
