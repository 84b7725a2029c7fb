/** A session shape as an agent sent it, ready to be written down: no message of the session, no header, no secret. */
import type { IncomingHttpHeaders } from "node:http";
import { digest, type JsonObject, type JsonValue, sha256 } from "../../json.ts";
import type { ToolDefinition } from "../../models/model.ts";
import type { Route } from "../../serve/wire.ts";
import { isObject, systemTextsIn, toolsIn } from "../session-shape.ts";
import { chatParameters } from "../validity/chat.ts";
import { messagesParameters } from "../validity/messages.ts";
import { createMask, secretsIn } from "./secrets.ts";

export interface CapturedShape {
  /** Agent, version and the beginning of the digest of everything below. */
  readonly name: string;
  /** As far as it tells. */
  readonly agent: { readonly name: string; readonly version: string } | null;
  readonly api: Route;
  /** Texts of the system prompt, joined by newline. */
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  /** Tools that no JSON Schema describes, as they were sent; they are no part of the session shape. */
  readonly otherTools: readonly JsonObject[];
  /** The request's parameters besides its texts, and without what names a user or a session. */
  readonly parameters: JsonObject;
  /** Names of fields that were left out. */
  readonly leftOut: readonly string[];
  /** Of `system` as it stands here, and of the compact JSON of `tools`. */
  readonly sha256: { readonly system: string; readonly tools: string };
  /** How many secrets were masked, by kind, and how many headers that hold one were left out. */
  readonly masked: { readonly [kind: string]: number };
}

/** Parameters of the responses API that decide a reply. */
const responsesParameters = [
  "model",
  "include",
  "max_output_tokens",
  "parallel_tool_calls",
  "reasoning",
  "service_tier",
  "store",
  "stream",
  "stream_options",
  "temperature",
  "text",
  "tool_choice",
  "top_logprobs",
  "top_p",
  "truncation",
  "prompt_cache_options",
  "prompt_cache_retention",
];
/** Fields with texts of the session, or with names of a user or a session. */
const ownWords = new Set([
  "messages",
  "input",
  "instructions",
  "system",
  "tools",
  "metadata",
  "user",
  "safety_identifier",
  "prompt_cache_key",
  "prediction",
  "container",
  "mcp_servers",
  "user_profile_id",
  "workspace_id",
]);
const parametersOf: { readonly [Name in Route]: ReadonlySet<string> } = {
  chat: new Set(Object.keys(chatParameters).filter((name) => !ownWords.has(name))),
  messages: new Set(Object.keys(messagesParameters).filter((name) => !ownWords.has(name))),
  responses: new Set(responsesParameters),
};

/** The shape of one request; undefined for one without a system prompt. `secrets`: values to mask besides those of its headers. */
export function capturedShape(
  api: Route,
  body: JsonObject,
  headers: IncomingHttpHeaders,
  secrets: readonly string[] = [],
): CapturedShape | undefined {
  const texts = systemTextsIn(api, body).filter((text) => text !== "");
  if (texts.length === 0) return undefined;
  const headerSecrets = secretsIn(headers);
  const mask = createMask([...secrets, ...headerSecrets]);
  const system = mask.text(texts.join("\n").toWellFormed());
  const { tools, others } = sorted(toolsIn(api, body).map((tool) => mask.json(tool)));
  const fields = Object.entries(body).filter(
    ([name]) => !["tools", "messages", "input", "system", "instructions"].includes(name),
  );
  const kept = fields.filter(([name]) => parametersOf[api].has(name));
  const digests = { system: sha256(system), tools: sha256(JSON.stringify(tools)) };
  const agent = agentOf(headers["user-agent"]);
  const captured = {
    agent: agent === null ? null : { name: mask.text(agent.name), version: mask.text(agent.version) },
    api,
    system,
    tools,
    otherTools: others,
    parameters: mask.json(Object.fromEntries(kept)),
    leftOut: fields.flatMap(([name]) => (parametersOf[api].has(name) ? [] : [mask.text(name)])),
    sha256: digests,
    masked: { ...mask.counts(), ...(headerSecrets.length > 0 && { "secret headers": secretHeaders(headers) }) },
  };
  const who = agent === null ? api : fileName(`${agent.name}-${agent.version}`);
  return { name: `${who}-${digest(captured as unknown as JsonObject).slice(0, 8)}`, ...captured };
}

const secretHeaders = (headers: IncomingHttpHeaders): number =>
  Object.entries(headers).filter(([name, value]) => secretsIn({ [name]: value }).length > 0).length;

const fileName = (text: string): string => text.replaceAll(/[^\w.-]+/g, "_").slice(0, 80);

/** The first product of a user agent, as in `codex_exec/0.155.0 (…)`; null where it names none. */
export function agentOf(userAgent: string | undefined): CapturedShape["agent"] {
  const [, name, version] = /^\s*(\S+?)[/ ]v?(\d[\w.+-]*)/.exec(userAgent ?? "") ?? [];
  return name === undefined || version === undefined ? null : { name, version };
}

/** Functions as a session shape has them; a tool that takes free text becomes one of one text. Of equal names the first stays. */
function sorted(all: readonly JsonObject[]): { tools: ToolDefinition[]; others: JsonObject[] } {
  const tools: ToolDefinition[] = [];
  const others: JsonObject[] = [];
  for (const tool of all) {
    const { name, description, type } = tool;
    const parameters = schemaOf(type, tool["parameters"]);
    const isNew = typeof name === "string" && name !== "" && !tools.some((one) => one.name === name);
    if (parameters === undefined || !isNew) others.push(tool);
    else tools.push({ name, description: typeof description === "string" ? description : "", parameters });
  }
  return { tools, others };
}

function schemaOf(type: JsonValue | undefined, parameters: JsonValue | undefined): JsonObject | undefined {
  if (isObject(parameters) && parameters["type"] === "object") return parameters;
  if (type === "custom") return { type: "object", properties: { input: { type: "string" } }, required: ["input"] };
  if (type === undefined && (parameters === undefined || parameters === null || JSON.stringify(parameters) === "{}"))
    return { type: "object", properties: {} };
  return undefined;
}

/** Whether a shape says more of a session than another: it has more tools, or as many and a longer system prompt. */
export const saysMore = (one: CapturedShape, other: CapturedShape | undefined): boolean => {
  const tools = ({ tools: own, otherTools }: CapturedShape): number => own.length + otherTools.length;
  if (other === undefined || tools(one) > tools(other)) return true;
  return tools(one) === tools(other) && one.system.length > other.system.length;
};

/** A shape as the text of a file that `run --shape` reads. */
export const captureText = (shape: CapturedShape): string => `${JSON.stringify(shape, null, 1)}\n`;
