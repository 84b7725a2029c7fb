/** Watches steps of full-size chains: what compaction requests share with their session, against what their arms claim. */
import { type Check, createTally } from "./checks.ts";
import { type Claims, claimsPrefix } from "./claims.ts";
import { Refusal } from "../serve/wire.ts";
import { percent } from "./controls.ts";
import { unlessRefused } from "./measure.ts";
import type { SessionStep } from "./sessions.ts";
import { type BoundaryShare, shareOf } from "./shares.ts";
import type { Style } from "./styles.ts";

/** An arm that claims nothing of the session's may share so much by chance. */
const chanceShare = 0.01;

/** Checks `shared prefix` of arms that claim something. `sessionTools`: how many the captured shape has. */
export function watchPrefix(claims: Claims, sessionTools: number) {
  const shares: BoundaryShare[] = [];
  const claimed = createTally("shared prefix", "compaction requests share with the session what the arm claims");
  const baseOf = ({ chain, end, arm }: SessionStep, { variantOf }: Style): BoundaryShare | undefined =>
    shares.findLast((one) => one.style === variantOf && one.arm === arm.id && one.chain === chain && one.end === end);
  return {
    shares: shares as readonly BoundaryShare[],
    see: (step: SessionStep, style: Style): void => {
      const measured = unlessRefused(() => shareOf(step, style, baseOf(step, style)));
      if (measured === undefined) return;
      const isRefused = measured instanceof Refusal;
      if (!isRefused) shares.push(measured);
      const claim = claims[step.arm.id];
      if (claim === undefined) return;
      const fault = isRefused ? measured.message : faultOf(measured, claimsPrefix(claim, sessionTools));
      const where = `${step.arm.id} at ${step.chain} ${step.end}`;
      claimed.saw(step.arm.id, style.id, fault === undefined ? [] : [`${where}: ${fault}`]);
    },
    checks: (): Check[] => claimed.checks(),
  };
}

function faultOf({ shared: { bytes, ofBytes, isWhole } }: BoundaryShare, claimsAll: boolean): string | undefined {
  const shared = `shares ${percent(bytes / ofBytes)} of the request`;
  if (claimsAll) return isWhole ? undefined : `${shared}: the session's last request does not go into it whole`;
  return bytes < chanceShare * ofBytes ? undefined : `${shared}, and the arm does not claim to share the prefix`;
}
