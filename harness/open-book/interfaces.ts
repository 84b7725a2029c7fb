/** The interfaces there are, and which one an arm's own design offers. */
import { UsageError } from "../errors.ts";
import { fileInterface } from "./file-tools.ts";
import { journalInterface } from "./journal-tools.ts";
import type { Interface } from "./lookup.ts";
import { windowInterface } from "./window-tools.ts";

const productInterfaces: { readonly [arm: string]: Interface } = {
  "futureos-summarized": journalInterface,
  "futureos-deterministic": journalInterface,
  opencode: fileInterface,
  codex: windowInterface,
};

/** The interface of `--interface` for an arm. Throws UsageError for an arm whose design offers none. */
export function interfaceOf(name: "journal" | "product", arm: string): Interface {
  if (name === "journal") return journalInterface;
  const own = Object.hasOwn(productInterfaces, arm) ? productInterfaces[arm] : undefined;
  if (own === undefined)
    throw new UsageError(
      `The design of arm "${arm}" offers nothing to look back with, as far as it is modelled here. Use --interface journal. Arms with one: ${Object.keys(productInterfaces).join(", ")}.`,
    );
  return own;
}
