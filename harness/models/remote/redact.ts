/** Texts of servers and of Node on one line, short and without secrets, so that they can stand in a message and a ledger. */
import { inspect } from "node:util";

const longestChars = 240;

/** One line of at most 240 characters without any of `secrets`, and without anything that looks like a key or a token. */
export function redacted(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) if (secret.length >= 6) clean = clean.replaceAll(secret, "[key]");
  clean = clean
    .replaceAll(/\b(?:sk|pk|rk|key)-[\w*.-]{6,}/gi, "[key]")
    .replaceAll(/\b(Bearer|Basic)\s+[\w.~+/=*-]{6,}/gi, "$1 [key]")
    .replaceAll(/\/\/[^/\s@]*@/g, "//")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .toWellFormed();
  return clean.length <= longestChars ? clean : `${clean.slice(0, longestChars - 1).toWellFormed()}…`;
}

/** Constructor names, codes and messages of an error and its causes, as in `TypeError: terminated ← SocketError UND_ERR_SOCKET: other side closed`. */
export function causes(error: unknown): string {
  const parts: string[] = [];
  for (let cause = error; cause !== undefined && cause !== null && parts.length < 6; cause = causeOf(cause)) {
    const name = cause instanceof Error ? cause.constructor.name : typeof cause;
    const code = codeOf(cause);
    const message = cause instanceof Error ? cause.message : inspect(cause);
    parts.push(`${name}${code === undefined ? "" : ` ${code}`}: ${message}`);
  }
  return parts.join(" ← ");
}

/** The first system code along the causes, such as `ECONNREFUSED`. */
export function firstCode(error: unknown): string | undefined {
  for (let cause = error; cause !== undefined && cause !== null; cause = causeOf(cause)) {
    const code = codeOf(cause);
    if (code !== undefined) return code;
  }
  return undefined;
}

/** The next cause; of an AggregateError, which several addresses of one host give, the first error. */
const causeOf = (error: unknown): unknown =>
  error instanceof AggregateError ? error.errors[0] : error instanceof Error ? error.cause : undefined;

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
