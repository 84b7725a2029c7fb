/** The session shape as it stands in a request body, in each of the three wire forms. Reads what is there and judges nothing. */
import type { JsonObject, JsonValue } from "../json.ts";
import type { Route } from "../serve/wire.ts";

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A text as it is, anything else as JSON. */
export const shown = (value: JsonValue | undefined): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

/** The objects of a list; none where it is no list. */
export const objectsIn = (value: JsonValue | undefined): JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).filter(isObject) : [];

/** The texts of a content field: a string, or a list of parts that have a `text`. */
export const textsIn = (content: JsonValue | undefined): string[] =>
  typeof content === "string"
    ? [content]
    : objectsIn(content).flatMap(({ text }) => (typeof text === "string" ? [text] : []));

const isSystem = ({ role }: JsonObject): boolean => role === "system" || role === "developer";

/** The messages of a body, or of the responses form its input items. */
export const messagesIn = (form: Route, body: JsonObject): JsonObject[] =>
  objectsIn(form === "responses" ? body["input"] : body["messages"]);

/** How many of them make the system prompt: those of a system or a developer before any other. */
export function systemMessages(form: Route, body: JsonObject): number {
  if (form === "messages" || (form === "responses" && typeof body["instructions"] === "string")) return 0;
  const messages = messagesIn(form, body);
  const first = messages.findIndex((message) => !isSystem(message));
  return first < 0 ? messages.length : first;
}

/** The texts that the system prompt is made of, in order. */
export function systemTextsIn(form: Route, body: JsonObject): string[] {
  if (form === "messages") return textsIn(body["system"]);
  if (form === "responses" && typeof body["instructions"] === "string") return [body["instructions"]];
  return messagesIn(form, body)
    .slice(0, systemMessages(form, body))
    .flatMap(({ content }) => textsIn(content));
}

/**
 * The tool definitions in order, as `name`, `description`, `parameters` and whatever else a definition has, its cache
 * breakpoint apart. A tool that is no function stays as it is, with its `type`.
 */
export function toolsIn(form: Route, body: JsonObject): JsonObject[] {
  return objectsIn(body["tools"]).map((tool) => {
    if (form === "chat") return tool["type"] === "function" && isObject(tool["function"]) ? tool["function"] : tool;
    const fields = Object.entries(tool).filter(
      ([key, value]) => key !== "cache_control" && !isFunctionType(form, key, value),
    );
    return Object.fromEntries(fields.map(([key, value]) => [key === "input_schema" ? "parameters" : key, value]));
  });
}

/** The type of a plain function, which needs no mention: `function` in the responses form, `custom` in Anthropic's. */
const isFunctionType = (form: Route, key: string, value: JsonValue): boolean =>
  key === "type" && value === (form === "messages" ? "custom" : "function");
