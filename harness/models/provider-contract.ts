/** What every provider promises, as one suite of tests that each of them has to pass. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Message, readable } from "../chain/message.ts";
import type { JsonObject } from "../json.ts";
import type { ModelRequest, Provider } from "./model.ts";
import { anyRequest, callBlock, requestOf, resultOf, say, textBlock } from "./remote/testing-requests.ts";

export interface ProviderCase {
  readonly name: string;
  /** A new provider. Whatever it talks to answers every request with some reply. */
  readonly make: () => Provider;
  /** Texts that must stand nowhere in what is recorded. */
  readonly secrets: readonly string[];
}

const history: readonly Message[] = [
  say("user", "first words"),
  { id: "a", role: "assistant", blocks: [textBlock("second words"), callBlock("c1", "third/words.ts")] },
  resultOf("c1", "fourth words"),
  say("assistant", "fifth words"),
  say("user", "last words"),
];

/** Declares the suite for one provider. */
export function providerContract({ name, make, secrets }: ProviderCase): void {
  describe(`provider contract: ${name}`, () => {
    it("encodes equal requests equally, in every instance, and leaves the request as it was", () => {
      fc.assert(
        fc.property(anyRequest, (request) => {
          const before = structuredClone(request);
          const provider = make();
          const texts = [provider.encode(request), provider.encode(request), make().encode(before)].map((body) =>
            JSON.stringify(body),
          );
          expect(new Set(texts).size).toBe(1);
          expect(request).toEqual(before);
        }),
      );
    });

    it("encodes whatever the history is and tells any two orders apart", () => {
      const turned = [history[3], history[1], history[2], history[0], history[4]] as Message[];
      const bodies = [history, turned].map((messages) => JSON.stringify(make().encode(requestOf(messages))));
      expect(bodies[0]).not.toBe(bodies[1]);
    });

    it("sends every readable text, in the history's order", () => {
      const body = JSON.stringify(make().encode(requestOf(history)));
      const words = history.flatMap(readable).map((text) => /\w+.words/.exec(text)?.[0] ?? text);
      const places = words.map((text) => body.indexOf(text));
      expect(places.every((place) => place > 0)).toBe(true);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
    });

    it("makes bodies that JSON carries unchanged and UTF-8 can hold", () => {
      fc.assert(
        fc.property(anyRequest, (request) => {
          const body = make().encode(request);
          const text = JSON.stringify(body);
          expect(JSON.parse(text)).toEqual(body);
          expect(text.isWellFormed()).toBe(true);
        }),
      );
    });

    it("carries the output limit, the system prompt and the tools", () => {
      const bodyOf = (over: Partial<ModelRequest>): string => JSON.stringify(make().encode(requestOf(history, over)));
      expect(bodyOf({ maxOutputTokens: 76_543 })).toContain("76543");
      expect(bodyOf({ system: "be terse and exact" })).toContain("be terse and exact");
      expect(bodyOf({})).toContain("Read a file.");
    });

    it("names itself, its model and its window, and keeps parameters that JSON carries without a secret", () => {
      const { id, model, windowTokens, parameters } = make();
      expect(id).toMatch(/^[a-z]+$/);
      expect(model).not.toBe("");
      expect(windowTokens).toBeGreaterThan(0);
      expect(JSON.parse(JSON.stringify(parameters))).toEqual(parameters);
      for (const secret of secrets) expect(JSON.stringify([parameters, id, model])).not.toContain(secret);
    });

    it("replies with text, calls and a finish, and with whole counts or none", async () => {
      const provider = make();
      const reply = await provider.send(provider.encode(requestOf(history)));
      expect(reply.text).toBeTypeOf("string");
      expect(Array.isArray(reply.calls)).toBe(true);
      expect(["stop", "length", "tool", "refusal"]).toContain(reply.finish);
      for (const count of Object.values(reply.usage ?? {})) {
        expect(Number.isSafeInteger(count)).toBe(true);
        expect(count).toBeGreaterThanOrEqual(0);
      }
    });

    it("sends nothing for a caller that has already given up", async () => {
      const provider = make();
      const body: JsonObject = provider.encode(requestOf(history));
      const reason = new Error("given up");
      await expect(provider.send(body, AbortSignal.abort(reason))).rejects.toBe(reason);
    });
  });
}
