/** What is wrong with a call's arguments, as the tool error that the model reads. */
import type * as z from "zod";

/** One sentence that names the tool, the argument and the fault. */
export function argsFault(tool: string, error: z.ZodError): string {
  const [issue] = error.issues;
  const where = issue === undefined || issue.path.length === 0 ? "" : ` "${issue.path.join(".")}"`;
  const reason = (issue?.message ?? "are no object").replace(/^Invalid input: /, "");
  return `${tool}: the arguments${where} cannot be used: ${reason}.`;
}
