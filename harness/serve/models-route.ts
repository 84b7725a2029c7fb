/** `GET /v1/models`: the served model in the form of either provider. */
import type { JsonObject } from "../json.ts";

/** One model under a name. Every name is served by the same model. */
export const modelNamed = (id: string, isAnthropic: boolean): JsonObject =>
  isAnthropic
    ? { type: "model", id, display_name: id, created_at: "1970-01-01T00:00:00Z" }
    : { id, object: "model", created: 0, owned_by: "closed-book" };

/** The list, which has one model. */
export function modelList(id: string, isAnthropic: boolean): JsonObject {
  const data = [modelNamed(id, isAnthropic)];
  return isAnthropic ? { data, has_more: false, first_id: id, last_id: id } : { object: "list", data };
}
