/** Reading JSON whose shape a program decides. */
import type { JsonObject } from "../../harness/json.ts";

/** The text of a field; "" where it is missing or something else. */
export function textAt(object: JsonObject | undefined, field: string): string {
  const value = object?.[field];
  return typeof value === "string" ? value : "";
}

/** The objects of a field that is a list; none where it is missing. */
export function objectsAt(object: JsonObject | undefined, field: string): JsonObject[] {
  const value = object?.[field];
  return Array.isArray(value) ? (value as JsonObject[]) : [];
}

/** The object of a field; an empty one where it is missing. */
export function objectAt(object: JsonObject | undefined, field: string): JsonObject {
  const value = object?.[field];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
