/** The command line as a function: arguments in, exit code out. One file a command under commands/; this one only joins them. */
import yargs, { type Argv, type CommandModule } from "yargs";
import { exitCodes, HarnessError, UsageError } from "../harness/errors.ts";
import * as arms from "./commands/arms.ts";
import * as chains from "./commands/chains.ts";
import * as estimate from "./commands/estimate.ts";
import * as history from "./commands/history.ts";
import * as importing from "./commands/import.ts";
import * as ledger from "./commands/ledger.ts";
import * as openBook from "./commands/open-book.ts";
import * as report from "./commands/report.ts";
import * as run from "./commands/run.ts";
import * as serveOffline from "./commands/serve-offline.ts";
import * as captureShape from "./commands/capture-shape.ts";
import * as composition from "./commands/composition.ts";
import * as prompts from "./commands/prompts.ts";
import * as verifyShape from "./commands/verify-shape.ts";
import { packageVersion } from "./package-version.ts";

const epilogue =
  "Exit codes: 0 done, 1 a cell or a check failed, 2 the command or its input is wrong, 3 the budget stopped it, 130 interrupted (the same command resumes).";

/**
 * Runs one command. What the user can mend is printed as one line on stderr and becomes an exit code; a bug is thrown, with
 * its stack. A command that ends well but found something (a failed cell) leaves its code in `process.exitCode`.
 */
export async function main(argv: readonly string[]): Promise<number> {
  process.exitCode = exitCodes.done;
  const cli = yargs([...argv])
    .scriptName("closed-book")
    .usage("$0 <command>\n\nWhat can a coding agent still answer after context compaction, and what did that cost?")
    .command(withValues(run))
    .command(withValues(report))
    .command(withValues(estimate))
    .command(withValues(ledger))
    .command(withValues(openBook))
    .command(withValues(chains))
    .command(arms)
    .command(history)
    .command(importing)
    .command(withValues(composition))
    .command(withValues(verifyShape))
    .command(withValues(captureShape))
    .command(prompts)
    .command(withValues(serveOffline))
    .demandCommand(1, "Which command?")
    .strict()
    .recommendCommands()
    .version(packageVersion())
    .wrap(Math.min(110, process.stdout.columns ?? 110))
    .epilogue(epilogue)
    .exitProcess(false)
    .fail((message: string | null, error: Error | undefined) => {
      throw error ?? new UsageError(`${sentence(message ?? "The command is wrong")} See closed-book --help.`);
    });
  withoutUnaskedHelp(cli);
  try {
    onceEach(argv);
    await cli.parseAsync();
    return process.exitCode;
  } catch (error) {
    const known = error instanceof HarnessError ? error : (flagFault(error) ?? systemFault(error));
    if (known === undefined) throw error;
    process.stderr.write(`${known.message}\n`);
    return known.exitCode;
  }
}

/** What this needs of a command file. */
interface CommandFile {
  readonly command: string;
  readonly describe: string;
  readonly builder: (yargs: Argv) => Argv;
  readonly handler: (args: never) => Promise<void>;
}

/** The command, whose flags that take a value are refused without one. */
function withValues(file: object): CommandModule {
  const { builder, handler, ...rest } = file as CommandFile;
  return {
    ...rest,
    handler: handler as CommandModule["handler"],
    builder: (yargs) => {
      const built = builder(yargs);
      const { string, array } = (
        built as unknown as { getOptions(): { string: string[]; array: string[] } }
      ).getOptions();
      return built.requiresArg([...string, ...array]);
    },
  };
}

/** yargs 18 lays out the help of every command that it starts, asked or not, which takes longer than the shorter commands do. */
function withoutUnaskedHelp(cli: object): void {
  const inside = cli as Partial<{ getInternalMethods(): { getUsageInstance(): Record<string, unknown> } }>;
  const usage = inside.getInternalMethods?.().getUsageInstance();
  if (usage !== undefined) usage["cacheHelpMessage"] = () => {};
}

/** Flags whose values add up when they repeat. */
const repeatable = new Set(["arm", "arms", "chain", "chains", "cuts"]);

/** Throws UsageError for a flag that is given twice: which of the two is meant nobody can know, and it may be a budget. */
function onceEach(argv: readonly string[]): void {
  const end = argv.indexOf("--");
  const names = argv
    .slice(0, end < 0 ? argv.length : end)
    .flatMap((word) => /^--(?:no-)?([a-z][\w-]*)/.exec(word)?.[1] ?? []);
  const twice = names.find((name, at) => names.indexOf(name) < at && !repeatable.has(name));
  if (twice !== undefined) throw new UsageError(`--${twice} is given twice. Give it once.`);
}

/** What yargs says, on one line and with an end. */
function sentence(message: string): string {
  const line = message.trim().replaceAll(/\s*\n\s*/g, " ");
  return /[.?!]$/.test(line) ? line : `${line}.`;
}

/** What a flag's own check threw, which yargs wraps. */
const flagFault = (error: unknown): UsageError | undefined =>
  error instanceof Error && error.name === "YError" ? new UsageError(error.message, { cause: error }) : undefined;

/** What the file system refused (no space, no permission, read-only) is the user's to mend; anything else is a bug. */
function systemFault(error: unknown): UsageError | undefined {
  const { code, path, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined || !/^E[A-Z]+$/.test(code)) return undefined;
  return new UsageError(
    `${path ?? syscall}: the system refused it (${code}). Mend that and run the same command: what is finished is kept.`,
  );
}
