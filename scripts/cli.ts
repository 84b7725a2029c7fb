/** closed-book: what can a coding agent still answer after context compaction, and what did that cost? */
import { exitCodes } from "../harness/errors.ts";
import { optimiseLater } from "./engine.ts";
import { main } from "./main.ts";

optimiseLater();

// A reader that goes away (| head) is no error of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(exitCodes.done);
});

process.exitCode = await main(process.argv.slice(2));
