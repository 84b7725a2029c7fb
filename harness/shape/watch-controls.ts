/** Watches steps and tries the negative controls in every chain and style. */
import type { ModelRequest } from "../models/model.ts";
import type { PlannedArm } from "../run/plan.ts";
import type { Check } from "./checks.ts";
import { type Claims, claimsPrefix } from "./claims.ts";
import { controlFault, type ControlResult, controls, percent, tryControls } from "./controls.ts";
import { Refusal } from "../serve/wire.ts";
import { unlessRefused } from "./measure.ts";
import type { SessionStep } from "./sessions.ts";
import type { Style } from "./styles.ts";

interface Tried {
  readonly style: string;
  readonly where: string;
  readonly results: readonly ControlResult[] | Refusal;
}

/** How many controls were tried at full size. */
const fullSized = (tried: Tried | undefined): number =>
  tried === undefined ? 0 : resultsOf(tried).filter(({ isFullSize }) => isFullSize).length;

const resultsOf = ({ results }: Tried): readonly ControlResult[] => (results instanceof Refusal ? [] : results);

/**
 * Checks `control`, once a chain and style: at a boundary that is of full size if one is, else at the last one. The request
 * is the compaction's of an arm that claims the prefix; where there is none that has it, the session's own, gone on.
 */
export function watchControls(arms: readonly PlannedArm[], claims: Claims, sessionTools: number) {
  const claiming = arms.find(({ arm }) => {
    const claim = claims[arm.id];
    return claim !== undefined && claimsPrefix(claim, sessionTools);
  });
  const subject = (claiming ?? arms[0])?.arm.id;
  const tried = new Map<string, Tried>();
  return {
    see: (step: SessionStep, style: Style): void => {
      const { session, onward, chain, end, arm } = step;
      const key = JSON.stringify([style.id, chain]);
      const known = tried.get(key);
      const isDone = fullSized(known) === controls.length || known?.results instanceof Refusal;
      if (arm.id !== subject || isDone || session === undefined || onward === undefined) return;
      const request =
        claiming === undefined ? undefined : step.calls.findLast((call) => call.request.purpose === "compact")?.request;
      const attempt = (one: ModelRequest) => unlessRefused(() => tryControls(style, session, one));
      const own = request === undefined ? [] : attempt(request);
      const isWhole = !(own instanceof Refusal) && own[0]?.unchanged.isWhole === true;
      const where = `${isWhole ? arm.id : "the session"} at ${chain} ${end}`;
      const next = { style: style.id, where, results: isWhole ? own : attempt(goneOn(onward)) };
      if (known === undefined || fullSized(next) >= fullSized(known)) tried.set(key, next);
    },
    checks: (): Check[] =>
      controls.flatMap(({ name }, at) =>
        [...new Set([...tried.values()].map(({ style }) => style))].map((style) =>
          checkOf(name, style, at, [...tried.values()]),
        ),
      ),
  };
}

/** A request with one more line at its end, as any arm's that shares the session's prefix. */
const goneOn = (request: ModelRequest): ModelRequest => ({
  ...request,
  messages: [
    ...request.messages,
    { id: "control", role: "user", blocks: [{ kind: "text", text: "Write down what has to be remembered." }] },
  ],
});

function checkOf(name: string, style: string, at: number, all: readonly Tried[]): Check {
  const mine = all.filter((one) => one.style === style);
  const faults = mine.flatMap(({ where, results }) => {
    if (results instanceof Refusal) return [`${where}: ${results.message}`];
    const fault = results[at] === undefined ? undefined : controlFault(results[at]);
    return fault === undefined ? [] : [`${where}: ${fault}`];
  });
  const own = mine.flatMap((one) => resultsOf(one).slice(at, at + 1));
  const full = own.filter(({ isFullSize }) => isFullSize);
  const least = Math.min(...full.map(({ unchanged }) => unchanged.share));
  const most = Math.max(...full.map(({ share }) => share));
  const small = own.length - full.length;
  const said = [
    ...(full.length === 0
      ? []
      : [`from ${percent(least)} or more to ${percent(most, 2)} at most (${full.length} of full size)`]),
    ...(small === 0 ? [] : [`to no more than what precedes the change (${small} small)`]),
  ];
  const detail = faults[0] ?? `the share falls ${said.join(", ")}`;
  return { name: "control", subject: name, style, passed: faults.length === 0, detail };
}
