/** What to say where a name is not one of the known ones. */
import { distance } from "fastest-levenshtein";
import { UsageError } from "./errors.ts";

/** A name longer than this is near nothing; comparing more of it would only take time. */
const maxCompared = 200;

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
    const edits = distance(name.slice(0, maxCompared).toLowerCase(), candidate.toLowerCase());
    const allowed = Math.max(2, Math.floor(candidate.length / 3));
    if (edits <= allowed && edits < candidate.length && edits < (best?.edits ?? Infinity))
      best = { name: candidate, edits };
  }
  return best?.name;
}
