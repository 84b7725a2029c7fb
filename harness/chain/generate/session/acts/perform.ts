/** Every kind of act by its name. */
import type { ActKind } from "../plan.ts";
import type { Perform } from "./act.ts";
import { edit } from "./editing.ts";
import { commit, diff, history, status } from "./git.ts";
import { bench, crash } from "./measuring.ts";
import { grep, list, missing, read } from "./reading.ts";
import { pr } from "./review.ts";
import { build, json, log } from "./running.ts";
import { broken, lint, test } from "./testing.ts";
import { cover, write } from "./writing.ts";

export const performs: Record<ActKind, Perform> = {
  list,
  read,
  missing,
  grep,
  edit,
  write,
  cover,
  test,
  broken,
  lint,
  crash,
  log,
  json,
  bench,
  build,
  history,
  diff,
  status,
  commit,
  pr,
};
