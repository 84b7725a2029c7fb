/** What a server says went wrong, read from any of the shapes that such bodies have. */

export interface Problem {
  /** Of the reply, or of an error event that names one. */
  readonly status: number | undefined;
  readonly code: string;
  readonly type: string;
  readonly param: string;
  /** As the server wrote it; "" where it wrote nothing readable. */
  readonly message: string;
}

/**
 * The problem in an error body or an error event: `{error:{message,type,code,param}}` (OpenAI), `{type:"error",error}`
 * (Anthropic), the fields at the top (vLLM), `{error:"text"}` (Ollama), `{detail}` (FastAPI), plain text or HTML.
 */
export function problemOf(status: number | undefined, body: unknown): Problem {
  const whole = typeof body === "string" ? parsed(body) : body;
  if (typeof whole === "string") {
    const isPage = /^\s*<(!doctype|html)/i.test(whole);
    return { status, code: "", type: "", param: "", message: isPage ? "an HTML page" : whole };
  }
  const outer = fields(whole);
  const inner = fields(outer["error"]);
  const of = (name: string): string => text(inner[name]) || text(outer[name]);
  const number = Number(inner["code"] ?? outer["code"]);
  return {
    status: status ?? (Number.isInteger(number) && number >= 400 && number < 600 ? number : undefined),
    code: of("code"),
    type: text(inner["type"]) || (outer["type"] === "error" ? "" : text(outer["type"])),
    param: of("param"),
    message: of("message") || text(outer["error"]) || text(outer["detail"]) || json(outer["detail"]),
  };
}

/** Whether a problem is about one parameter of the request: named as such, or as a word of the message. */
export const isAbout = ({ param, message }: Problem, parameter: string): boolean =>
  param === parameter || new RegExp(`(?<![\\w-])${parameter}(?![\\w-])`).test(message);

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

const fields = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const json = (value: unknown): string => (value === undefined || value === null ? "" : JSON.stringify(value));
