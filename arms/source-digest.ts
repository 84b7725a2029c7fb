/** What an arm is made of, as one digest: a run's identity changes when the arm does. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { digest, sha256 } from "../harness/json.ts";

const harness = fileURLToPath(new URL("../harness/", import.meta.url));

/**
 * SHA-256 over an arm's entry file and every file that it imports by a relative path, directly or not. Harness files are
 * left out: they have an identity of their own. Depends on contents and on names relative to the entry alone, with line
 * ends normalised, so it is the same on any machine. Packages are not covered: the lock file pins them.
 */
export function sourceDigest(entryPath: string): string {
  const entry = resolve(entryPath);
  const sources = new Map<string, string>();
  const pending = [entry];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (sources.has(path)) continue;
    const text = readFileSync(path, "utf8").replaceAll("\r\n", "\n");
    sources.set(path, text);
    pending.push(...importedFiles(path, text));
  }
  const named = [...sources].map(([path, text]) => [relative(dirname(entry), path).replaceAll(sep, "/"), sha256(text)]);
  return digest(Object.fromEntries(named) as { readonly [name: string]: string });
}

/** Relative names after `from`, `import` or `import(`, and in `new URL("…", import.meta.url)`. */
const relativeName = /(?:\bfrom\s*|\bimport\s*\(?\s*|\bnew URL\(\s*)(["'`])(\.\.?\/[^"'`\n]+)\1/g;

/** Files that a source text names. A name that leads to no file is left out: it stands in a comment, or nothing loads. */
const importedFiles = (path: string, text: string): string[] =>
  [...text.matchAll(relativeName)].flatMap(([, , name = ""]) => {
    const file = fileAt(resolve(dirname(path), name));
    return file === undefined || file.startsWith(harness) ? [] : [file];
  });

/** The file that a loader would take: the path itself, its TypeScript twin, or the path with an ending. */
function fileAt(path: string): string | undefined {
  const twin = path.replace(/\.([cm]?)js$/, ".$1ts");
  return [path, twin, `${path}.ts`, `${path}.js`, `${path}/index.ts`].find(
    (candidate) => existsSync(candidate) && statSync(candidate).isFile(),
  );
}
