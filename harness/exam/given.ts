/** Sheets from files, so that another harness's questions can be asked unchanged. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { Chain } from "../chain/record.ts";
import { ArtifactError } from "../errors.ts";
import { lastPlace, occurrences } from "./occurrences.ts";
import type { Decoy, Sheet, Target } from "./question.ts";
import { inOrder } from "./sheet.ts";

const sheetSchema = z.object({ present: z.array(z.string()), decoys: z.array(z.string()) });
type SheetFile = z.infer<typeof sheetSchema>;

/**
 * The sheets of a chain from `<chain>-<stage>.json` in `folder`, one a scored boundary (`cuts`, as record counts), stages
 * counted from 0: `{"present":[…],"decoys":[…]}`. A target that stands nowhere in the covered
 * history by the one rule of matching is kept, without a place.
 * Throws ArtifactError for a file that is missing, is no JSON or has another shape; for a value that is empty, padded,
 * has a line break or is given twice; and for a decoy that occurs in the chain.
 */
export function readGivenSheets(folder: string, chain: Chain, cuts: readonly number[], seed: number | string): Sheet[] {
  const files = cuts.map((end, stage) => {
    const path = join(folder, `${chain.name}-${stage}.json`);
    return { path, stage, end, file: readSheetFile(path) };
  });
  const found = occurrences(
    chain.records,
    files.flatMap(({ file }) => [...file.present, ...file.decoys]),
  );
  return files.map(({ path, stage, end, file }): Sheet => {
    const occurring = file.decoys.find((value) => found.get(value)?.occurs);
    if (occurring !== undefined)
      throw new ArtifactError(path, `decoy "${occurring}" occurs in chain "${chain.name}". Put another in its place.`);
    const targets = file.present.map((value): Target => {
      const place = lastPlace(found.get(value), chain.records, end);
      return { kind: "target", value, source: "given", pattern: "given", ...(place && { place }) };
    });
    const decoys = file.decoys.map((value): Decoy => ({ kind: "decoy", value, pattern: "given" }));
    const questions = inOrder([...targets, ...decoys], seed, chain.name, stage);
    return { chain: chain.name, stage, end, questions, redrawn: 0 };
  });
}

function readSheetFile(path: string): SheetFile {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    const missing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    throw new ArtifactError(
      path,
      missing ? "no such file, but the chain has a scored boundary for it." : "cannot be read.",
      { cause },
    );
  }
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (cause) {
    throw new ArtifactError(path, "is no JSON.", { cause });
  }
  const parsed = sheetSchema.safeParse(json);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const where = issue?.path.length ? `"${issue.path.join(".")}": ${issue.message}` : issue?.message;
    throw new ArtifactError(path, `is no sheet {"present":[…],"decoys":[…]}: ${where}.`, { cause: parsed.error });
  }
  checkValues(path, parsed.data);
  return parsed.data;
}

/** Every value has to fit one line of a sheet and be asked once. */
function checkValues(path: string, { present, decoys }: SheetFile): void {
  if (present.length + decoys.length === 0) throw new ArtifactError(path, "asks nothing. Give at least one value.");
  const seen = new Map<string, string>();
  for (const [list, values] of [["present", present] as const, ["decoys", decoys] as const])
    for (const value of values) {
      const name = `value ${JSON.stringify(value)} in "${list}"`;
      if (value === "") throw new ArtifactError(path, `"${list}" holds an empty value. Remove it.`);
      if (value !== value.trim()) throw new ArtifactError(path, `${name} has white space around it. Trim it.`);
      if (/[\r\n\u2028\u2029]/.test(value))
        throw new ArtifactError(path, `${name} has a line break, but a sheet has one line a value.`);
      const other = seen.get(value);
      if (other !== undefined)
        throw new ArtifactError(
          path,
          other === list ? `${name} is given twice. Remove one.` : `${name} is also in "${other}". Remove one.`,
        );
      seen.set(value, list);
    }
}
