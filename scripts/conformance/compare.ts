/** Two outcomes of one scenario, item by item and byte for byte. */
import { canonicalJson } from "../../harness/json.ts";
import type { RoundOutcome, WireItem } from "./scenario.ts";

export interface Difference {
  /** `round 2, request 1, item 4`. */
  readonly place: string;
  /** Undefined where one side has nothing at this place. */
  readonly product: WireItem | undefined;
  readonly arm: WireItem | undefined;
}

export interface Comparison {
  readonly items: number;
  readonly equal: number;
  readonly differences: readonly Difference[];
}

/** Every item of the outcomes by its place, in order. */
function placed(outcomes: readonly RoundOutcome[]): Map<string, WireItem> {
  const items = new Map<string, WireItem>();
  for (const [index, { result, requests, history }] of outcomes.entries()) {
    const round = `round ${index + 1}`;
    items.set(`${round}, result`, result);
    for (const [at, request] of requests.entries())
      for (const [item, value] of request.entries()) items.set(`${round}, request ${at + 1}, item ${item}`, value);
    for (const [item, value] of history.entries()) items.set(`${round}, history, item ${item}`, value);
  }
  return items;
}

/** Compares what a product did with what its arm says it does. */
export function compareOutcomes(product: readonly RoundOutcome[], arm: readonly RoundOutcome[]): Comparison {
  const left = placed(product);
  const right = placed(arm);
  const places = [...left.keys(), ...[...right.keys()].filter((place) => !left.has(place))];
  const differences = places.flatMap((place): Difference[] => {
    const [a, b] = [left.get(place), right.get(place)];
    return a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b)
      ? []
      : [{ place, product: a, arm: b }];
  });
  return { items: places.length, equal: places.length - differences.length, differences };
}

/** A difference for people: where, and what either side has around the first byte that differs. */
export function describeDifference({ place, product, arm }: Difference): string {
  const [left, right] = [shown(product), shown(arm)];
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  const from = Math.max(0, at - 40);
  const excerpt = (text: string): string =>
    `${from > 0 ? "…" : ""}${text.slice(from, at + 120)}${at + 120 < text.length ? "…" : ""} (${text.length} characters)`;
  return `${place}, from character ${at}\n  product: ${excerpt(left)}\n  arm:     ${excerpt(right)}`;
}

const shown = (item: WireItem | undefined): string => (item === undefined ? "(nothing)" : canonicalJson(item));
