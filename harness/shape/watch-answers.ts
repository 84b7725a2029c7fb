/** Watches answer requests: each carries its projection and nothing else, and at one boundary arms differ in nothing besides. */
import { firstDifference, type JsonObject, type JsonValue } from "../json.ts";
import { sheetOpening } from "../exam/prompt.ts";
import { type Arrival, placeOf, type Watcher } from "./arrival.ts";
import { type Check, createTally } from "./checks.ts";
import { commonPrefix } from "./prefix.ts";
import { messagesIn, objectsIn, systemMessages } from "./session-shape.ts";
import { blocksUnits, chatUnits, expectedUnits } from "./units.ts";

/** An answer request taken apart. */
interface Parted {
  /** The body without projection and cache key. */
  readonly skeleton: JsonObject;
  /** What the part that was taken out says. */
  readonly projection: readonly string[];
  readonly sheet: JsonValue | undefined;
}

/** Checks `projection` and `sameness`. */
export function watchAnswers(): Watcher & { checks(): Check[] } {
  const projections = createTally("projection", "answer requests carry their projection and nothing else");
  const samenesses = createTally("sameness", "answer requests differ in nothing but projection and cache key");
  const firsts = new Map<string, { readonly arm: string; readonly text: string; readonly skeleton: JsonObject }>();
  return {
    see: (arrival) => {
      const { request, style, arm, chain, end, path, headers } = arrival;
      if (request.purpose !== "answer") return;
      const { skeleton, projection, sheet } = parted(arrival);
      const faults: string[] = [];
      const where = placeOf(arrival);
      if (typeof sheet !== "string" || !sheet.startsWith(sheetOpening))
        faults.push(`${where}: does not end with its sheet`);
      const difference = firstOther(projection, expectedUnits(style.form, request.messages.slice(0, -1)));
      if (difference !== undefined) faults.push(`${where}: ${difference}`);
      projections.saw(arm, style.id, faults);

      const key = JSON.stringify([style.id, chain, end]);
      const compared = { path, headers, body: skeleton };
      const text = JSON.stringify(compared);
      const first = firsts.get(key);
      if (first === undefined) firsts.set(key, { arm, text, skeleton: compared });
      else
        samenesses.saw(
          "all arms",
          style.id,
          text === first.text
            ? []
            : [
                `${where}: differs from that of ${first.arm}: ${firstDifference(first.skeleton, compared) ?? "in the order of its fields"}`,
              ],
        );
    },
    checks: () => [...projections.checks(), ...samenesses.checks()],
  };
}

/** Takes an answer request apart. */
function parted({ style: { form }, body }: Pick<Arrival, "style" | "body">): Parted {
  const { prompt_cache_key: _key, ...rest } = body;
  const messages = messagesIn(form, body);
  if (form === "chat") {
    const system = messages.slice(0, systemMessages(form, body));
    const last = messages.slice(system.length).at(-1);
    return {
      skeleton: { ...rest, messages: [...system, ...(last === undefined ? [] : [last])] },
      projection: chatUnits(messages.slice(system.length, -1)),
      sheet: last?.["content"],
    };
  }
  const blocks = messages.flatMap(({ content }) =>
    typeof content === "string" ? [{ type: "text", text: content }] : objectsIn(content),
  );
  const last = blocks.at(-1);
  const role = messages.at(-1)?.["role"] ?? null;
  return {
    skeleton: { ...rest, messages: [{ role, content: last === undefined ? [] : [last] }] },
    projection: blocksUnits(blocks.slice(0, -1)),
    sheet: last?.["text"],
  };
}

/** Where what arrived says something else than expected; undefined where it does not. */
function firstOther(arrived: readonly string[], expected: readonly string[]): string | undefined {
  const at = Array.from({ length: Math.max(arrived.length, expected.length) }).findIndex(
    (_, unit) => arrived[unit] !== expected[unit],
  );
  if (at < 0) return undefined;
  const [is, was] = [arrived[at], expected[at]];
  if (is === undefined || was === undefined)
    return `the projection arrives with ${arrived.length} texts, calls and results instead of ${expected.length}`;
  const from = commonPrefix(is, was).length;
  const excerpt = (text: string): string => JSON.stringify(text.slice(from, from + 40).toWellFormed());
  return `the projection arrives as ${excerpt(is)} where it says ${excerpt(was)} (part ${at + 1}, character ${from})`;
}
