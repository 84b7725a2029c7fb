/** Acts on the repository: history, diffs, status, commits. */
import type { Commit } from "../beginnings.ts";
import { type Edit, hunks, isNew, lineCount, type SourceFile, tally } from "../files.ts";
import { hex } from "../makers.ts";
import { areaLabel, stemOf } from "../paths.ts";
import { headOf, versionText, type World } from "../world.ts";
import { type Fact, type Perform, plural, shell, wait } from "./act.ts";

/** The abbreviated id that every command of a session prints. */
export const shortSha = ({ sha }: Commit): string => sha.slice(0, 9);

const emailOf = (author: string): string => `${author.toLowerCase().replaceAll(/[^a-z]+/g, ".")}@example.org`;
const byPath = (left: SourceFile, right: SourceFile): number => (left.path < right.path ? -1 : 1);

/** Name of the turn's branch. */
export function branchName(world: World): string {
  const { phase, subject } = world.turn;
  const kind = phase === "bug" ? "fix" : phase === "release" ? "release" : "work";
  const name = subject.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return `${kind}/${name.slice(0, 30).replace(/-[^-]*$|-$/, "")}`;
}

/** Lines that all edits of the branch together added and removed. */
export const branchTally = (world: World): { readonly added: number; readonly removed: number } =>
  tally([...world.branch].flatMap((file) => file.edits));

const isUncommitted = (edit: Edit): boolean => !edit.committed;

export const history: Perform = (world, chars) => {
  const { random, commits } = world;
  wait(world, 1, 6);
  const told = commits[commits.length - 1 - random.below(Math.min(12, commits.length))] as Commit;
  const facts: Fact[] = [
    { kind: "history", values: { sha: shortSha(told), subject: told.subject, author: told.author } },
  ];
  const rest = { facts, aim: { en: "look at the recent commits", zh: "看一下最近的提交" } };
  if (random.chance(0.5)) {
    const count = Math.min(commits.length, Math.max(12, Math.round(chars / 58)));
    const lines = commits.slice(-count).map((commit) => `${shortSha(commit)} ${commit.subject}`);
    return shell(`git log --oneline --abbrev=9 -${count}`, lines.toReversed().join("\n"), rest);
  }
  const count = Math.min(commits.length, Math.max(3, Math.round(chars / 300)));
  const blocks = commits.slice(-count).map(({ sha, author, atMs, subject }) => {
    const date = new Date(atMs).toUTCString().replace(",", "").replace(" GMT", " +0000");
    const label = subject.slice(0, subject.indexOf(":"));
    const near = world.paths.filter((path) => path.includes(label));
    const wanted = Math.min(near.length, random.range(1, 4));
    const rows = random
      .shuffle(near.length > 0 ? near : world.paths)
      .slice(0, Math.max(1, wanted))
      .map((path) => statRow(path, random.range(1, 60), random.below(30)));
    const head = `commit ${sha.slice(0, 12)}\nAuthor: ${author} <${emailOf(author)}>\nDate:   ${date}`;
    return `${head}\n\n    ${subject}\n\n${rows.join("\n")}`;
  });
  return shell(`git log --stat --abbrev-commit --abbrev=12 -${count}`, blocks.toReversed().join("\n\n"), rest);
};

function statRow(path: string, added: number, removed: number): string {
  const scale = Math.max(1, (added + removed) / 40);
  const bar = "+".repeat(Math.ceil(added / scale)) + "-".repeat(Math.floor(removed / scale));
  return ` ${path.padEnd(36)} | ${String(added + removed).padStart(4)} ${bar}`;
}

/** What `git diff` prints for one file. */
function fileDiff(world: World, file: SourceFile, wanted: (edit: Edit) => boolean, contextLines: number): string {
  const { random } = world;
  const { path } = file;
  const head = `diff --git a/${path} b/${path}`;
  if (isNew(file)) {
    const body = `+${file.text.replaceAll("\n", "\n+")}`;
    const index = `new file mode 100644\nindex 000000000..${hex(random, 9)}\n--- /dev/null\n+++ b/${path}`;
    return `${head}\n${index}\n@@ -0,0 +1,${lineCount(file)} @@\n${body}`;
  }
  const index = `index ${hex(random, 9)}..${hex(random, 9)} 100644\n--- a/${path}\n+++ b/${path}`;
  return `${head}\n${index}\n${hunks(file, wanted, contextLines).join("\n")}`;
}

export const diff: Perform = (world, chars) => {
  wait(world, 1, 8);
  const whole = world.random.chance(0.5);
  const wanted = whole ? (): boolean => true : isUncommitted;
  const files = [...world.branch].filter((file) => file.edits.some(wanted)).sort(byPath);
  if (files.length === 0) return history(world, chars);
  const range = whole ? " main...HEAD" : "";
  const rest = { facts: [diffedFact(files, wanted)], aim: { en: "read the diff once more", zh: "再过一遍 diff" } };
  const edits = files.flatMap((file) => file.edits.filter(wanted));
  const spare = chars / 42 - edits.reduce((sum, edit) => sum + edit.afterLines + edit.before.length + 3, 0);
  const contextLines = Math.max(3, Math.min(20, Math.round(spare / (2 * edits.length))));
  const parts: string[] = [];
  let length = 0;
  for (const file of files) {
    if (length > chars * 1.4) break;
    const part = fileDiff(world, file, wanted, contextLines);
    parts.push(part);
    length += part.length;
  }
  if (parts.length === files.length) {
    const flag = contextLines > 3 ? ` -U${contextLines}` : "";
    return shell(`git diff${flag}${range}`, parts.join("\n"), rest);
  }
  const rows = files.map((file) => {
    const { added, removed } = tally(file.edits.filter(wanted));
    return statRow(file.path, added, removed);
  });
  const { added, removed } = tally(edits);
  return shell(`git diff --stat${range}`, `${rows.join("\n")}\n${changeLine(files.length, added, removed)}`, rest);
};

