/** What the assistant says of its own accord: how it starts, what it plans, thinks, remembers and announces. */
import { wording } from "./phrases.ts";

/** What opens the first text of a turn. */
export const openings = wording(
  `
This turn is about {goal}; I start in \`{area}\`.
Understood: {goal}. First a look at \`{area}\`.
So the aim is {goal}. The place for it is \`{area}\`.
On it: {goal} 🔍
Right, {goal}. I stay inside \`{area}\` unless I have to leave it.
I read this as: {goal}, in small steps, all of it in \`{area}\`.
OK, {goal} then.
`,
  `
明白，这一轮要做的是{goal}，从 \`{area}\` 开始。
好的：{goal}。先看 \`{area}\` 。
收到，{goal}。改动尽量只在 \`{area}\` 里。
`,
);

/** What the first text of a turn may plan. */
export const plans = wording(
  `
The order: find the callers of \`{near}\`, change it, then run the tests of \`{area}\`.
Before I touch \`{peer}\` I want to know who calls \`{near}\`.
I expect changes in \`{peer}\` and its tests, and nowhere else.
If \`{near}\` turns out to be the place, the change is small.
First the facts, then the change.
My suspicion is \`{near}\`, but I want to see it fail first.
I leave \`{elsewhere}\` alone, whatever I find there.
The risk is in \`{peer}\`, because {remark}.
I will note what I assume: {remark}.
`,
  `
顺序是：先找 \`{near}\` 的调用方，再改，最后跑 \`{area}\` 的测试。
动 \`{peer}\` 之前，先弄清楚谁在用 \`{near}\` 。
预计只改 \`{peer}\` 和它的测试。
我怀疑是 \`{near}\` ，不过要先复现。
`,
);

/** What announces the next calls. */
export const intentions = wording(
  `
Next I {aim}.
I will {aim} now.
Let me {aim}.
To be sure I {aim} next.
Now I {aim}.
Before anything else I {aim}.
Time to {aim}.
That leaves one thing open, so I {aim}.
Then I {aim}.
I want to be certain: I {aim}.
The next thing is to {aim}.
With that in mind I {aim}.
Let me {aim} before I go on.
I {aim}, to see whether that holds.
`,
  `
接下来{aim}。
然后{aim}。
为了确认，{aim}。
现在{aim}。
先{aim}。
`,
);

/** What ends a turn. */
export const endings = wording(
  `
That closes {goal} 🎉
Done with {goal}; ready when you are.
So much for {goal}.
From my side that settles {goal}.
That is all for {goal}. Say so if you want it different.
I consider {goal} done 👍
`,
  `
{goal}已经完成 🎉。
以上，{goal}到此结束，有问题随时说。
{goal}这边没有遗留了。
`,
);

/** What reminds of a constraint of the user. */
export const reminders = wording(
  `
Still in force: {rule}.
As agreed, {rule}.
I kept to the rule that {rule}.
For the record, {rule}.
`,
  `
约束不变：{rule}。
按之前说好的，{rule}。
`,
);

/** What an engineer adds when there is room. */
export const opinions = wording(
  `
I thought about moving \`{near}\` next to \`{caller}\`, but that is another change.
The weak spot that remains is \`{near}\`: {remark}.
\`{near}\` keeps its signature, so \`{caller}\` does not have to change.
What I am not sure about is whether \`{peer}\` still relies on \`{near}\`.
I would do \`{caller}\` in a follow-up, since {remark}.
There is a second way into \`{near}\`, by way of \`{caller}\`, and it is harmless.
I compared \`{near}\` and \`{caller}\` by hand, and they agree.
It is worth knowing that {remark}.
If this comes back, look at \`{near}\` first and at \`{peer}\` second.
A smaller fix inside \`{caller}\` would have hidden the cause.
One alternative was a flag on \`{near}\`; I decided against it, because then every caller has to know that {remark}.
\`{peer}\` could be split now, but not in this change.
I did not touch \`{elsewhere}\`, although it has the same pattern.
The name \`{near}\` is misleading, and I left it: renaming it would bury the change.
My first idea was to change \`{caller}\`. Wrong: {remark}.
Correction of what I said earlier: it is \`{near}\`, not \`{caller}\`, that decides.
An open question for you: should \`{near}\` warn, or stop?
`,
  `
剩下的弱点是 \`{near}\` 。
\`{near}\` 的签名保持不变， \`{caller}\` 不用改。
如果再出现，先看 \`{near}\` ，再看 \`{peer}\` 。
把判断放进 \`{caller}\` 只会掩盖原因。
\`{elsewhere}\` 有同样的写法，这次没有动。
更正一下：决定结果的是 \`{near}\` ，不是 \`{caller}\` 。
\`{peer}\` 以后可以拆开，这次先不动。
手工对照了 \`{near}\` 和 \`{caller}\` ，结果一致。
还有一个问题要请你定： \`{near}\` 遇到这种情况是警告还是停止？
`,
);
