import { describe, expect, it } from "vitest";
import { problemOf } from "./problem.ts";
import { chargeOfStatus, verdictOf, verdictOnSilence } from "./verdict.ts";

describe("verdictOnSilence", () => {
  it.each([
    ["ECONNREFUSED", "none", "retry"],
    ["EAI_AGAIN", "none", "retry"],
    ["UND_ERR_CONNECT_TIMEOUT", "none", "retry"],
    ["ENOTFOUND", "none", "stop"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "none", "stop"],
    ["CERT_HAS_EXPIRED", "none", "stop"],
    ["ECONNRESET", "unknown", "retry"],
    ["UND_ERR_SOCKET", "unknown", "retry"],
    ["UND_ERR_HEADERS_TIMEOUT", "unknown", "retry"],
    [undefined, "unknown", "retry"],
  ])("takes %s as charge %s, decision %s", (code, charge, decision) => {
    expect(verdictOnSilence(code)).toEqual({ charge, decision });
  });
});

describe("chargeOfStatus", () => {
  it("bills nothing that was refused before the model ran, and cannot know it of the others", () => {
    const none = [400, 401, 403, 404, 409, 413, 422, 429, 503, 529];
    const unknown = [408, 500, 502, 504, 520];
    expect(none.filter((status) => chargeOfStatus(status) !== "none")).toEqual([]);
    expect(unknown.filter((status) => chargeOfStatus(status) !== "unknown")).toEqual([]);
  });
});

describe("verdictOf", () => {
  it.each([
    [{ error: "model 'x' not found, try pulling it first" }, 404, "model"],
    [{ error: { message: "no such model", code: "model_not_found" } }, 400, "model"],
    [{ detail: [{ loc: ["body", "messages"], msg: "field required" }] }, 422, "request"],
    [{ object: "error", message: "maximum context length is 4096 tokens", code: 400 }, 400, "overflow"],
    [{ error: { message: "upstream failed", code: 502 } }, undefined, "retry"],
    [{ error: { message: "you are out of credits", code: 402 } }, undefined, "quota"],
    [{ error: { type: "invalid_request_error", message: "no" } }, undefined, "request"],
    [{ error: { type: "overloaded_error", message: "Overloaded" } }, undefined, "retry"],
    [{ error: { message: "Quota exceeded for requests per minute" } }, 429, "retry"],
    ["<!DOCTYPE html><title>502</title>", 502, "retry"],
    ["", 500, "retry"],
  ])("reads %j with status %s as %s", (body, status, verdict) => {
    expect(verdictOf(problemOf(status, body), undefined)).toBe(verdict);
  });
});
