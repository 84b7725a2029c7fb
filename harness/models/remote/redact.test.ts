import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { causes, firstCode, redacted } from "./redact.ts";

describe("redacted", () => {
  it("lets no key through, wherever it stands and whatever stands around it", () => {
    const key = fc.stringMatching(/^[A-Za-z0-9_-]{8,40}$/);
    fc.assert(
      fc.property(key, fc.string(), fc.string(), (secret, before, after) => {
        expect(redacted(`${before}${secret}${after}`, [secret])).not.toContain(secret);
      }),
    );
  });

  it.each([
    ["Incorrect API key provided: sk-proj-12********cd.", "Incorrect API key provided: [key]"],
    ["got Authorization: Bearer abc.def-123", "got Authorization: Bearer [key]"],
    ["cannot reach http://user:pass@host/v1", "cannot reach http://host/v1"],
    ["two\r\nlines\u0000 and\ttabs", "two lines and tabs"],
  ])("writes %j as %j", (text, expected) => {
    expect(redacted(text, [])).toBe(expected);
  });

  it("is short and well-formed, also where it is cut inside an emoji", () => {
    for (const length of [238, 239, 240, 241]) {
      const text = redacted(`${"a".repeat(length)}👩‍💻👩‍💻`, []);
      expect(text.length).toBeLessThanOrEqual(240);
      expect(text.isWellFormed()).toBe(true);
    }
  });
});

describe("causes", () => {
  const deep = new TypeError("fetch failed", {
    cause: new AggregateError([Object.assign(new Error("connect refused"), { code: "ECONNREFUSED" })]),
  });

  it("names every error of the chain and finds its code", () => {
    expect(causes(deep)).toBe("TypeError: fetch failed ← AggregateError:  ← Error ECONNREFUSED: connect refused");
    expect(firstCode(deep)).toBe("ECONNREFUSED");
  });

  it("ends where errors cause each other", () => {
    const one = new Error("one");
    one.cause = one;
    expect(causes(one)).toBe(Array.from({ length: 6 }, () => "Error: one").join(" ← "));
  });
});
