/** The one direction of imports: scripts → arms → harness, and one door to money. Tests may join what they like. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Every import of a source file, as paths from the root: `harness/arm.ts → harness/json.ts`. */
const imports = ["harness", "arms", "scripts"].flatMap((folder) =>
  readdirSync(resolve(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .flatMap((file) =>
      [...readFileSync(resolve(root, file), "utf8").matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)"/g)].map(
        ([, name = ""]) => [file, relative(root, resolve(root, dirname(file), name)).replaceAll("\\", "/")] as const,
      ),
    ),
);

const found = (isFrom: (file: string) => boolean, isTo: (file: string) => boolean): string[] =>
  imports.flatMap(([from, to]) => (isFrom(from) && isTo(to) ? [`${from} → ${to}`] : []));
const within =
  (...folders: string[]) =>
  (file: string): boolean =>
    folders.some((folder) => file.startsWith(`${folder}/`));

describe("imports", () => {
  it("go from scripts to arms to harness, and never back", () => {
    expect(found(within("scripts"), within("arms")).length).toBeGreaterThan(0);
    expect(found(within("arms"), within("harness")).length).toBeGreaterThan(0);
    expect(found(within("harness"), within("arms", "scripts"))).toEqual([]);
    expect(found(within("arms"), within("scripts"))).toEqual([]);
  });

  it("join a provider to the ledger in the meter alone", () => {
    const ledgerUsers = found(within("harness/models"), (file) => file === "harness/models/ledger.ts");
    expect(ledgerUsers).toEqual(["harness/models/meter.ts → harness/models/ledger.ts"]);
  });

  it("keep arms away from providers, meter and ledger", () => {
    const isContract = (file: string): boolean => file === "harness/models/model.ts";
    expect(found(within("arms"), (file) => within("harness/models")(file) && !isContract(file))).toEqual([]);
  });
});
