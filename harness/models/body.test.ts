import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type JsonObject, sha256 } from "../json.ts";
import { measureBody } from "./body.ts";

const body = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue(), { noNullPrototype: true });

describe("the measure of a body", () => {
  it("has the byte length of the body's JSON, whatever it holds", () => {
    fc.assert(
      fc.property(body, (value) => {
        expect(measureBody(value as JsonObject).bytes).toBe(Buffer.byteLength(JSON.stringify(value)));
      }),
    );
  });

  it("has equal digests for equal bodies and for no others", () => {
    fc.assert(
      fc.property(body, body, (left, right) => {
        const same = JSON.stringify(left) === JSON.stringify(right);
        expect(measureBody(left as JsonObject).sha256 === measureBody(right as JsonObject).sha256).toBe(same);
        expect(measureBody(structuredClone(left) as JsonObject)).toEqual(measureBody(left as JsonObject));
      }),
    );
  });

  it("can be recomputed from the body by hand", () => {
    const messages = [{ text: "缓存 🧵 \ud800" }, { text: "b" }];
    const digests = JSON.stringify({ messages: messages.map((message) => sha256(JSON.stringify(message))) });
    measureBody({ messages });
    expect(measureBody({ model: "m", messages }).sha256).toBe(sha256(`[{"model":"m","messages":[]},${digests}]`));
  });

  it("tells a list of digests from the list that has them", () => {
    const messages = [{ text: "a" }];
    const digests = messages.map((message) => sha256(JSON.stringify(message)));
    expect(measureBody({ messages: digests }).sha256).not.toBe(measureBody({ messages }).sha256);
  });

  it("leaves out what JSON leaves out", () => {
    const sparse = { model: "m", stop: undefined, messages: [] } as unknown as JsonObject;
    expect(measureBody(sparse)).toEqual(measureBody({ model: "m", messages: [] }));
  });
});
