/** How V8 runs the commands. */
import { setFlagsFromString } from "node:v8";

/**
 * Has V8 optimise a function later than it would in a server: commands live for seconds, and compiling takes a processor of
 * its own from the work (about a sixth of the CPU time of `exam`). What runs long enough to gain by it is still optimised.
 */
export const optimiseLater = (): void => setFlagsFromString("--interrupt-budget=1000000");
