/** What a provider answers when it does not answer: the faults that come instead of a reply. */
import type { RefusalFault } from "./faults.ts";
import { Refusal, type Route } from "./wire.ts";

/** A refusal in the words and headers of a route. `nowMs`: the reset times of Anthropic's headers are dates. */
export function refusalOf(fault: RefusalFault, route: Route, nowMs: number): Refusal {
  switch (fault.name) {
    case "rate-limit":
      return new Refusal(429, "Too many requests: wait, then send this one again.", {
        code: "rate_limit_exceeded",
        type: "requests",
        headers: waitHeaders(fault, route, nowMs),
      });
    case "daily-quota":
      return new Refusal(429, "The daily quota of this account is used up.", {
        code: "insufficient_quota",
        type: "insufficient_quota",
        headers: { "retry-after": "43200" },
      });
    case "status":
      return statusRefusal(fault.status);
    case "max-tokens":
      return new Refusal(400, "Parameter max_tokens is not supported with this model: use max_completion_tokens.", {
        code: "unsupported_parameter",
        param: "max_tokens",
      });
    case "unsupported-parameter":
      return new Refusal(400, `Parameter ${fault.parameter} is not supported with this model.`, {
        code: "unsupported_parameter",
        param: fault.parameter,
      });
    case "context-overflow":
      return overflow("The input is longer than the context window of this model.");
  }
}

/** A request that does not fit. Anthropic's form has no code, so clients know it by the beginning of its message. */
export const overflow = (reason: string): Refusal =>
  new Refusal(400, `prompt is too long: ${reason}`, { code: "context_length_exceeded", param: "messages" });

/** Further detail of the statuses that clients tell apart by it. */
const statusDetails: {
  readonly [status: number]: { readonly message: string; readonly code?: string; readonly type?: string };
} = {
  401: { message: "The API key is not valid.", code: "invalid_api_key" },
  402: { message: "The balance is insufficient." },
  403: { message: "This key may not use this model." },
  404: { message: "There is no such model.", code: "model_not_found" },
  413: { message: "The request is too large." },
  500: { message: "Something broke inside." },
  529: { message: "Overloaded: try again later.", type: "overloaded_error" },
};

function statusRefusal(status: number): Refusal {
  const { message = `Status ${status} on request.`, ...detail } = statusDetails[status] ?? {};
  return new Refusal(status, message, detail);
}

function waitHeaders(
  { waitMs, tell }: Extract<RefusalFault, { name: "rate-limit" }>,
  route: Route,
  nowMs: number,
): { readonly [name: string]: string } {
  const limits: { readonly [name: string]: string } =
    route === "messages"
      ? {
          "anthropic-ratelimit-requests-limit": "50",
          "anthropic-ratelimit-requests-remaining": "0",
          "anthropic-ratelimit-requests-reset": new Date(nowMs + waitMs).toISOString(),
        }
      : {
          "x-ratelimit-limit-requests": "50",
          "x-ratelimit-remaining-requests": "0",
          "x-ratelimit-reset-requests": waitMs % 1000 === 0 ? `${waitMs / 1000}s` : `${waitMs}ms`,
        };
  return {
    ...(tell.includes("retry-after") && { "retry-after": String(Math.ceil(waitMs / 1000)) }),
    ...(tell.includes("retry-after-ms") && { "retry-after-ms": String(waitMs) }),
    ...(tell.includes("rate-limit") && limits),
  };
}
