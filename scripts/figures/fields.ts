/** Fields that a specification names and no row has: vega draws nothing for them and says nothing. */

type Json = { readonly [key: string]: unknown };
const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** Names of unknown fields, in order of appearance. Every view must have inline rows, its own or those of a view around it. */
export function unknownFields(spec: unknown): string[] {
  const unknown = new Set<string>();
  visit(spec, new Set(), unknown);
  return [...unknown];
}

function visit(view: unknown, inherited: ReadonlySet<string>, unknown: Set<string>): void {
  if (!isObject(view)) return;
  const fields = new Set(rowFields(view["data"]) ?? inherited);
  const check = (field: unknown): void => {
    if (typeof field === "string" && !fields.has(field)) unknown.add(field);
  };
  for (const transform of listOf(view["transform"])) {
    for (const field of expressionFields(transform)) check(field);
    for (const key of ["flatten", "fold", "groupby"]) for (const field of listOf(transform[key])) check(field);
    for (const name of [transform["as"]].flat()) if (typeof name === "string") fields.add(name);
  }
  for (const channel of Object.values(isObject(view["encoding"]) ? view["encoding"] : {}))
    for (const part of [channel].flat()) {
      if (!isObject(part)) continue;
      check(part["field"]);
      for (const field of expressionFields(part)) check(field);
    }
  const inner = ["layer", "hconcat", "vconcat", "concat"].flatMap((key) => listOf(view[key]));
  for (const one of inner) visit(one, fields, unknown);
}

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);

/** Fields of inline rows; undefined where there are none. */
function rowFields(data: unknown): string[] | undefined {
  const rows = isObject(data) ? data["values"] : undefined;
  return Array.isArray(rows) ? rows.flatMap((row) => (isObject(row) ? Object.keys(row) : [])) : undefined;
}

/** Fields that expressions and tests read as `datum.name`. */
function expressionFields(part: Json): string[] {
  const text = JSON.stringify(part);
  return [...text.matchAll(/datum\.(\w+)/g)].map(([, name]) => name as string);
}
