/** The arms, in report order. A new one is a line here, or a file given to `run --arm`. */
import { fileURLToPath } from "node:url";
import type { Arm } from "../harness/arm.ts";
import { unknownName } from "../harness/did-you-mean.ts";
import { codex } from "./codex.ts";
import { empty, full, recent } from "./controls.ts";
import { futureosDeterministic } from "./futureos/deterministic.ts";
import { futureosSummarized } from "./futureos/summarized.ts";
import { opencode } from "./opencode.ts";

export interface Entry {
  readonly arm: Arm;
  /** Path of the file that defines it; that file's source digest is part of a run's identity. */
  readonly file: string;
}

const at = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export const entries: readonly Entry[] = [
  { arm: futureosSummarized, file: at("futureos/summarized.ts") },
  { arm: futureosDeterministic, file: at("futureos/deterministic.ts") },
  { arm: opencode, file: at("opencode.ts") },
  { arm: codex, file: at("codex.ts") },
  { arm: recent, file: at("controls.ts") },
  { arm: full, file: at("controls.ts") },
  { arm: empty, file: at("controls.ts") },
];

export const arms: readonly Arm[] = entries.map(({ arm }) => arm);

/** The listed arm of this id. Throws UsageError with the nearest name and the list. */
export function findArm(id: string): Arm {
  const found = arms.find((arm) => arm.id === id);
  if (found) return found;
  const known = arms.map((arm) => arm.id);
  throw unknownName("arm", id, known);
}
