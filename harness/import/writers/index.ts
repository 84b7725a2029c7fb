/** Every format that can be written, for round trips and for tools that take sessions. */
import type { ChainRecord } from "../../chain/record.ts";
import { recordLine } from "../../chain/digest.ts";
import type { FormatName } from "../report.ts";
import { anthropicMessages, openAiChat } from "./chat.ts";
import { claudeSession } from "./claude.ts";
import { codexRollout } from "./codex.ts";
import { openCodeExport } from "./opencode.ts";
import { piSession } from "./pi.ts";

/** The text of a session file in each format, from records. */
export const writers: Readonly<Record<FormatName, (records: readonly ChainRecord[]) => string>> = {
  codex: codexRollout,
  claude: claudeSession,
  opencode: openCodeExport,
  pi: piSession,
  openai: openAiChat,
  anthropic: anthropicMessages,
  records: (records) => records.map((record) => `${recordLine(record)}\n`).join(""),
};
