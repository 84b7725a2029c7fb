/** For tests of imports: the fixture files, and sessions out of values at hand. */
import { fileURLToPath } from "node:url";
import { argsOf, type Chain, type ChainRecord } from "../chain/record.ts";
import type { History } from "./entry.ts";
import { importChain } from "./import.ts";
import type { FormatName, ImportReport } from "./report.ts";
import { bytesSource } from "./source.ts";

export const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/imports/${name}`, import.meta.url));

interface Imported {
  readonly chain: Chain;
  readonly report: ImportReport;
}

export const importFixture = (name: string, history: History = "raw"): Imported =>
  importChain(fixture(name), { format: "auto", history, name: "test" });

/** A session of this text, recognised by its content. */
export const importText = (
  text: string | Uint8Array,
  history: History = "raw",
  format: FormatName | "auto" = "auto",
): Imported => importChain("session", { format, history, name: "test" }, bytesSource("session", text));

/** Values as lines of JSON; a text is a line as it is. */
export const jsonLinesOf = (...values: readonly unknown[]): string =>
  values.map((value) => `${typeof value === "string" ? value : JSON.stringify(value)}\n`).join("");

/** A record in one line: `user: hello`, `call c1 read {"path":"a"}`, `result c1: text`, `error c1: text`. */
function line(record: ChainRecord): string {
  if (record.kind === "text") return `${record.role}: ${record.text}`;
  if (record.kind === "tool_call") return `call ${record.call} ${record.tool ?? ""} ${JSON.stringify(argsOf(record))}`;
  return `${record.error === true ? "error" : "result"} ${record.call}: ${record.text}`;
}

export const linesOf = ({ chain }: Imported): string[] => chain.records.map(line);
