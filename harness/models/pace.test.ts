import { describe, expect, it } from "vitest";
import type { ModelRequest } from "./model.ts";
import { createPace, createPrefixGate } from "./pace.ts";

const request = (system: string): ModelRequest => ({
  purpose: "answer",
  cacheKey: "k",
  system,
  tools: [],
  toolChoice: "none",
  messages: [],
  maxOutputTokens: 1,
});

/** A promise that is settled from outside. */
function deferred(): {
  readonly promise: Promise<string>;
  readonly resolve: (text: string) => void;
  readonly reject: (error: Error) => void;
} {
  let resolve: (text: string) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<string>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

const settleMicrotasks = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("prefix gate", () => {
  it("sends the first request of a prefix alone and the others side by side after it", async () => {
    const gate = createPrefixGate();
    const first = deferred();
    const sent: string[] = [];
    const send = (name: string, reply: Promise<string>) => gate.after(request("same"), () => (sent.push(name), reply));
    const all = [send("a", first.promise), send("b", Promise.resolve("b")), send("c", Promise.resolve("c"))];
    await settleMicrotasks();
    expect(sent).toEqual(["a"]);
    first.resolve("a");
    expect(await Promise.all(all)).toEqual(["a", "b", "c"]);
  });

  it("lets the others go when the first one fails", async () => {
    const gate = createPrefixGate();
    const first = deferred();
    const failed = gate.after(request("same"), () => first.promise);
    const second = gate.after(request("same"), () => Promise.resolve("b"));
    first.reject(new Error("500"));
    await expect(failed).rejects.toThrow("500");
    expect(await second).toBe("b");
  });

  it("does not hold back requests of another prefix", async () => {
    const gate = createPrefixGate();
    void gate.after(request("one"), () => deferred().promise);
    expect(await gate.after(request("two"), () => Promise.resolve("through"))).toBe("through");
  });
});

describe("pace", () => {
  it("holds everybody until the provider's wish has passed", async () => {
    const pace = createPace(new AbortController().signal);
    const start = performance.now();
    pace.hold(30);
    pace.hold(5);
    await pace.turn();
    expect(performance.now() - start).toBeGreaterThanOrEqual(29);
  });

  it("lets go at once when the run is interrupted", async () => {
    const controller = new AbortController();
    const pace = createPace(controller.signal);
    pace.hold(60_000);
    const turn = pace.turn();
    controller.abort();
    await expect(turn).resolves.toBeUndefined();
  });
});
