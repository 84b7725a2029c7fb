/** closed-book arms: the arms, in report order, with where their rules come from. */
import type { Argv } from "yargs";
import type { Source } from "../../harness/arm.ts";

export const command = "arms";
export const describe = "List the compaction arms";

export const builder = (yargs: Argv) =>
  yargs
    .option("json", { type: "boolean", default: false, describe: "print JSON, with every option" })
    .example("$0 arms", "titles, sources and options of all arms");

export async function handler({ json }: { json: boolean }): Promise<void> {
  const { arms: listed } = await import("../../arms/index.ts");
  const { nativeEntries } = await import("../../arms/native/index.ts");
  const arms = [...listed, ...nativeEntries().map(({ arm }) => arm)];
  if (json) {
    process.stdout.write(
      `${JSON.stringify(
        arms.map(({ id, title, source, options }) => ({ id, title, source, options })),
        null,
        2,
      )}\n`,
    );
    return;
  }
  for (const { id, title, source, options } of arms) {
    process.stdout.write(`${id}\n  ${title}\n  ${sourceLine(source)}\n`);
    const knobs = Object.entries(options).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
    if (knobs.length > 0) process.stdout.write(`  options: ${knobs.join(", ")}\n`);
    if (source.kind === "mirror")
      for (const line of source.notModelled) process.stdout.write(`  not modelled: ${line}\n`);
  }
}

function sourceLine(source: Source): string {
  switch (source.kind) {
    case "mirror":
      return `mirrors ${source.product} at ${source.commit} (${source.path})`;
    case "variant":
      return `variant of ${source.of}: ${source.change}`;
    case "native":
      return `native: the real ${source.product} ${source.version}, run where --arms names it`;
    case "control":
      return "control";
  }
}
