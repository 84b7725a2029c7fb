/** The real programs as arms. They are listed apart and run only where they are asked for by name. */
import { fileURLToPath } from "node:url";
import type { Arm } from "../../harness/arm.ts";
import type { Entry } from "../index.ts";
import { codexNative } from "./codex-native.ts";
import { openCodeNative } from "./opencode-native.ts";
import { type ProductName } from "./upstream.ts";

/** A real program: of which product, and the mirror that is listed. */
export interface NativeEntry extends Entry {
  readonly product: ProductName;
}

/** Releases by product; a product without one runs at its pinned release. */
export type Versions = { readonly [Product in ProductName]?: string };

const at = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** The real programs, in report order, at these releases. */
export const nativeEntries = (versions: Versions = {}): NativeEntry[] => [
  { arm: atVersion(openCodeNative, versions.opencode), product: "opencode", file: at("opencode-native.ts") },
  { arm: atVersion(codexNative, versions.codex), product: "codex", file: at("codex-native.ts") },
];

/** The arm of another release, which its title then names. */
function atVersion(arm: Arm, version: string | undefined): Arm {
  const { source } = arm;
  if (version === undefined || source.kind !== "native" || version === source.version) return arm;
  return {
    ...arm,
    title: arm.title.replace("(real)", `${version} (real)`),
    source: { ...source, version },
    options: { ...arm.options, version },
  };
}
