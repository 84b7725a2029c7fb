/** The stage reports of the assistant. */
import type { Random } from "../../../random.ts";
import type { Notes, Story } from "./story.ts";
import type { StageValues } from "./values.ts";

const candidates = 4;

/** A numbered list of notes. Subjects take turns; of a few drawn endings the one is kept that brings the list nearest to `chars`. */
function noteLines(notes: Notes, random: Random, chars: number): string[] {
  const subjects = random.shuffle(notes.subjects);
  const lines: string[] = [];
  let left = chars;
  for (let index = 0; index < notes.count; index++) {
    const wanted = left / (notes.count - index);
    const distance = (line: string): number => Math.abs(line.length + 1 - wanted);
    const drawn = Array.from({ length: candidates }, () => {
      const finding = random.pick(notes.findings).replace("#", String(random.range(100, 999)));
      return `${index + 1}. ${subjects[index % subjects.length] ?? ""} ${finding}; ${random.pick(notes.consequences)}.`;
    });
    const line = drawn.reduce((best, other) => (distance(other) < distance(best) ? other : best));
    lines.push(line);
    left -= line.length + 1;
  }
  return lines;
}

/** The report of a stage: what was done, and where the story has notes, a list of them that brings it to its length. */
export function stageReport(story: Story, stage: number, values: StageValues, random: Random): string {
  const report = story.reports[stage]?.(values) ?? "";
  if (story.notes === undefined) return report;
  const opening = `${report}\nNotes of this stage:`;
  return [opening, ...noteLines(story.notes, random, story.notes.reportChars - opening.length)].join("\n");
}
