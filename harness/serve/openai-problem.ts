/** OpenAI's error body, which both of its wire forms share. */
import type { JsonObject } from "../json.ts";
import type { Refusal } from "./wire.ts";

/** `{error: {message, type, param, code}}` */
export const openAiProblem = ({ status, type, message, param, code }: Refusal): JsonObject => ({
  error: { message, type: type ?? (status >= 500 ? "server_error" : "invalid_request_error"), param, code },
});
