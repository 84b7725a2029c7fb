/** Golden requests: what every listed arm sends on one small chain, in every style, as files that a diff can show. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject, JsonValue } from "../../harness/json.ts";
import type { RunPlan } from "../../harness/run/plan.ts";
import type { Check } from "../../harness/shape/checks.ts";
import { eachStep, offlineReplies } from "../../harness/shape/sessions.ts";
import type { Style } from "../../harness/shape/styles.ts";
import { goldenPlan } from "./plans.ts";
import { makeFolder } from "../../harness/make-folder.ts";

export interface Golden {
  readonly arm: string;
  readonly style: string;
  readonly file: string;
  readonly text: string;
}

/** The goldens of a plan's arms, as they are now. */
export async function goldensOf(plan: RunPlan, styles: readonly Style[]): Promise<Golden[]> {
  const golden = goldenPlan(plan);
  const requests = new Map<string, { arm: string; style: string; bodies: [string, JsonObject][] }>();
  await eachStep(golden, offlineReplies(golden), async ({ arm, end, calls }) => {
    for (const style of styles)
      for (const { request } of calls) {
        const file = `${arm.id}.${style.id}.json`;
        const known = requests.get(file) ?? { arm: arm.id, style: style.id, bodies: [] };
        requests.set(file, known);
        const what = request.purpose === "compact" ? "compaction" : "answer";
        known.bodies.push([`${what} at ${end}`, style.encode(request)]);
      }
  });
  return [...requests].map(([file, { arm, style, bodies }]) => ({ arm, style, file, text: goldenText(bodies) }));
}

/** Named bodies as JSON: a field a line, and of a list of objects every object a line. */
export function goldenText(bodies: readonly (readonly [string, JsonObject])[]): string {
  const named = bodies.map(([name, body]) => ` ${JSON.stringify(name)}: {\n${fields(body)}\n }`);
  return `{\n${named.join(",\n")}\n}\n`;
}

const fields = (body: JsonObject): string =>
  Object.entries(body)
    .map(([name, value]) => `  ${JSON.stringify(name)}: ${listed(value)}`)
    .join(",\n");

const listed = (value: JsonValue): string =>
  Array.isArray(value) && value.length > 0
    ? `[\n${value.map((item) => `   ${JSON.stringify(item)}`).join(",\n")}\n  ]`
    : JSON.stringify(value);

/** Checks `golden`: one an arm and style. `isAll`: these are all goldens that there have to be, so any other file is one too many. */
export function checkGoldens(goldens: readonly Golden[], folder: string, isAll: boolean): Check[] {
  const checks = goldens.map(({ arm, style, file, text }): Check => {
    const fault = faultOf(join(folder, file), text);
    const detail = fault ?? `${file} is what is sent`;
    return { name: "golden", subject: arm, style, passed: fault === undefined, detail };
  });
  const stale = isAll ? goldenFiles(folder).filter((name) => !goldens.some(({ file }) => file === name)) : [];
  return [
    ...checks,
    ...stale.map((file): Check => {
      const [arm = "", style = ""] = file.split(/\.(.*)\.json$/);
      return { name: "golden", subject: arm, style, passed: false, detail: `${file} is sent by no arm. ${advice}` };
    }),
  ];
}

const advice = "If that is meant, run with --update and review the difference.";

function faultOf(path: string, text: string): string | undefined {
  if (!existsSync(path)) return `${path} is missing. ${advice}`;
  const stored = readFileSync(path, "utf8");
  if (stored === text) return undefined;
  const [was, is] = [stored.split("\n"), text.split("\n")];
  const line = is.findIndex((content, at) => content !== was[at]);
  return `${path}: another request is sent from line ${(line < 0 ? is.length : line) + 1} on. ${advice}`;
}

/** Rewrites the goldens; with `isAll` also removes those that no arm sends. Gives the names of the files that changed. */
export function updateGoldens(goldens: readonly Golden[], folder: string, isAll: boolean): string[] {
  makeFolder(folder);
  const changed = goldens.filter(({ file, text }) => faultOf(join(folder, file), text) !== undefined);
  for (const { file, text } of changed) writeFileSync(join(folder, file), text);
  const stale = isAll ? goldenFiles(folder).filter((name) => !goldens.some(({ file }) => file === name)) : [];
  for (const file of stale) rmSync(join(folder, file));
  return [...changed.map(({ file }) => file), ...stale];
}

/** Names in the folder that are goldens': an arm and a style. */
const goldenFiles = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => /^[^.]+\..+\.json$/.test(name))
        .sort()
    : [];
