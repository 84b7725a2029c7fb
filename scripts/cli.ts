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

// Without anything left to wait for node ends quietly, also where something was promised and never came.
let hasEnded = false;
process.on("exit", () => {
  if (hasEnded || (process.exitCode !== undefined && process.exitCode !== exitCodes.done)) return;
  process.stderr.write(
    "Ended before it was done: something that was waited for never came, such as what an arm promised.\n",
  );
  process.exitCode = exitCodes.failed;
});

const code = await main(process.argv.slice(2));
hasEnded = true;
process.exitCode = code;
