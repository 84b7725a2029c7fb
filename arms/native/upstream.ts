/** The pinned releases of the products: fetched once into an ignored folder, their tarballs checked against `fixtures/upstream.json`. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { ArtifactError, UsageError } from "../../harness/errors.ts";

export const productNames = ["codex", "opencode"] as const;
export type ProductName = (typeof productNames)[number];

const pin = z.object({ package: z.string(), integrity: z.string(), binary: z.string() });
const release = z.object({ version: z.string() }).catchall(z.union([z.string(), pin]));
const pins = z.object({ codex: release, opencode: release });

/** Ignored folder of everything that is not this project's own: releases, their homes, their prompts. */
export const upstreamFolder = new URL("../../.upstream", import.meta.url).pathname;
const pinsFile = new URL("../../fixtures/upstream.json", import.meta.url);

export interface Release {
  readonly product: ProductName;
  readonly version: string;
  /** Path of the program. */
  readonly binary: string;
}

/** The version of a product that is pinned. */
export const pinnedVersion = (product: ProductName): string => readPins()[product].version;

const readPins = (): z.infer<typeof pins> => pins.parse(JSON.parse(readFileSync(pinsFile, "utf8")));

/** What a platform has of a release: the release, or the reason why not. */
export type Availability =
  | { readonly kind: "pinned"; readonly pin: z.infer<typeof pin>; readonly version: string }
  | { readonly kind: "missing"; readonly reason: string };

/** Whether a release is pinned for a platform (`linux-x64`, …). */
export function availability(product: ProductName, platform = `${process.platform}-${process.arch}`): Availability {
  const { version, ...platforms } = readPins()[product];
  const found = platforms[platform];
  if (typeof found === "object") return { kind: "pinned", pin: found, version };
  const known = Object.keys(platforms).join(", ");
  return {
    kind: "missing",
    reason: `${product} ${version} is not available here: it is pinned for ${known}, and this is ${platform}.`,
  };
}

/** Whether the pinned release of a product is installed, so that it runs without a registry. */
export function isInstalledHere(product: ProductName, folder: string = upstreamFolder): boolean {
  const available = availability(product);
  return (
    available.kind === "pinned" && isInstalled(join(folder, `${product}-${available.version}`), available.pin.integrity)
  );
}

/** The registry cannot be reached: what needs the release may be left out, and tried again later. */
export class UnreachableError extends UsageError {}

/** What a registry gives: a tarball in a folder, and the integrity that the registry states for a package. */
export interface Registry {
  /** Fetches the tarball of a package into a folder and says where it is. */
  fetch(name: string, folder: string): string;
  /** The integrity that the registry states for a package. */
  integrityOf(name: string): string;
}

/**
 * The release of a product, installed where it is not yet: the pinned one, or `version`, whose integrity is the one that the
 * registry states. Throws UsageError where the platform has none or there is no such version, UnreachableError where the
 * registry cannot be reached, and ArtifactError where what arrived is something else; nothing is then left behind.
 */
export function install(
  product: ProductName,
  {
    version,
    folder = upstreamFolder,
    registry = npmRegistry,
  }: { readonly version?: string; readonly folder?: string; readonly registry?: Registry } = {},
): Release {
  const available = availability(product);
  if (available.kind === "missing") throw new UsageError(available.reason);
  const { pin } = available;
  const wanted = version ?? available.version;
  if (!/^\d+\.\d+\.\d+[\w.-]*$/.test(wanted))
    throw new UsageError(`"${wanted}" is no version of ${product}. Give one like ${available.version}.`);
  const isPinned = wanted === available.version;
  const name = pin.package.replace(available.version, wanted);
  const home = join(folder, `${product}-${wanted}`);
  const binary = join(home, "package", pin.binary);
  if (!isInstalled(home, isPinned ? pin.integrity : undefined)) {
    process.stderr.write(`Installing ${name} into ${folder} …\n`);
    const expected = isPinned ? pin.integrity : registry.integrityOf(name);
    mkdirSync(folder, { recursive: true });
    const making = mkdtempSync(join(folder, "installing-"));
    try {
      const tarball = registry.fetch(name, making);
      const integrity = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
      if (integrity !== expected)
        throw new ArtifactError(
          tarball,
          `is not ${isPinned ? "the pinned" : "the registry's"} "${name}": its integrity is ${integrity}. Nothing was installed.`,
        );
      execFileSync("tar", ["-xzf", tarball, "-C", making]);
      rmSync(tarball);
      writeFileSync(join(making, sealName), `${JSON.stringify({ package: name, integrity })}\n`);
      rmSync(home, { recursive: true, force: true });
      renameSync(making, home);
    } finally {
      rmSync(making, { recursive: true, force: true });
    }
  }
  if (!existsSync(binary)) throw new ArtifactError(binary, `is missing. Delete ${home} and run the command again.`);
  return { product, version: wanted, binary };
}

/** Written last into an installed release. */
const sealName = "installed.json";

function isInstalled(home: string, integrity: string | undefined): boolean {
  const seal = join(home, sealName);
  if (!existsSync(seal)) return false;
  return (
    integrity === undefined ||
    (JSON.parse(readFileSync(seal, "utf8")) as { integrity?: string }).integrity === integrity
  );
}

/** The registry that npm is set up for, asked through npm. */
const npmRegistry: Registry = {
  fetch: (name, folder) => {
    npm(name, ["pack", name, "--pack-destination", folder]);
    const tarball = readdirSync(folder).find((file) => file.endsWith(".tgz"));
    if (tarball === undefined) throw new UsageError(`npm fetched no tarball of "${name}". Run the command again.`);
    return join(folder, tarball);
  },
  integrityOf: (name) => {
    const stated = npm(name, ["view", name, "dist.integrity"]).trim();
    if (stated === "") throw new UsageError(`The registry has no "${name}". Give a version that was released.`);
    return stated;
  },
};

/** What npm prints for a command about a package. */
function npm(name: string, args: readonly string[]): string {
  try {
    return execFileSync("npm", [...args, "--loglevel=error"], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (cause) {
    const said = (cause as { readonly stderr?: string }).stderr ?? "";
    if (/\b(?:E404|ETARGET)\b/.test(said))
      throw new UsageError(`The registry has no "${name}". Give a version that was released.`, { cause });
    throw new UnreachableError(
      `"${name}" cannot be fetched. Check that npm reaches its registry and run the command again.`,
      { cause },
    );
  }
}
