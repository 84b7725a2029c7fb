/** The products' own texts, as their running programs send them. They live in an ignored file and nowhere else. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { CodexPrompts } from "../../arms/codex/prompts.ts";
import type { OpenCodePrompts } from "../../arms/opencode/prompts.ts";
import { ArtifactError, UsageError } from "../../harness/errors.ts";
import { sha256 } from "../../harness/json.ts";
import { upstreamFolder } from "../../arms/native/upstream.ts";

/** The texts of one product: the arm's prompts by name, and the session's system text. */
const texts = z.object({
  version: z.string(),
  texts: z.record(z.string(), z.string()),
  sha256: z.record(z.string(), z.string()),
});
const schema = z.object({ codex: texts, opencode: texts });

const codexNames = ["compaction", "summaryPrefix"] as const satisfies readonly (keyof CodexPrompts)[];
const openCodeNames = [
  "system",
  "opening",
  "create",
  "prior",
  "merge",
  "form",
  "template",
  "rules",
  "question",
  "proceed",
  "interrupted",
] as const satisfies readonly (keyof OpenCodePrompts)[];

export interface ProductTexts<Prompts> {
  readonly version: string;
  /** What the arm takes in place of this project's words. */
  readonly prompts: Prompts;
  /** The session's own system text, where the product sends one of its own. */
  readonly session: string;
  /** SHA-256 of every text by name. */
  readonly digests: Readonly<Record<string, string>>;
}

export interface UpstreamPrompts {
  readonly codex: ProductTexts<CodexPrompts>;
  readonly opencode: ProductTexts<OpenCodePrompts>;
}

/** Where `closed-book prompts fetch` writes them. */
export const upstreamPromptsFile = join(upstreamFolder, "prompts.json");

/**
 * The products' texts as fetched. Throws UsageError, naming the command, where there is no such file, and ArtifactError
 * where it does not hold the texts whose digests it gives.
 */
export function readUpstreamPrompts(path: string = upstreamPromptsFile): UpstreamPrompts {
  if (!existsSync(path))
    throw new UsageError(
      `${path}: the products' own prompts are not there. Run "closed-book prompts fetch" and then the same command.`,
    );
  const parsed = schema.safeParse(json(path));
  if (!parsed.success)
    throw new ArtifactError(path, `is no file of prompts. Run "closed-book prompts fetch" again.`, {
      cause: parsed.error,
    });
  const { codex, opencode } = parsed.data;
  return { codex: textsOf(path, codex, codexNames), opencode: textsOf(path, opencode, openCodeNames) };
}

function json(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new ArtifactError(path, `is no JSON. Run "closed-book prompts fetch" again.`, { cause });
  }
}

function textsOf<Name extends string>(
  path: string,
  { version, texts: found, sha256: digests }: z.infer<typeof texts>,
  names: readonly Name[],
): ProductTexts<Record<Name, string>> {
  const text = (name: string): string => {
    const value = found[name];
    if (value === undefined || sha256(value) !== digests[name])
      throw new ArtifactError(
        path,
        `text "${name}" is missing or is not what its digest says. Run "closed-book prompts fetch" again.`,
      );
    return value;
  };
  const prompts = Object.fromEntries(names.map((name) => [name, text(name)])) as Record<Name, string>;
  return { version, prompts, session: text("session"), digests };
}

/** The file's content for the texts of both products. */
export function promptsJson(products: UpstreamPrompts): string {
  const one = ({ version, prompts, session }: ProductTexts<object>) => {
    const all: Record<string, string> = { ...prompts, session };
    return { version, texts: all, sha256: digestsOf(all) };
  };
  return `${JSON.stringify({ codex: one(products.codex), opencode: one(products.opencode) }, null, 2)}\n`;
}

export const digestsOf = (all: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(all).map(([name, text]) => [name, sha256(text)]));
