/** What a problem allows, and what it may have cost. Pure. */
import type { ProviderFailure } from "../../errors.ts";
import type { Problem } from "./problem.ts";

/** Why an attempt failed, as far as it decides what comes next. */
export type Verdict = "overflow" | "key" | "model" | "quota" | "server" | "retry" | "request";

/** A wish to wait longer than this is a quota that is used up, not a rate that is too high. */
export const longestWaitMs = 3_600_000;

const overflowCodes = new Set(["context_length_exceeded", "exceed_context_size_error", "request_too_large"]);
const overflowText =
  /context[ _-]?(length|window|size|limit)|prompt is too long|input is too long|input length|exceeds? the (available )?context|maximum (prompt|sequence|model) length|too many (input )?tokens|reduce the length of/i;
const keyNames = new Set(["authentication_error", "permission_error", "invalid_api_key"]);
const quotaNames = new Set(["insufficient_quota", "billing_hard_limit_reached", "billing_error", "quota_exceeded"]);
const quotaText = /insufficient (balance|quota|credits?|funds)|credit balance|out of credits/i;
const dailyText = /\bper day\b|\bdaily\b|\((RPD|TPD)\)/i;

/**
 * The verdict on a problem. `retryAfterMs`: what its headers ask for.
 *
 * A request that is larger than a whole minute's allowance (429, "request too large") can never be sent, so it is given
 * up and not repeated. An error without status is one inside a stream: it is worth another attempt unless it names a
 * reason that is none. 501 and 505 mean that the server cannot do this at all.
 */
export function verdictOf(problem: Problem, retryAfterMs: number | undefined): Verdict {
  const { status, code, type, message } = problem;
  const named = (names: ReadonlySet<string>): boolean => names.has(code) || names.has(type);
  const mayOverflow = status === undefined || status === 400 || status === 422;
  if (status === 413 || named(overflowCodes) || (mayOverflow && overflowText.test(message))) return "overflow";
  if (status === 401 || status === 403 || named(keyNames)) return "key";
  if (status === 404 || code === "model_not_found" || type === "not_found_error") return "model";
  if (status === 402 || named(quotaNames) || quotaText.test(message)) return "quota";
  if (status === 429) {
    if (dailyText.test(message) || (retryAfterMs ?? 0) > longestWaitMs) return "quota";
    return /request too large/i.test(message) ? "request" : "retry";
  }
  if (status === 501 || status === 505) return "server";
  if (status === 408 || status === 409 || (status ?? 0) >= 500) return "retry";
  return status === undefined && type !== "invalid_request_error" ? "retry" : "request";
}

/**
 * What an error reply has cost. A 4xx other than 408, and the two that say "not now" (503, 529), were refused before the
 * model ran. After any other one, such as a gateway's 502 or 504, the model may have run and been billed.
 */
export function chargeOfStatus(status: number): ProviderFailure["charge"] {
  const refused = (status >= 400 && status < 500 && status !== 408) || status === 503 || status === 529;
  return refused ? "none" : "unknown";
}

/** Codes of a request that never left: nothing was sent, so nothing was billed. */
const unsent = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** What is known when no reply arrived. A host that does not exist and a certificate that does not hold stop the run. */
export function verdictOnSilence(code: string | undefined): Pick<ProviderFailure, "charge" | "decision"> {
  const isCertificate = code !== undefined && /CERT|^ERR_TLS|SELF_SIGNED/.test(code);
  const never = isCertificate || (code !== undefined && unsent.has(code));
  return {
    charge: never ? "none" : "unknown",
    decision: isCertificate || code === "ENOTFOUND" ? "stop" : "retry",
  };
}
