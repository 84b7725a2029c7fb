/** The act of reading a pull request with its checks and comments. */
import { lineAt, lineCount } from "../files.ts";
import { hex } from "../makers.ts";
import { areaLabel } from "../paths.ts";
import { render, templateLines } from "../template.ts";
import { areaPaths, headOf, type World } from "../world.ts";
import { type Perform, shell, wait } from "./act.ts";
import { branchName, branchTally, shortSha } from "./git.ts";

const asks = templateLines(`
Could {fn} do this instead? {remark}.
nit: {remark}.
This was {n3} before {h9}. Why {n4} now?
I measured {mib} here on my machine; {remark}.
Seen again in {trace} after the last deploy. {remark}?
Please add a test for an empty {noun}.
{fn} is called twice on this path, once from {fn}.
What happens to the {noun} when {const} is reached? See {trace}.
The build {ver} did not have this. {remark}.
I would name it after the {noun}, not the {member}.
`);

export const pr: Perform = (world, chars) => {
  const { random, story } = world;
  wait(world, 3, 15);
  const [owner] = story.people as [string];
  const reviewer = random.pick(story.people.slice(1));
  const paths = Array.from({ length: Math.max(2, Math.round(chars / 260)) }, () =>
    random.pick(random.chance(0.8) ? areaPaths(world) : world.paths),
  );
  const comments = paths.map((path) =>
    comment(world, path, random.chance(0.75) ? reviewer : random.pick(story.people)),
  );
  const jobs = ["lint", "types", "unit", "integration", "docs"].map((job) => {
    const mark = random.chance(0.12) ? "✗ fail" : "✓ pass";
    return `  ${mark}  ${job.padEnd(12)} ${random.range(1, 9)}m${random.range(10, 60)}s  run ${hex(random, 8)}`;
  });
  const { added, removed } = branchTally(world);
  const verdict = random.pick(["Requested changes", "Commented", "Approved"]);
  const text = [
    `${areaLabel(world.turn.area)}: ${world.turn.subject} #${world.pr}`,
    `Open • ${owner} wants to merge ${branchName(world)} into main • +${added} -${removed} • head ${shortSha(headOf(world))}`,
    `Reviewers: ${reviewer} (${verdict})`,
    "",
    "Checks",
    ...jobs,
    "",
    comments.join("\n\n"),
  ].join("\n");
  const values = { pr: `${world.pr}`, reviewer, count: `${comments.length}`, path: paths[0] as string };
  return shell(`gh pr view ${world.pr} --comments`, text, {
    facts: [{ kind: "reviewed", values }],
    aim: { en: `read the review of PR #${world.pr}`, zh: `读 PR #${world.pr} 的评审意见` },
    timeoutMs: 30_000,
  });
};

function comment(world: World, path: string, author: string): string {
  const { random, makers } = world;
  const file = world.file(path);
  const line = random.range(1, Math.max(2, lineCount(file)));
  const quoted = lineAt(file, line - 1).trim() || lineAt(file, line).trim() || "(blank line)";
  return `${author} commented on ${path}:${line} (${hex(random, 9)})\n> ${quoted}\n${render(random.pick(asks), makers)}`;
}
