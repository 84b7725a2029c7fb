import { describe, expect, it } from "vitest";
import { retryAfterMsOf } from "./retry-after.ts";

const nowMs = Date.parse("2026-09-01T12:00:00Z");
const waitMs = (headers: { readonly [name: string]: string }): number | undefined =>
  retryAfterMsOf(new Headers(headers), nowMs);

describe("retryAfterMsOf", () => {
  it.each([
    [{}, undefined],
    [{ "retry-after": "2" }, 2000],
    [{ "retry-after": "0.25" }, 250],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "-4" }, undefined],
    [{ "retry-after": "Tue, 01 Sep 2026 12:00:09 GMT" }, 9000],
    [{ "retry-after": "Tue, 01 Sep 2026 11:00:00 GMT" }, 0],
    [{ "retry-after-ms": "12.5", "retry-after": "9" }, 13],
    [{ "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1s" }, 1000],
    [{ "x-ratelimit-reset-tokens": "6m0s" }, 360_000],
    [{ "x-ratelimit-reset-tokens": "1h2m3.5s" }, 3_723_500],
    [{ "x-ratelimit-reset-tokens": "20ms" }, 20],
    [{ "x-ratelimit-reset-tokens": "1m20ms" }, 60_020],
    [{ "x-ratelimit-reset-tokens": "2.5" }, 2500],
    [{ "x-ratelimit-reset-tokens": "" }, undefined],
    [{ "x-ratelimit-reset-tokens": "never" }, undefined],
    [{ "anthropic-ratelimit-input-tokens-reset": "2026-09-01T12:00:30Z" }, 30_000],
    [{ "retry-after": "3", "x-ratelimit-reset-requests": "9s" }, 3000],
  ])("reads %j as %s ms", (headers, expected) => {
    expect(waitMs(headers as { readonly [name: string]: string })).toBe(expected);
  });

  it("waits for the limits that are used up, and not for those that are not", () => {
    const both = {
      "x-ratelimit-remaining-requests": "0",
      "x-ratelimit-reset-requests": "4s",
      "x-ratelimit-remaining-tokens": "5000",
      "x-ratelimit-reset-tokens": "50s",
    };
    expect(waitMs(both)).toBe(4000);
    expect(waitMs({ ...both, "x-ratelimit-remaining-requests": "1" })).toBe(50_000);
  });

  it("waits for no day's limit of which some is left, and reads resets of a refusal for its rate alone", () => {
    const day = {
      "x-ratelimit-remaining-requests": "9000",
      "x-ratelimit-reset-requests": "2h24m0s",
      "x-ratelimit-remaining-tokens": "28000",
      "x-ratelimit-reset-tokens": "6s",
    };
    expect(waitMs(day)).toBe(6000);
    expect(retryAfterMsOf(new Headers(day), nowMs, 503)).toBeUndefined();
    expect(retryAfterMsOf(new Headers({ ...day, "retry-after": "7" }), nowMs, 503)).toBe(7000);
  });
});
