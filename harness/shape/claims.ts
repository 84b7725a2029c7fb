/** What an arm's compaction requests say of themselves: whose system prompt and tools they carry. Checked, never believed. */
import * as z from "zod";

const claim = z.strictObject({
  /** `session`: the session's own, byte for byte. `own`: a prompt of the arm's own. */
  system: z.enum(["session", "own"]),
  /** `session`: the session's own, in order. `none`: no definitions. */
  tools: z.enum(["session", "none"]),
});
export type Claim = z.infer<typeof claim>;

/** By arm. An arm that is missing claims nothing. */
export type Claims = { readonly [arm: string]: Claim };

export const claimsSchema: z.ZodType<{ readonly note: string; readonly arms: Claims }> = z.strictObject({
  note: z.string(),
  arms: z.record(z.string(), claim),
});

/** Whether an arm that claims this has to share the session's prefix, given the session's tools. */
export const claimsPrefix = ({ system, tools }: Claim, sessionTools: number): boolean =>
  system === "session" && (tools === "session" || sessionTools === 0);
