/** How V8 runs the commands. */
import { setFlagsFromString } from "node:v8";

/**
 * Has V8 optimise a function later than it would in a server: commands live for seconds, and compiling takes a processor of
 * its own from the work (about a sixth of the CPU time of `exam`). What runs long enough to gain by it is still optimised.
 */
export const optimiseLater = (): void => setFlagsFromString("--interrupt-budget=1000000");

/**
 * Has V8 let its heap grow by half between two collections and not by several times: what an import reads is forgotten line
 * by line, so the rest of that room would only hold what is no longer needed (a third of the memory of a large import).
 */
export const collectEarlier = (): void => setFlagsFromString("--heap-growing-percent=50");
