/** Arms from files: `run --arm ./my-arm.ts`. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import type { Arm, Source } from "../harness/arm.ts";
import { UsageError } from "../harness/errors.ts";
import { arms } from "./index.ts";

/**
 * The arm that a file exports: its default export, or the only arm among its exports. Throws UsageError, in one line, for a
 * file that is missing, does not load, exports no arm or several, or whose arm is incomplete or has a taken id.
 */
export async function loadArm(path: string, takenIds: readonly string[] = arms.map(({ id }) => id)): Promise<Arm> {
  if (!existsSync(path)) throw new UsageError(`No file "${path}". --arm takes a file that exports an arm.`);
  const found = armsIn(await imported(path));
  const [arm] = found;
  if (arm === undefined)
    throw new UsageError(`${path}: exports no arm. Write \`export default defineArm({ … })\`, as the README shows.`);
  if (found.length > 1)
    throw new UsageError(`${path}: exports ${found.length} arms. Make one of them the default export.`);
  const fault = faultOf(arm);
  if (fault !== undefined) throw new UsageError(`${path}: the arm's ${fault}.`);
  const checked = arm as unknown as Arm;
  if (takenIds.includes(checked.id))
    throw new UsageError(`${path}: an arm "${checked.id}" exists already. Give this one another id.`);
  return checked;
}

async function imported(path: string): Promise<object> {
  const file = resolve(path);
  try {
    return (await import(pathToFileURL(file).href)) as object;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_REQUIRE_CYCLE_MODULE")
      throw new UsageError(
        `${path}: does not load, because its folder belongs to no "type": "module" package. Name it .mts, or put a package.json with that beside it.`,
        { cause: error },
      );
    const reason = oneLine(error).replace(`${file}:`, "at ").replace("ERROR: ", "");
    throw new UsageError(`${path}: does not load: ${reason}`, { cause: error });
  }
}

/** The line of an error's message that names a position, else its first. */
function oneLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.find((line) => /:\d+:\d+: /.test(line)) ?? lines[0] ?? "no reason given";
}

type Loose = { readonly [name: string]: unknown };
const isObject = (value: unknown): value is Loose => typeof value === "object" && value !== null;
const looksLikeArm = (value: unknown): value is Loose =>
  isObject(value) && ("compact" in value || ("id" in value && "source" in value));

/** What looks like an arm among a module's exports; a default export that does is the only one. */
function armsIn(exports: object): Loose[] {
  const all: Loose = { ...exports };
  // A file outside any "type": "module" package loads as CommonJS: its exports arrive inside the default one.
  const inner = all["default"];
  const named = isObject(inner) && "__esModule" in inner ? { ...all, ...inner } : all;
  const main = named["default"];
  return looksLikeArm(main) ? [main] : [...new Set(Object.values(named).filter(looksLikeArm))];
}

/** The texts that a source of each kind has to give. */
const sourceTexts: { readonly [Kind in Source["kind"]]: readonly string[] } = {
  mirror: ["product", "commit", "path"],
  variant: ["of", "change"],
  native: ["product", "version"],
  control: [],
};

/** The first thing that keeps an object from being an arm, or undefined. */
function faultOf({ id, title, source, options, compact }: Loose): string | undefined {
  if (typeof id !== "string" || !/^[a-z\d]+(?:-[a-z\d]+)*$/.test(id))
    return id === undefined ? "id is missing" : `id ${JSON.stringify(id)} is not kebab-case`;
  if (!isText(title)) return "title is missing";
  if (!isObject(source)) return "source is missing";
  const texts = Object.entries(sourceTexts).find(([kind]) => kind === source["kind"])?.[1];
  if (texts === undefined) return "source.kind is not mirror, variant, native or control";
  const missing = texts.find((name) => !isText(source[name]));
  if (missing !== undefined) return `source.${missing} is missing`;
  if (source["kind"] === "mirror" && !Array.isArray(source["notModelled"])) return "source.notModelled is no list";
  if (!isObject(options) || Array.isArray(options)) return "options are missing";
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(options)), { ...options })) return "options are not JSON";
  return typeof compact === "function" ? undefined : "compact is not a function";
}

const isText = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";
