/** closed-book prompts fetch: the products' own prompts, read out of what the pinned releases send. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Argv } from "yargs";

export const command = "prompts <action>";
export const describe = "Read the products' own prompts out of their pinned releases";

export const builder = (yargs: Argv) =>
  yargs
    .positional("action", {
      choices: ["fetch"] as const,
      demandOption: true,
      describe: "install the releases where they are not yet, run them offline and keep their texts",
    })
    .example("$0 prompts fetch", "then run --prompts upstream");

export async function handler(): Promise<void> {
  const { install } = await import("../../arms/native/upstream.ts");
  const releases = { codex: install("codex"), opencode: install("opencode") };
  const { enterNamespace } = await import("../conformance/sandbox.ts");
  const inside = await enterNamespace();
  if (inside !== undefined) {
    process.exitCode = inside;
    return;
  }
  const { codexKind, openCodeKind, withProgram } = await import("../conformance/subject.ts");
  const { promptsJson, upstreamPromptsFile } = await import("../conformance/prompts.ts");
  const codex = await withProgram(codexKind, releases.codex, [], (running) => running.probe());
  const opencode = await withProgram(openCodeKind, releases.opencode, [], (running) => running.probe());
  mkdirSync(dirname(upstreamPromptsFile), { recursive: true });
  writeFileSync(upstreamPromptsFile, promptsJson({ codex, opencode }));
  for (const [product, { version, digests }] of Object.entries({ codex, opencode }))
    for (const [name, digest] of Object.entries(digests))
      process.stdout.write(`${product} ${version}  ${name.padEnd(14)}  ${digest}\n`);
  process.stderr.write(`Written to ${upstreamPromptsFile}, which git ignores.\n`);
}
