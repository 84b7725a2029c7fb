/** Watches what the way changes, and what a provider would refuse. */
import { firstDifference } from "../json.ts";
import { type Arrival, placeOf, type Watcher } from "./arrival.ts";
import { type Check, createTally } from "./checks.ts";
import { isSameJson } from "./same-json.ts";
import { validateChat } from "./validity/chat.ts";
import type { Finding } from "./validity/findings.ts";
import { validateMessages } from "./validity/messages.ts";

const validators = { chat: validateChat, messages: validateMessages } as const;

/** Checks `wire`. */
export function watchWire(): Watcher & { checks(): Check[] } {
  const wires = createTally("wire", "requests arrive as they were encoded");
  return {
    see: (arrival) => {
      const change = wireChange(arrival);
      wires.saw(arrival.arm, arrival.style.id, change === undefined ? [] : [`${placeOf(arrival)}: ${change}`]);
    },
    checks: () => wires.checks(),
  };
}

/** Checks `validity`. */
export function watchValidity(windowTokens: number): Watcher & { checks(): Check[] } {
  const validities = createTally("validity", "requests break no rule of the provider");
  return {
    see: (arrival) => {
      const { arm, style, bytes, body } = arrival;
      const findings = validators[style.form](body, { bytes, windowTokens });
      const faults = findings.map((finding) => `${placeOf(arrival)}: ${findingText(finding)}`);
      validities.saw(arm, style.id, faults);
    },
    checks: () => validities.checks(),
  };
}

const findingText = ({ path, problem }: Finding): string => `${path === "" ? "the body" : path} ${problem}`;

/** Fields that only decide how a reply travels; a provider adds them behind all others. */
const transport = new Set(["stream", "stream_options"]);

/** How what arrived differs from what was encoded; undefined where it does not. */
function wireChange({ encoded, body }: Arrival): string | undefined {
  const sent = Object.fromEntries(Object.entries(body).filter(([field]) => !transport.has(field)));
  if (isSameJson(encoded, sent)) return undefined;
  const difference = firstDifference(encoded, sent) ?? "fields come in another order";
  return `what arrives is not what was encoded: ${difference}`;
}
