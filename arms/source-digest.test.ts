import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { digest, sha256 } from "../harness/json.ts";
import { entries } from "./index.ts";
import { sourceDigest } from "./source-digest.ts";

const harness = fileURLToPath(new URL("../harness", import.meta.url));

const files = {
  "arm.ts": `import { cut } from "./parts/cut.ts";\nexport { note } from './note.ts';\nconst later = () => import("./parts/later.ts");\n`,
  "note.ts": "export const note = 1;\n",
  "parts/cut.ts": `import type { Size } from "../size.js";\nimport "../arm.ts"; // a circle\n// import "./gone.ts"\n`,
  "parts/later.ts": `export const prompt = new URL("./prompt.md", import.meta.url);\n`,
  "parts/prompt.md": "Say less.\n",
  "size.ts": "export type Size = number;\n",
  "beside.ts": "export const unused = 1;\n",
};

let folder = "";
const write = (name: string, text: string, root = folder): void => {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
};
const entry = (): string => join(folder, "arm.ts");

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "digest-"));
  for (const [name, text] of Object.entries(files)) write(name, text);
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("sourceDigest", () => {
  const parts = Object.entries(files).filter(([name]) => name !== "beside.ts");

  it.each(parts)("changes when %s changes", (name, text) => {
    const before = sourceDigest(entry());
    write(name, `${text}\n`);
    expect(sourceDigest(entry())).not.toBe(before);
  });

  it("changes when the same text moves to another name", () => {
    const before = sourceDigest(entry());
    write("noted.ts", files["note.ts"]);
    write("arm.ts", files["arm.ts"].replace("./note.ts", "./noted.ts"));
    const renamed = sourceDigest(entry());
    write("arm.ts", files["arm.ts"]);
    expect(sourceDigest(entry())).toBe(before);
    expect(renamed).not.toBe(before);
  });

  it("stays when a file beside the arm changes", () => {
    const before = sourceDigest(entry());
    write("beside.ts", "export const unused = 2;\n");
    expect(sourceDigest(entry())).toBe(before);
  });

  it("is the same in another folder and with other line ends", () => {
    const before = sourceDigest(entry());
    const elsewhere = join(folder, "deep", "er");
    for (const [name, text] of Object.entries(files)) write(name, text.replaceAll("\n", "\r\n"), elsewhere);
    expect(sourceDigest(join(elsewhere, "arm.ts"))).toBe(before);
  });

  it("leaves the harness out", () => {
    const imports = `import "./note.ts";\nimport type { Arm } from "REL";\n`;
    write("arm.ts", imports.replace("REL", relative(folder, join(harness, "arm.ts"))));
    const files = new Map([
      ["arm.ts", readFileSync(entry(), "utf8")],
      ["note.ts", readFileSync(join(folder, "note.ts"), "utf8")],
    ]);
    const byHand = digest(Object.fromEntries([...files].map(([name, text]) => [name, sha256(text)])));
    expect(sourceDigest(entry())).toBe(byHand);
  });

  it("tells the listed arms apart by file", () => {
    const digests = new Map(entries.map(({ file }) => [file, sourceDigest(file)]));
    expect(new Set(digests.values()).size).toBe(digests.size);
  });
});
