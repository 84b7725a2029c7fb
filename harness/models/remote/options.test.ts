import { describe, expect, it } from "vitest";
import { UsageError } from "../../errors.ts";
import { anthropicProvider } from "../anthropic/anthropic.ts";
import { openAiProvider } from "../openai/openai.ts";
import { cleanBaseUrl, cleanKey, type RemoteOptions } from "./options.ts";

const options: RemoteOptions = { model: "m", windowTokens: 1000, apiKey: "test-key-123" };
const errorOf = (act: () => unknown): Error => {
  try {
    act();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("nothing was thrown");
};

describe("options of a remote provider", () => {
  it.each([
    "http://user:hunter22@host/v1",
    "http://user@host/v1",
    "http://host/v1?key=hunter22",
    "http://host/v1#hunter22",
    "ftp://hunter22",
    "hunter22",
    "",
  ])("refuses base URL %j without repeating it", (baseUrl) => {
    const error = errorOf(() => openAiProvider({ ...options, baseUrl }));
    expect(error).toBeInstanceOf(UsageError);
    expect(error.message).not.toContain("hunter22");
  });

  it.each(["", "  ", "key with spaces", "schlüssel", "line\nbreak"])(
    "refuses key %j without repeating it",
    (apiKey) => {
      const error = errorOf(() => anthropicProvider({ ...options, apiKey }));
      expect(error).toBeInstanceOf(UsageError);
      expect(error.message).toContain("ANTHROPIC_API_KEY");
      expect(error.message.includes(apiKey) && apiKey.trim() !== "").toBe(false);
    },
  );

  it("takes a key with the line break that a file has at its end", () => {
    expect(cleanKey("openai", "OPENAI_API_KEY", "abc\n")).toBe("abc");
  });

  it("records one spelling of a base URL", () => {
    expect(cleanBaseUrl("openai", "HTTP://LocalHost:8000/v1//")).toBe("http://localhost:8000/v1");
    const recorded = ["http://h/v1", "http://h/v1/", "http://h"].map(
      (baseUrl) => anthropicProvider({ ...options, baseUrl }).parameters["baseUrl"],
    );
    expect(new Set(recorded)).toEqual(new Set(["http://h"]));
  });

  it("records what decides a reply, and not how the reply travels", () => {
    const { parameters } = openAiProvider({ ...options, extra: { temperature: 0 } });
    expect(parameters).toEqual({
      baseUrl: "https://api.openai.com/v1",
      thinking: "off",
      extra: { temperature: 0 },
      cacheBreakpoint: false,
      version: 1,
    });
    expect(openAiProvider({ ...options, extra: { temperature: 0 }, stream: false }).parameters).toEqual(parameters);
  });

  it("refuses extra fields that the request decides", () => {
    expect(() => openAiProvider({ ...options, extra: { max_tokens: 5 } })).toThrow('"max_tokens"');
    expect(() => anthropicProvider({ ...options, extra: { system: "s" } })).toThrow('"system"');
  });
});
