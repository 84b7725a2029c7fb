/** What an open-book run keeps of each sheet, and how it becomes text and back. */
import { ArtifactError } from "../errors.ts";
import type { RunFolder } from "../run/folder.ts";
import type { Dialogue } from "./dialogue.ts";
import type { RoundName } from "./rounds.ts";

export interface SheetName {
  readonly chain: string;
  /** Records covered. */
  readonly end: number;
  readonly arm: string;
  readonly round: RoundName;
}

const nameOf = ({ chain, end, arm, round }: SheetName): string => `${chain}-${end}-${arm}-${round}.json`;
export const dialogueFile = (name: SheetName): string => `dialogues/${nameOf(name)}`;
const dialogueFailureFile = (name: SheetName): string => `failures/${nameOf(name)}`;

/** The dialogue of a sheet, or undefined where none is kept. Throws ArtifactError for a file that is not one. */
export function readDialogue(folder: RunFolder, name: SheetName): Dialogue | undefined {
  return read(folder, dialogueFile(name)) as Dialogue | undefined;
}

/** Keeps a dialogue. Equal dialogues give equal texts. */
export function keepDialogue(folder: RunFolder, name: SheetName, dialogue: Dialogue): void {
  folder.write(dialogueFile(name), `${JSON.stringify({ ...name, ...dialogue }, null, 1)}\n`);
}

/** Why a sheet failed, or undefined where it did not. */
export function readFailure(folder: RunFolder, name: SheetName): string | undefined {
  return (read(folder, dialogueFailureFile(name)) as { readonly reason: string } | undefined)?.reason;
}

export const keepFailure = (folder: RunFolder, name: SheetName, reason: string): void =>
  folder.derive(dialogueFailureFile(name), `${JSON.stringify({ ...name, reason })}\n`);

export const forgetFailure = (folder: RunFolder, name: SheetName): void => folder.forget(dialogueFailureFile(name));

function read(folder: RunFolder, file: string): unknown {
  const text = folder.read(file);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new ArtifactError(
      folder.at(file),
      "is not JSON. Move it away and run again: what was paid for is in the ledger.",
      { cause },
    );
  }
}
