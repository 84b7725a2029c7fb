/** The session shape: what every request of a session carries besides its messages, read from a file. */
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { ArtifactError } from "../errors.ts";
import { type JsonObject, sha256 } from "../json.ts";
import type { SessionShape } from "../models/model.ts";
import { readTextFile } from "../text-file.ts";

export interface NamedShape extends SessionShape {
  readonly name: string;
}

/** A coding agent's system prompt of about 2,500 estimated tokens and its tools read, write, edit and shell. */
export const defaultShapePath = fileURLToPath(new URL("../../fixtures/shapes/default.json", import.meta.url));

const parameters = z.custom<JsonObject>(
  (value) => typeof value === "object" && value !== null && "type" in value && value.type === "object",
  { error: 'expected a JSON Schema of type "object"' },
);
const shapeSchema = z.strictObject({
  name: z.string().min(1),
  system: z.string().min(1),
  tools: z.array(z.strictObject({ name: z.string().min(1), description: z.string(), parameters })),
  /** Of both, in a captured shape: an edited one has to say so by leaving them out. */
  sha256: z.strictObject({ system: z.string(), tools: z.string() }).optional(),
  /** What else capture-shape writes down. */
  ...Object.fromEntries(
    ["agent", "api", "otherTools", "parameters", "leftOut", "masked"].map((field) => [field, z.unknown().optional()]),
  ),
});

const form = '{"name","system","tools":[{"name","description","parameters"}]}';

/** Reads a session shape from a JSON file. Throws ArtifactError for a file that is missing, is no JSON or is no shape. */
export function readShape(path: string): NamedShape {
  let json: unknown;
  const text = readTextFile(path, `a session shape ${form} as JSON`);
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new ArtifactError(path, `is not JSON. Give a session shape ${form}.`, { cause });
  }
  const parsed = shapeSchema.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const reason = (issue?.message ?? "").replace(/^Invalid input: /, "");
    const where = issue === undefined || issue.path.length === 0 ? "" : ` at "${issue.path.join(".")}"`;
    throw new ArtifactError(path, `is no session shape${where}: ${reason}. Give ${form}.`, { cause: parsed.error });
  }
  const names = parsed.data.tools.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    throw new ArtifactError(path, `defines the tool "${repeated}" twice. Give every tool a name of its own.`);
  const { name, system, tools, sha256: stated } = parsed.data;
  const edited =
    (stated !== undefined && stated.system !== sha256(system) && "system prompt") ||
    (stated !== undefined && stated.tools !== sha256(JSON.stringify(tools)) && "tools");
  if (edited)
    throw new ArtifactError(
      path,
      `was captured with other ${edited} than it has now. Capture again, or delete its "sha256".`,
    );
  return { name, system, tools };
}
