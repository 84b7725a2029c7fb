/**
 * The sources as one bundle, kept in node_modules/.cache. Loading each file by itself through tsx costs a second of CPU time a
 * command; the bundle costs half of that once, whenever a source has changed. It is never needed: see closed-book.mjs.
 */
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdtempSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const cache = join(root, "node_modules", ".cache", "closed-book");
const keptDays = 30;
const sizesFile = "sizes.json";

/** URL of the bundled `cli.ts`, made where it is missing. Undefined where it cannot be made, whatever the reason. */
export async function bundledCli() {
  try {
    const folder = join(cache, fingerprint());
    if (!isWhole(folder)) {
      rmSync(folder, { recursive: true, force: true });
      await bundleInto(folder);
    }
    // What is in use is not old: a run loads parts of its bundle late.
    const now = new Date();
    utimesSync(folder, now, now);
    return pathToFileURL(join(folder, "cli.mjs")).href;
  } catch {
    return undefined;
  }
}

/** Whether a bundle has all its files at their sizes: a full disk or a power cut may have left parts of it. */
function isWhole(folder) {
  if (!existsSync(join(folder, sizesFile))) return false;
  const sizes = Object.entries(JSON.parse(readFileSync(join(folder, sizesFile), "utf8")));
  return sizes.every(([name, bytes]) => statSync(join(folder, name), { throwIfNoEntry: false })?.size === bytes);
}

/** Names, sizes and times of all that a bundle is made of, and where it lies: paths in it are absolute. */
function fingerprint() {
  const hash = createHash("sha256").update(`${root} ${process.version}\n`);
  const add = (path) => {
    const { size, mtimeMs, ctimeMs } = statSync(join(root, path));
    hash.update(`${path} ${size} ${mtimeMs} ${ctimeMs}\n`);
  };
  add("package-lock.json");
  for (const folder of ["arms", "fixtures", "harness", "scripts"])
    for (const name of readdirSync(join(root, folder), { recursive: true }))
      if (/\.(?:ts|mjs|json)$/.test(name) && !name.endsWith(".test.ts")) add(join(folder, name));
  return hash.digest("hex").slice(0, 16);
}

async function bundleInto(folder) {
  const { build } = await import("esbuild");
  mkdirSync(cache, { recursive: true });
  for (const name of readdirSync(cache))
    if (statSync(join(cache, name)).mtimeMs < Date.now() - keptDays * 86_400_000)
      rmSync(join(cache, name), { recursive: true, force: true });
  const made = mkdtempSync(join(cache, "making-"));
  try {
    await build({
      entryPoints: [join(root, "scripts", "cli.ts")],
      outdir: made,
      outExtension: { ".js": ".mjs" },
      bundle: true,
      splitting: true,
      packages: "external",
      platform: "node",
      format: "esm",
      target: "node20",
      sourcemap: "linked",
      logLevel: "silent",
      plugins: [ownUrls],
    });
    const sizes = readdirSync(made).map((name) => [name, statSync(join(made, name)).size]);
    writeFileSync(join(made, sizesFile), JSON.stringify(Object.fromEntries(sizes)));
    // Another process may have been faster; then its bundle is the one.
    if (!existsSync(folder)) renameSync(made, folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** Each source keeps its own `import.meta.url`, by which fixtures and further sources are found. */
const ownUrls = {
  name: "own urls",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, "utf8");
      const url = JSON.stringify(pathToFileURL(path).href);
      return source.includes("import.meta.url")
        ? { contents: source.replaceAll("import.meta.url", url), loader: "ts" }
        : undefined;
    });
  },
};
