/** The exam's request: the session's next one, or the original's flattened form. Arms differ in nothing but the projection. */
import type { ProjectedMessage } from "../arm.ts";
import type { Message } from "../chain/message.ts";
import { renderHistory } from "../chain/render.ts";
import { messagesTokens, textTokens } from "../chain/tokens.ts";
import { flatSystem, sheetText } from "../exam/prompt.ts";
import type { Sheet } from "../exam/question.ts";
import type { ModelRequest, SessionShape } from "../models/model.ts";

/** Output limit of an answer, as in the original experiment. */
export const answerOutputTokens = 8192;

/** Estimated tokens that every request of a session carries besides its messages. */
export const fixedTokensOf = (shape: SessionShape): number =>
  textTokens(shape.system) + textTokens(JSON.stringify(shape.tools));

/** The request that asks one sheet of one projection. `cacheKey` names the cell. */
export function answerRequest(
  probe: "production" | "flat",
  shape: SessionShape,
  projection: readonly ProjectedMessage[],
  sheet: Sheet,
  cacheKey: string,
): ModelRequest {
  const history = projection.map(({ message }) => message);
  const ask = (text: string): Message => ({
    id: `sheet-${sheet.chain}-${sheet.stage}`,
    role: "user",
    blocks: [{ kind: "text", text }],
  });
  const common = { purpose: "answer", cacheKey, toolChoice: "none", maxOutputTokens: answerOutputTokens } as const;
  return probe === "production"
    ? { ...common, system: shape.system, tools: shape.tools, messages: [...history, ask(sheetText(sheet))] }
    : { ...common, system: flatSystem, tools: [], messages: [ask(`${renderHistory(history)}\n\n${sheetText(sheet)}`)] };
}

/** Estimated input tokens of a request. */
export const requestTokens = (request: ModelRequest): number =>
  fixedTokensOf(request) + messagesTokens(request.messages);
