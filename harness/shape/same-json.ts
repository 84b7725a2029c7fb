/** Equality of JSON values as JSON texts: keys in one order, nothing built. */
import type { JsonValue } from "../json.ts";

/** Whether two values would be printed as one text. Linear; equal strings are compared and not copied. */
export function isSameJson(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true;
  if (left === null || right === null || typeof left !== "object" || typeof right !== "object") return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const [one, other] = [Object.entries(left), Object.entries(right)] as const;
  return (
    one.length === other.length &&
    one.every(([key, value], at) => {
      const [otherKey, otherValue] = other[at] as [string, JsonValue];
      return key === otherKey && isSameJson(value, otherValue);
    })
  );
}
