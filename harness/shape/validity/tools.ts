/** What providers ask of tool definitions. Sources: their pages on tool use, and the refusals that clients of both report. */
import type { JsonObject, JsonValue } from "../../json.ts";
import { isBlank, isList, type Report } from "./findings.ts";
import { isObject } from "../session-shape.ts";

export interface ToolRules {
  readonly name: RegExp;
  /** Names of a tool's arguments. */
  readonly argument?: RegExp;
  /** Keywords that may not stand at the top of a schema. */
  readonly notOnTop: readonly string[];
  readonly mostTools: number;
}

export interface NamedTool {
  readonly path: string;
  readonly name: JsonValue | undefined;
  readonly description: JsonValue | undefined;
  readonly schemaPath: string;
  readonly schema: JsonValue | undefined;
}

/** Reports tools without a valid name, with a name used twice or with a schema that is none. Gives the names. */
export function checkTools(tools: readonly NamedTool[], rules: ToolRules, report: Report): Set<string> {
  const names = new Set<string>();
  if (tools.length > rules.mostTools)
    report("tools", `has ${tools.length} entries, and ${rules.mostTools} are the most`);
  for (const { path, name, description, schemaPath, schema } of tools) {
    if (typeof name !== "string" || !rules.name.test(name))
      report(`${path}.name`, `does not match ${rules.name.source}`);
    else if (names.has(name)) report(`${path}.name`, `is "${name}", as that of a tool before it`);
    else names.add(name);
    if (description !== undefined && typeof description !== "string") report(`${path}.description`, "is no text");
    if (typeof description === "string" && description !== "" && isBlank(description))
      report(`${path}.description`, "is blank");
    if (!isObject(schema)) report(schemaPath, "is no JSON Schema");
    else checkTop(schema, schemaPath, rules, report);
  }
  return names;
}

function checkTop(schema: JsonObject, path: string, rules: ToolRules, report: Report): void {
  if (schema["type"] !== "object") report(`${path}.type`, 'is not "object"');
  for (const keyword of rules.notOnTop) if (keyword in schema) report(`${path}.${keyword}`, "may not stand at the top");
  checkSchema(schema, path, rules, report);
}

const types = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);
const inner = ["items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else"];
const lists = ["anyOf", "oneOf", "allOf", "prefixItems"];
const maps = ["properties", "patternProperties", "$defs", "definitions"];

function checkSchema(schema: JsonObject, path: string, rules: ToolRules, report: Report): void {
  const { type, properties, required, enum: values } = schema;
  for (const one of isList(type) ? type : type === undefined ? [] : [type])
    if (typeof one !== "string" || !types.has(one))
      report(`${path}.type`, `is ${JSON.stringify(one)}, which is no type`);
  if (values !== undefined && (!isList(values) || values.length === 0)) report(`${path}.enum`, "is no list of values");
  if (type === "array" && !("items" in schema) && !("prefixItems" in schema)) report(path, "is an array without items");
  if (properties !== undefined && !isObject(properties)) report(`${path}.properties`, "is no object");
  if (required !== undefined)
    checkRequired(required, isObject(properties) ? properties : {}, `${path}.required`, report);
  if (isObject(properties) && rules.argument)
    for (const name of Object.keys(properties))
      if (!rules.argument.test(name))
        report(`${path}.properties`, `has "${name}", which does not match ${rules.argument.source}`);
  const visit = (value: JsonValue | undefined, at: string): void => {
    if (isObject(value)) checkSchema(value, at, rules, report);
    else if (value !== undefined && typeof value !== "boolean") report(at, "is no JSON Schema");
  };
  for (const key of inner) visit(schema[key], `${path}.${key}`);
  for (const key of lists) {
    const branches = schema[key];
    if (branches === undefined) continue;
    if (!isList(branches) || branches.length === 0) report(`${path}.${key}`, "is no list of schemas");
    else branches.forEach((branch, at) => visit(branch, `${path}.${key}[${at}]`));
  }
  for (const key of maps) {
    const named = schema[key];
    if (isObject(named)) for (const [name, value] of Object.entries(named)) visit(value, `${path}.${key}.${name}`);
  }
}

function checkRequired(required: JsonValue, properties: JsonObject, path: string, report: Report): void {
  if (!isList(required)) return report(path, "is no list");
  const seen = new Set<JsonValue>();
  required.forEach((name, at) => {
    if (typeof name !== "string" || !Object.hasOwn(properties, name))
      report(`${path}[${at}]`, `is ${JSON.stringify(name)}, which is no property`);
    else if (seen.has(name)) report(`${path}[${at}]`, `is "${name}" again`);
    seen.add(name);
  });
}
