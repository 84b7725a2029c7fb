/** The formats that can be imported, one reader each. */
import { readAnthropic } from "./anthropic.ts";
import { readClaude } from "./claude.ts";
import { readCodex } from "./codex.ts";
import type { Entry, History } from "./entry.ts";
import type { Findings } from "./findings.ts";
import { readOpenAi } from "./openai.ts";
import { exportedSession, readOpenCode } from "./opencode.ts";
import { storedSession } from "./opencode-storage.ts";
import { readPi } from "./pi.ts";
import { readRecordDocument, readRecordLines } from "./records.ts";
import type { FormatName } from "./report.ts";
import { fileSource, type Source } from "./source.ts";

/** How the bytes of a session lie: lines of JSON, one JSON document, or a storage folder. */
type Layout = "lines" | "document" | "storage";

export interface Format {
  readonly title: string;
  /** What its files look like, the usual one first. */
  readonly layouts: readonly Layout[];
  readonly unit: "line" | "message" | "record";
}

export const formats: Readonly<Record<FormatName, Format>> = {
  codex: { title: "a Codex rollout", layouts: ["lines"], unit: "line" },
  claude: { title: "a Claude Code session", layouts: ["lines"], unit: "line" },
  opencode: { title: "an OpenCode session", layouts: ["document", "storage"], unit: "message" },
  pi: { title: "a pi session", layouts: ["lines"], unit: "line" },
  openai: { title: "OpenAI chat messages", layouts: ["document"], unit: "message" },
  anthropic: { title: "Anthropic messages", layouts: ["document"], unit: "message" },
  records: { title: "records of closed-book", layouts: ["lines", "document"], unit: "line" },
};

export const formatNames = Object.keys(formats) as FormatName[];

/** A file that was recognised, or whose format was given. */
export interface Recognised {
  readonly format: FormatName;
  readonly layout: Layout;
}

/** The entries of a session. `bytes` is at hand in tests; a path is read from the disk. */
export function entriesOf(
  { format, layout }: Recognised,
  path: string,
  source: Source | undefined,
  history: History,
  findings: Findings,
): Iterable<Entry> {
  const bytes = (): Source => source ?? fileSource(path);
  switch (format) {
    case "codex":
      return readCodex(bytes(), history, findings);
    case "claude":
      return readClaude(bytes(), history, findings);
    case "pi":
      return readPi(bytes(), history, findings);
    case "opencode":
      return readOpenCode(layout === "storage" ? storedSession(path) : exportedSession(bytes()), history, findings);
    case "openai":
      return readOpenAi(bytes(), history, findings);
    case "anthropic":
      return readAnthropic(bytes(), history, findings);
    case "records":
      return layout === "document"
        ? readRecordDocument(bytes(), history, findings)
        : readRecordLines(bytes(), history, findings);
  }
}
