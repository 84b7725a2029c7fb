/** Arms with one rule changed. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Arm } from "../../harness/arm.ts";
import type { Mutation } from "./mutations.ts";

const armsFolder = new URL("../../arms/", import.meta.url).pathname;
const harnessFolder = new URL("../../harness/", import.meta.url).pathname;

/** Makes an arm of its prompts, as `codexArm` and `openCodeArm` do. */
export type ArmMaker = (prompts: never) => Arm;

/** Puts a changed copy of a product's arm into a temporary folder and hands it over. Throws where the rule is not where the mutation says. */
export async function withMutant<Result>(
  { product, rule, file, from, to }: Mutation,
  use: (make: ArmMaker) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "closed-book-mutant-"));
  try {
    const arms = join(folder, "arms");
    mkdirSync(arms);
    writeFileSync(join(folder, "package.json"), '{"type":"module"}\n');
    symlinkSync(harnessFolder, join(folder, "harness"));
    for (const part of [`${product}.ts`, product, "call-ids.ts"])
      cpSync(join(armsFolder, part), join(arms, part), { recursive: true });
    const source = readFileSync(join(arms, file), "utf8");
    const pieces = source.split(from);
    if (pieces.length !== 2)
      throw new Error(`arms/${file} has the rule "${rule}" ${pieces.length - 1} times, not once`);
    writeFileSync(join(arms, file), pieces.join(to));
    const module = (await import(pathToFileURL(join(arms, `${product}.ts`)).href)) as Record<
      string,
      ArmMaker | undefined
    >;
    const make = module[product === "codex" ? "codexArm" : "openCodeArm"];
    if (make === undefined) throw new Error(`arms/${product}.ts makes no arm`);
    return await use(make);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether a mutation's rule stands in its file exactly once. */
export const applies = ({ file, from }: Mutation): boolean =>
  readFileSync(join(armsFolder, file), "utf8").split(from).length === 2;
