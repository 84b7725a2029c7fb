/** What to say where a name is not one of the known ones. */
import { UsageError } from "./errors.ts";

/** `No arm "codx". Did you mean "codex"? Arms: codex, opencode.` The guess is left out where no known name is near. */
export function unknownName(kind: string, name: string, known: readonly string[]): UsageError {
  const near = nearest(name, known);
  const guess = near === undefined ? "" : ` Did you mean "${near}"?`;
  const list = known.length === 0 ? `There are no ${kind}s.` : `${capitalised(kind)}s: ${known.join(", ")}.`;
  return new UsageError(`No ${kind} "${name}".${guess} ${list}`);
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The known name that the fewest edits lead to, the first of equals; undefined where it takes more edits than a third of the letters, or two. */
function nearest(name: string, known: readonly string[]): string | undefined {
  let best: { readonly name: string; readonly edits: number } | undefined;
  for (const candidate of known) {
    const edits = editDistance(name.toLowerCase(), candidate.toLowerCase());
    const allowed = Math.max(2, Math.floor(candidate.length / 3));
    if (edits <= allowed && edits < candidate.length && edits < (best?.edits ?? Infinity))
      best = { name: candidate, edits };
  }
  return best?.name;
}

/** Insertions, deletions, substitutions and swaps of neighbours that turn one text into the other. */
function editDistance(from: string, to: string): number {
  const source = from.slice(0, maxCompared);
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= source.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = source[row - 1] === to[column - 1];
      const swapped = row > 1 && column > 1 && source[row - 1] === to[column - 2] && source[row - 2] === to[column - 1];
      const edits = Math.min(
        (last[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (last[column - 1] as number) + (same ? 0 : 1),
      );
      current.push(swapped ? Math.min(edits, (before[column - 2] as number) + 1) : edits);
    }
    before = last;
    last = current;
  }
  return last[to.length] as number;
}

/** A name longer than this is near nothing; comparing more of it would only take time. */
const maxCompared = 200;
