import { describe, expect, it } from "vitest";
import { requestOf, say } from "../remote/testing-requests.ts";
import { billsCacheWrites, isDeepSeek, isOpenAi } from "./flavours.ts";
import { openAiProvider } from "./openai.ts";

const request = requestOf([say("user", "one"), say("assistant", "two"), say("user", "The sheet")]);
const made = (model: string, baseUrl: string, thinking: "off" | "high" | "default" = "off") =>
  openAiProvider({ model, baseUrl, thinking, apiKey: "any", windowTokens: 1000 });
const openAi = "https://api.openai.com/v1";
const deepSeek = "https://api.deepseek.com";

describe("flavours", () => {
  it("know the models that bill cache writes by name, GPT-5.6 and later", () => {
    const later = ["gpt-5.6", "gpt-5.6-sol", "gpt-5.10", "gpt-6", "openai/gpt-7-mini"];
    const earlier = ["gpt-5", "gpt-5.5", "gpt-5-mini", "gpt-4.1", "gpt-35-turbo", "gpt-4o", "my-gpt-6x", "o3"];
    expect(later.filter((model) => !billsCacheWrites(model))).toEqual([]);
    expect(earlier.filter(billsCacheWrites)).toEqual([]);
  });

  it("know OpenAI's own servers, and no host that only sounds like one", () => {
    expect([openAi, "https://eu.api.openai.com/v1"].every(isOpenAi)).toBe(true);
    expect(["https://openai.com.evil.example/v1", "http://127.0.0.1/openai.com", deepSeek].some(isOpenAi)).toBe(false);
    expect([isDeepSeek(deepSeek), isDeepSeek(openAi)]).toEqual([true, false]);
  });
});

describe("a provider of chat completions", () => {
  it("marks the end of the history for GPT-5.6 at OpenAI, so that a question does not write it anew, and records that", () => {
    const marked = made("gpt-5.6", openAi);
    expect(marked.parameters["cacheBreakpoint"]).toBe(true);
    expect(marked.encode(request)["prompt_cache_options"]).toEqual({ mode: "explicit" });
    expect(JSON.stringify(marked.encode(request)).split("prompt_cache_breakpoint")).toHaveLength(2);
    for (const plain of [made("gpt-5.5", openAi), made("gpt-5.6", "http://127.0.0.1:8000/v1")]) {
      expect(plain.parameters["cacheBreakpoint"]).toBe(false);
      expect(JSON.stringify(plain.encode(request))).not.toContain("prompt_cache_breakpoint");
    }
  });

  it("switches thinking at DeepSeek by the field that DeepSeek has, and elsewhere by effort", () => {
    expect(made("deepseek-chat", deepSeek).encode(request)).toMatchObject({ thinking: { type: "disabled" } });
    expect(made("deepseek-chat", deepSeek).encode(request)).not.toHaveProperty("reasoning_effort");
    expect(made("deepseek-chat", deepSeek, "high").encode(request)).toMatchObject({
      thinking: { type: "enabled" },
      reasoning_effort: "high",
    });
    expect(made("gpt-5", openAi).encode(request)).toMatchObject({ reasoning_effort: "none" });
    for (const silent of [made("gpt-5", openAi, "default"), made("deepseek-chat", deepSeek, "default")]) {
      expect(silent.encode(request)).not.toHaveProperty("thinking");
      expect(silent.encode(request)).not.toHaveProperty("reasoning_effort");
    }
  });
});