const changeLine = (files: number, added: number, removed: number): string =>
  ` ${plural(files, "file")} changed` +
  (added > 0 ? `, ${plural(added, "insertion")}(+)` : "") +
  (removed > 0 ? `, ${plural(removed, "deletion")}(-)` : "");

function diffedFact(files: readonly SourceFile[], wanted: (edit: Edit) => boolean): Fact {
  const { added, removed } = tally(files.flatMap((file) => file.edits.filter(wanted)));
  const values = {
    files: plural(files.length, "file"),
    filesZh: `${files.length}`,
    tally: `+${added} -${removed}`,
    path: (files[0] as SourceFile).path,
  };
  return { kind: "diffed", values };
}

export const status: Perform = (world) => {
  wait(world, 1, 4);
  const dirty = [...world.branch].filter((file) => file.edits.some(isUncommitted)).sort(byPath);
  const rows = dirty.map((file) => `${isNew(file) ? "??" : " M"} ${file.path}`);
  const name = branchName(world);
  const text = [`## ${name}...origin/main`, ...rows].join("\n");
  return shell("git status --short --branch", text, {
    facts: dirty.length === 0 ? [] : [diffedFact(dirty, isUncommitted)],
    aim: { en: "check the work tree", zh: "检查工作区" },
  });
};

export const commit: Perform = (world) => {
  const { random, turn, story } = world;
  wait(world, 5, 40);
  const files = [...world.branch].filter((file) => file.edits.some(isUncommitted)).sort(byPath);
  const edits = files.flatMap((file) => file.edits.filter(isUncommitted));
  const aim = { en: "commit", zh: "提交" };
  const releases = turn.phase === "release";
  const branch = branchName(world);
  if (edits.length === 0 && !releases) {
    const text = `On branch ${branch}\nnothing to commit, working tree clean`;
    return shell(`git commit -am "${turn.subject}"`, text, { error: true, facts: [], aim });
  }
  if (releases) bumpVersion(world);
  const opens =
    !releases &&
    world.commits.at(-1)?.subject.endsWith(turn.subject) === false &&
    !world.commits.slice(-9).some(({ subject }) => subject.endsWith(turn.subject));
  const subject = commitSubject(world, files, opens);
  const before = headOf(world);
  const sha = hex(random, 40);
  world.commits.push({ sha, subject, author: story.people[0] as string, atMs: world.clock.nowMs });
  for (const edit of edits) edit.committed = true;
  if (opens) world.pr += random.range(1, 7);
  const counted = tally(edits);
  const added = counted.added + (releases ? 14 : 0);
  const removed = counted.removed + (releases ? 3 : 0);
  const changed = files.length + (releases ? 2 : 0);
  const remote = `${story.project}/${story.project}`;
  const lines = [
    `[${branch} ${sha.slice(0, 9)}] ${subject}`,
    changeLine(changed, added, removed),
    ...files.filter(isNew).map((file) => ` create mode 100644 ${file.path}`),
    `To git@git.example.org:${remote}.git`,
    `   ${shortSha(before)}..${sha.slice(0, 9)}  ${branch} -> ${branch}`,
    ...(opens ? [`https://git.example.org/${remote}/pull/${world.pr}`] : []),
  ];
  const values = {
    sha: sha.slice(0, 9),
    subject,
    files: plural(changed, "file"),
    filesZh: `${changed}`,
    tally: `+${added} -${removed}`,
    pr: `${world.pr}`,
    ...(releases ? { version: versionText(world) } : {}),
  };
  const tag = releases ? ` && git tag v${versionText(world)}` : "";
  const open = opens ? " -u origin HEAD && gh pr create --fill" : "";
  return shell(`git add -A && git commit -m "${subject}"${tag} && git push${open}`, lines.join("\n"), {
    facts: [{ kind: "committed", values }],
    aim,
    timeoutMs: 60_000,
  });
};

function commitSubject(world: World, files: readonly SourceFile[], opens: boolean): string {
  const { random, turn } = world;
  if (turn.phase === "release") return `release ${versionText(world)}`;
  const area = areaLabel(turn.area);
  if (opens) return `${area}: ${turn.subject}`;
  const name = random.pick(world.namesIn(turn.area));
  const stem = stemOf(files[0]?.path ?? turn.area);
  const deeds = [`test ${name}`, `tidy ${name}`, `answer the review of ${stem}`, `guard ${name}`, `cover ${stem}`];
  return `${area}: ${random.pick(deeds)}`;
}

/** Most releases are minor ones. */
function bumpVersion(world: World): void {
  const [major, minor, patch] = world.version;
  world.version = world.random.chance(0.3) ? [major, minor, patch + 1] : [major, minor + 1, 0];
}

/** The branch is merged: the next turn starts from a clean tree. */
export function mergeBranch(world: World): void {
  for (const file of world.branch) file.edits = [];
  world.branch.clear();
}
