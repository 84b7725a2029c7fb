/** Watches what the way changes, and what a provider would refuse. */
import { firstDifference } from "../json.ts";
import { type Arrival, placeOf, type Watcher } from "./arrival.ts";
import { type Check, createTally } from "./checks.ts";
import { isSameJson } from "./same-json.ts";
import { validateChat } from "./validity/chat.ts";
import type { Finding } from "./validity/findings.ts";
import { validateMessages } from "./validity/messages.ts";

const validators = { chat: validateChat, messages: validateMessages } as const;

/** Checks `wire` and `validity`. */
export function watchWire(windowTokens: number): Watcher & { checks(): Check[] } {
  const wires = createTally("wire", "requests arrive byte for byte as they were encoded");
  const validities = createTally("validity", "requests break no rule of the provider");
  return {
    see: (arrival) => {
      const { arm, style, bytes, body } = arrival;
      const where = placeOf(arrival);
      const change = wireChange(arrival);
      wires.saw(arm, style.id, change === undefined ? [] : [`${where}: ${change}`]);
      const findings = validators[style.form](body, { bytes, windowTokens });
      validities.saw(
        arm,
        style.id,
        findings.map((finding) => `${where}: ${findingText(finding)}`),
      );
    },
    checks: () => [...wires.checks(), ...validities.checks()],
  };
}

export const findingText = ({ path, problem }: Finding): string => `${path === "" ? "the body" : path} ${problem}`;

/** Fields that only decide how a reply travels; a provider adds them behind all others. */
const transport = new Set(["stream", "stream_options"]);

/** How what arrived differs from what was encoded; undefined where it does not. */
function wireChange({ encoded, body }: Arrival): string | undefined {
  const sent = Object.fromEntries(Object.entries(body).filter(([field]) => !transport.has(field)));
  if (isSameJson(encoded, sent)) return undefined;
  const difference = firstDifference(encoded, sent) ?? "fields come in another order";
  return `what arrives is not what was encoded: ${difference}`;
}
