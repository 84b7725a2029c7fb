/** How long a provider wants to be left alone, from the headers of a refusal. */

/** Names of a limit's headers: what is left of it and when it is whole again. */
const limits = [
  ["x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"],
  ["x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"],
  ["anthropic-ratelimit-requests-remaining", "anthropic-ratelimit-requests-reset"],
  ["anthropic-ratelimit-tokens-remaining", "anthropic-ratelimit-tokens-reset"],
  ["anthropic-ratelimit-input-tokens-remaining", "anthropic-ratelimit-input-tokens-reset"],
  ["anthropic-ratelimit-output-tokens-remaining", "anthropic-ratelimit-output-tokens-reset"],
] as const;

/** Resets further away than this are a day's limit, which says nothing while some of it is left. */
const minuteLimitMs = 120_000;

/**
 * Milliseconds, or undefined where the headers wish nothing. `retry-after-ms` comes before `retry-after` (seconds or a
 * date). Without either the resets of a refusal for too high a rate (429) speak: the latest one of the limits that are used
 * up, else the latest one of a minute's limits, since what is left of one may be too small for the request.
 */
export function retryAfterMsOf(headers: Headers, nowMs: number, status = 429): number | undefined {
  const ms = decimal(headers.get("retry-after-ms"));
  if (ms !== undefined) return Math.ceil(ms);
  const after = headers.get("retry-after");
  if (after !== null) {
    const seconds = decimal(after);
    return seconds === undefined ? untilDate(after, nowMs) : Math.ceil(seconds * 1000);
  }
  if (status !== 429) return undefined;
  const resets = limits.flatMap(([remaining, reset]) => {
    const text = headers.get(reset);
    const waitMs = text === null ? undefined : (durationMs(text) ?? untilDate(text, nowMs));
    return waitMs === undefined ? [] : [{ left: decimal(headers.get(remaining)), waitMs }];
  });
  const usedUp = resets.filter(({ left }) => left === 0);
  const open = resets.filter(({ left, waitMs }) => left === undefined || waitMs <= minuteLimitMs);
  const waits = (usedUp.length > 0 ? usedUp : open).map(({ waitMs }) => waitMs);
  return waits.length === 0 ? undefined : Math.max(...waits);
}

const decimal = (text: string | null): number | undefined =>
  text !== null && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;

function untilDate(text: string, nowMs: number): number | undefined {
  const isDate = /^[A-Z][a-z]{2}, |^\d{4}-\d{2}-\d{2}T/.test(text);
  const atMs = isDate ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, Math.ceil(atMs - nowMs));
}

/** A duration such as `6m0s`, `1h2m3.5s`, `20ms` or a bare number of seconds. */
function durationMs(text: string): number | undefined {
  const seconds = decimal(text);
  if (seconds !== undefined) return Math.ceil(seconds * 1000);
  const match = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?$/.exec(text.trim());
  if (match === null || text.trim() === "") return undefined;
  const [days, hours, minutes, secs, millis] = match.slice(1).map((part) => Number(part ?? 0));
  const wholeMinutes = ((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0);
  return Math.ceil((wholeMinutes * 60 + (secs ?? 0)) * 1000 + (millis ?? 0));
}
