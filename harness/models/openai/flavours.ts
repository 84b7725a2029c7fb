/** What a server or a model wants otherwise than most that speak OpenAI's chat completions, told by base URL and name. */

/** Models that bill cache writes (GPT-5.6 and later), by name, also behind a gateway's prefix. */
export const billsCacheWrites = (model: string): boolean => /(^|\/)gpt-(5\.([6-9]|[1-9]\d)|[6-9])(?!\d)/.test(model);

/** OpenAI's own servers, which know every field that its documentation has. */
export const isOpenAi = (baseUrl: string): boolean => /^https?:\/\/([\w-]+\.)*openai\.com(:\d+)?(\/|$)/.test(baseUrl);

/** DeepSeek's servers, or a gateway's route to them: `thinking` switches thinking, and usage counts cache hits and misses. */
export const isDeepSeek = (baseUrl: string): boolean => /deepseek/i.test(baseUrl);
