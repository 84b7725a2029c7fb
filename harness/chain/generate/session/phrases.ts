/** What the assistant says about the results, in English and Chinese. Slots are values that the results showed. */
import type { FactKind } from "./acts/act.ts";
import { type Template, templateLines } from "./template.ts";

export interface Wording {
  readonly en: readonly Template[];
  readonly zh: readonly Template[];
}

export const wording = (en: string, zh: string): Wording => ({ en: templateLines(en), zh: templateLines(zh) });

/** What can be said about a fact; a sentence whose slots it does not have is not used for it. */
export const aboutFacts: Record<FactKind, Wording> = {
  listed: wording(
    `
\`{area}\` holds {count} files; the largest is \`{path}\` with {lines} lines.
Of the {count} files in \`{area}\`, \`{path}\` stands out at {size}.
The bulk of \`{area}\` is \`{path}\` ({size}).
`,
    `
\`{area}\` 里共 {count} 个文件，最大的是 \`{path}\` （ {size} ）。
列了一遍 \`{area}\` ，{count} 个文件里 \`{path}\` 最长，有 {lines} 行。
`,
  ),
  read: wording(
    `
\`{name}\` sits at line {line} of \`{path}\` and is where this has to change.
\`{path}\` says it at line {noteLine}: {note}. That is the assumption to keep.
The part of \`{path}\` that matters is \`{name}\` (line {line}).
According to \`{path}\`, {note}; so \`{name}\` can stay as it is.
\`{path}\` takes for granted that {note}, which no longer holds everywhere.
I had forgotten that {note} (\`{path}\`, line {noteLine}).
Everything in \`{path}\` goes through \`{name}\`, so one place is enough.
Lines {from} to {to} of \`{path}\` have nothing to do with it.
\`{name}\` is the only function of \`{path}\` that needs to know.
The comment at line {noteLine} of \`{path}\` is the clue: {note}.
From line {line} of \`{path}\` on, \`{name}\` does the actual work.
\`{path}\` (lines {from} to {to}) is older than the rest and was never adapted.
I went through \`{path}\`; \`{name}\` is short, and everything around it is bookkeeping.
`,
    `
\`{path}\` 第 {noteLine} 行的注释写着“{note}”，这个前提要保留。
要改的是 \`{path}\` 第 {line} 行的 \`{name}\` 。
\`{path}\` 的 {lines} 行看完了，和这件事无关。
\`{path}\` 里都经过 \`{name}\` ，改一处就够了。
`,
  ),
  absent: wording(
    `
\`{path}\` does not exist; what I was after is in \`{close}\`.
There is no \`{path}\`, I had the name wrong.
`,
    `
没有 \`{path}\` 这个文件，内容在 \`{close}\` 里。
`,
  ),
  found: wording(
    `
\`{name}\` shows up {hits} in {files}, first in \`{path}\`.
I counted where \`{name}\` is used: {hits}, the last in \`{last}\`.
\`{name}\` is mentioned {hits}; only \`{path}\` has to change.
\`{name}\` is called from \`{last}\` as well, which I did not expect.
`,
    `
\`{name}\` 共出现 {hitsZh} 次，分布在 {filesZh} 个文件里，第一处在 \`{path}\` 。
搜到 {hitsZh} 个 \`{name}\` ，最后一处在 \`{last}\` 。
`,
  ),
  edited: wording(
    `
\`{name}\` in \`{path}\` now respects that {reason}.
I changed \`{path}\` at line {line} ({tally}), because {reason}.
\`{name}\` now looks at \`{variable}\` before it goes on (\`{path}\`, {tally}).
\`{path}\` got the guard that was missing around line {line} ({tally}).
The change to \`{name}\` is small, {tally} at line {line}.
\`{path}\`, line {line}: {reason}, and the code says so now.
In \`{path}\` I handle \`{variable}\` where it first appears.
\`{path}\` is changed in one place, line {line} ({tally}).
The edit of \`{path}\` ({tally}) is what the test asks for.
`,
    `
改了 \`{path}\` 第 {line} 行附近（{tally}）。
\`{name}\` 现在会先检查 \`{variable}\` ，改动在 \`{path}\` 。
\`{path}\` 第 {line} 行补上了缺少的判断。
`,
  ),
  missed: wording(
    `
One edit of \`{path}\` did not apply; line {line} was not what I remembered.
My first edit of \`{path}\` missed, so I took the text from line {line} again.
`,
    `
\`{path}\` 的一处修改没有匹配上，重新对照了第 {line} 行。
`,
  ),
  wrote: wording(
    `
New file: \`{path}\`, {lines} lines.
I added \`{path}\` ({size}).
\`{path}\` is new and pins down what we agreed ({lines} lines).
`,
    `
新增 \`{path}\` ，{lines} 行， {size} 。
`,
  ),
  covered: wording(
    `
I added {test} to \`{path}\`.
{test} in \`{path}\` is new and holds the behaviour in place.
There is a test for it now, {test} in \`{path}\`.
`,
    `
在 \`{path}\` 里新增了测试 {test}。
`,
  ),
  mended: wording(
    `
{test} had failed because {why}; it passes now.
The cause of the failure: {why}. It is gone, and {test} with it stays as a guard.
{test} is what caught it: {why}.
`,
    `
{test} 之前失败的原因是{whyZh}，现在已通过。
`,
  ),
  passed: wording(
    `
All {count} tests of {scope} pass in {seconds} s ✅
{count} tests pass ({scope}, {seconds} s).
{test} passes again, and {count} tests with it.
No failures in {scope}: {count} tests, {seconds} s.
With the change {test} in \`{path}\` is green; {count} passed in all.
`,
    `
{scopeZh}共 {count} 项测试通过，用时 {seconds} 秒 ✅。
{test} 恢复正常，{count} 项测试全部通过。
跑完 {count} 项测试，没有失败。
`,
  ),
  failed: wording(
    `
{test} fails, and I know why: {why}.
{test} is red at \`{path}\` line {line}, {left} instead of {right}; {why}.
1 of {count} fails, {test}: {why}.
\`{path}\` line {line} expects {right} and gets {left}. My reading: {why}.
{passed} pass and one does not, {test} ❌
`,
    `
{test} 失败：{whyZh}（ \`{path}\` 第 {line} 行，得到 {left}，应为 {right}）。
{count} 项测试里有 1 项失败，是 {test}：{whyZh}。
`,
  ),
  linted: wording(
    `
The checker has {count}, the first in \`{path}\` at line {line} ({rule}).
{count} from the checker, starting with {rule} in \`{path}\`.
`,
    `
类型检查报了 {countZh} 个问题，第一个在 \`{path}\` 第 {line} 行（{rule}）。
`,
  ),
  clean: wording(
    `
The checker is quiet on all {files} source files.
No complaints from the checker ({files} files).
`,
    `
类型检查 {files} 个文件，全部通过。
`,
  ),
  crashed: wording(
    `
I got it to crash: {what}. The deepest frame is \`{name}\` in \`{path}\`, line {line}.
It falls over in \`{path}\` at line {line}: {what}.
The trace ends in \`{name}\` (\`{path}\`, line {line}) 💥 In words: {what}.
`,
    `
崩在 \`{path}\` 第 {line} 行的 \`{name}\` ：{whatZh} 💥。
`,
  ),
  logged: wording(
    `
The log has it: {what}.
What I see in the log: {what}.
The run went through, but {what}.
One line of the log is new to me: {what}.
`,
    `
日志里能看到：{whatZh}。
这一次运行里，{whatZh}。
`,
  ),
  measured: wording(
    `
Measured: {label} at {median} ms median and {high} ms p95 📊
{label} takes {median} ms now, peak {peak}.
The figure to watch is {label}: {median} ms over {runs} runs, {peak}.
{label} peaks at {peak}.
`,
    `
实测{labelZh}：中位数 {median} 毫秒，峰值 {peak} 📊。
{labelZh}跑了 {runs} 次，中位数 {median} 毫秒。
`,
  ),
  counted: wording(
    `
The JSON shows that {what}.
One entry of the output matters: {what}.
In the output {what}.
`,
    `
输出里有一条值得注意：{whatZh}。
`,
  ),
  built: wording(
    `
The build is through: {what} 📦
It builds, and {what}.
As for the build, {what}.
`,
    `
构建完成：{whatZh} 📦。
`,
  ),
  committed: wording(
    `
Commit {sha} ("{subject}") has it: {files}, PR #{pr}.
Pushed as {sha} to PR #{pr}.
{sha} is on the branch: {subject} ({tally}).
PR #{pr} now stands at {sha}, {files} changed.
Tagged \`v{version}\` at {sha}.
`,
    `
已提交 {sha} ，改动 {filesZh} 个文件，见 PR #{pr} 。
PR #{pr} 现在的提交是 {sha} （{tally}）。
`,
  ),
  reviewed: wording(
    `
{reviewer} left {count} comments on PR #{pr}, and the one on \`{path}\` is right.
PR #{pr} has {count} comments; I take those on \`{path}\` first.
I agree with {reviewer} about \`{path}\` (PR #{pr}).
`,
    `
{reviewer} 在 PR #{pr} 上留了 {count} 条意见，先处理 \`{path}\` 。
`,
  ),
  history: wording(
    `
It came in with {sha} ("{subject}").
{author} touched this last, in {sha}.
The commit to look at is {sha}, {subject}.
`,
    `
相关的提交是 {sha} （ {subject} ）。
`,
  ),
  diffed: wording(
    `
The diff touches {files} ({tally}).
So far {files} differ, \`{path}\` among them.
I went over the diff once more; \`{path}\` is as I want it.
`,
    `
目前改动了 {filesZh} 个文件（{tally}），包括 \`{path}\` 。
`,
  ),
};

/** What may follow a sentence about a fact. */
export const afterthoughts: Partial<Record<FactKind, Wording>> = {
  failed: wording(
    `
The test is right and the code is wrong.
I can reproduce it with that test alone.
It failed before my change, too.
That is the bug you saw.
I do not want to touch the test.
`,
    `
测试没有问题，是代码错了。
单独跑这一项也能复现。
`,
  ),
  crashed: wording(
    `
The frames above it are only passing it on.
It happens every time, so it is not a race.
The same input worked last week.
`,
    `
每次都会出现，不是竞态。
`,
  ),
  logged: wording(
    `
That fits what you described.
It is harmless, but I would rather not see it.
The older logs do not have it.
It happens once per run.
`,
    `
和你描述的情况一致。
旧日志里没有这一条。
`,
  ),
  counted: wording(
    `
The other entries look right.
I checked two neighbours by hand, and they are fine.
This is the case that nobody tests.
`,
    `
其余条目看起来正常。
`,
  ),
  measured: wording(
    `
The spread between runs is small.
I ran it twice to be sure.
Nothing else ran on the machine.
`,
    `
多次运行之间差别不大。
`,
  ),
  edited: wording(
    `
Callers do not notice.
The old path stays as it was.
It costs one comparison.
`,
    `
调用方不受影响。
`,
  ),
  found: wording(
    `
The rest are tests.
I looked at each of them.
None of them relies on the old behaviour.
`,
    `
其余都是测试。
`,
  ),
  passed: wording(
    `
The new cases are among them.
No test was skipped.
Nothing was left out.
`,
    `
没有跳过任何一项。
`,
  ),
  reviewed: wording(
    `
Two of the remarks are about names only.
The others I answered there.
`,
    `
其余的已经在那边回复。
`,
  ),
  committed: wording(
    `
The branch is up to date with main.
One commit, so that it can be reverted on its own.
The message says why.
`,
    `
单独一个提交，方便回退。
`,
  ),
};

/** Headings of lists, by whether the turn is still open. */
export const headings = {
  open: {
    en: ["What I found:", "So far:", "State of things:", "Where this stands:", "Notes:", "What the results say:"],
    zh: ["目前的情况：", "发现如下：", "记录一下："],
  },
  closed: {
    en: ["Summary:", "What changed:", "In short:", "Result:", "To sum up:", "**Done**"],
    zh: ["总结：", "本轮结果：", "改动如下："],
  },
} as const;
