/** The story of `analysis`: usage reports over a year of telemetry. */
import type { Story } from "./story.ts";

export const analysisStory: Story = {
  bank: {
    folders: ["src/buckets", "src/quantile", "lib/telemetry", "lib/tenants", "jobs/rollup", "jobs/compare"],
    files: ["sketch.ts", "merge_tree.rs", "window_join.py", "outlier_rules.ts", "region_map.rs", "late_events.py"],
    verbs: ["fold", "sample", "align", "widen", "trim", "weigh"],
    nouns: ["bucket_edge", "tenant_rank", "region_total", "late_event", "sketch_node", "month_frame"],
    shelves: ["docs/meridian", "docs/metrics", "reports/regions", "reports/yearly"],
    pages: ["definitions.md", "quantiles.md", "exclusions.yaml", "regions.toml", "schema.json", "questions.txt"],
  },
  requirements: [
    ({ user }) =>
      `PROJECT=MERIDIAN. I need the yearly usage analysis per tenant and region from raw telemetry. Working memory is capped at 256 MiB, results are JSON, and what counts as usage is defined in ${user.page}. Show me your doubts with the numbers.`,
    ({ user }) =>
      `Events arrive late, some by weeks. Assign each to the day it happened and not to the day we saw it; keep at most ${user.limit} of stragglers per tenant, and list in ${user.page} what you had to leave out and why.`,
    ({ user }) =>
      `The cluster gave us smaller machines. Forget the first memory cap, the new one is 192 MiB, spilling included. If a quantile gets less exact by that, say by how much in ${user.page}. Still JSON, for now.`,
    ({ user }) =>
      `Three regions were merged in spring, as ${user.page} says. Compare years as if they had always been one, but leave the raw counts alone. The comparison table must not be larger than ${user.limit} per region.`,
    ({ user }) =>
      `Change of format: the warehouse cannot load our nested output, so results are written as PARQUET from this stage on and JSON is gone. Column types come from ${user.page}. Do not reopen the memory question.`,
    ({ user }) =>
      `We are back on the large machines. The cap is now 320 MiB; use the room for exact quantiles where ${user.page} asks for them and nowhere else. PARQUET remains the only output, and I read the validation first.`,
    ({ user }) =>
      `Some tenants look wrong in every month. Find out which ones are test accounts by the rules in ${user.page}, and exclude them with a reason each. Evidence per tenant: ${user.limit} at the most, no personal data.`,
    ({ user }) =>
      `Write the closing summary to ${user.page}: findings, what they rest on, the cap and the format that hold now, and what nobody has checked. Stay under ${user.limit}. If a number did not reproduce, leave it out.`,
  ],
  reports: [
    ({ ack, report: { paths, names, commits, pull, measured } }) =>
      `${ack} for PROJECT=MERIDIAN. I understood: usage per tenant and region, 256 MiB of working memory, JSON results. Events are read once by ${paths[0]}, put into buckets by \`${names[0]}\`, and merged in ${paths[1]} with \`${names[1]}\`, which keeps the edges sorted. The definition of usage is a table in ${paths[2]}, so that it can change without the code. First version ${commits[0]}, bucket fix ${commits[1]}, review in ${pull}. A month takes ${measured} at its peak. My doubt: two definitions of a session overlap, and I took the narrower one.`,
    ({ report: { paths, names, commits, pull, measured } }) =>
      `Late events now count for the day on which they happened. ${paths[0]} keeps an open frame a day, \`${names[0]}\` closes it when the stragglers' share runs out, and ${paths[1]} writes down what was turned away and why. Before this, about a tenth of the weekend was booked on Mondays. The boundary cases are in ${paths[2]}; \`${names[1]}\` has a test for the hour that occurs twice in autumn. Commits ${commits[0]} and ${commits[1]}, ${pull}. The open frames bring the peak to ${measured}.`,
    ({ report: { paths, names, commits, pull, measured } }) =>
      `192 MiB replaces the first cap. The sketches in ${paths[0]} are narrower, \`${names[0]}\` spills the coldest tenants, and the widest error of a high quantile that I could find is written on the page you named. The validation fails in this stage: after a spill, ${paths[1]} merged two halves of one tenant under two ranks. \`${names[1]}\` is the place, ${commits[0]} reproduces it in ${paths[2]}, and a candidate fix is ${commits[1]} in ${pull}. Peak ${measured}; nothing is published.`,
    ({ report: { paths, names, commits, pull, measured } }) =>
      `Ranks are stable after a spill again (${commits[0]}). The merged regions are mapped in ${paths[0]} when years are compared and nowhere earlier, so the raw counts are what they were. \`${names[0]}\` draws the table, and ${paths[1]} cuts it where it would outgrow its limit, smallest tenants first. I compared the sums before and after the mapping, by hand for one region and with \`${names[1]}\` for the others. Test in ${paths[2]}, commit ${commits[1]}, ${pull}, peak ${measured}.`,
    ({ report: { paths, names, commits, pull, measured } }) =>
      `PARQUET is written, JSON is removed. ${paths[0]} flattens a result before it is stored, the column types are read from your page by \`${names[0]}\`, and a value that does not fit its type stops the job with the tenant's rank (${commits[0]}). The old writer in ${paths[1]} is deleted. I loaded the files into an empty warehouse and counted: same rows, same sums. \`${names[1]}\` got a new test in ${paths[2]}, commit ${commits[1]}, ${pull}. The cap of 192 MiB holds with ${measured}.`,
    ({ report: { paths, names, commits, pull, measured } }) =>
      `From here on 320 MiB is the cap, and 192 MiB is history. Exact quantiles are computed in ${paths[0]} for the columns that the page lists; \`${names[0]}\` refuses any other (${commits[0]}). The validation is red in this stage: one region's exact median differs from the sketch by more than the bound. The bound was right and ${paths[1]} was not, because \`${names[1]}\` dropped the last frame of a month. ${paths[2]} pins it, ${commits[1]}, ${pull}. Peak ${measured}; results are withheld.`,
    ({ report: { paths, names, commits, pull, measured } }) =>
      `The last frame of a month counts again, and the median agrees with the sketch. Test accounts are found by ${paths[0]} with the rules of your page alone; \`${names[0]}\` attaches the rule that matched, and ${paths[1]} writes one line of evidence a tenant (${commits[0]}). I first thought a reseller was a test account too and was wrong: its pattern is a nightly import. \`${names[1]}\` now knows the difference, see ${paths[2]}, commit ${commits[1]} in ${pull}. Peak ${measured}.`,
    ({ report: { paths, names, commits, pull, measured } }) =>
      `The summary is in place. It states 320 MiB and PARQUET as what holds, and names each finding with the query that yields it. Every number was computed twice, from ${paths[0]} and from ${paths[1]}; one growth rate did not reproduce and is left out, with \`${names[0]}\` as the likely reason. Unchecked: what happens when two tenants merge (\`${names[1]}\`, ${paths[2]}). Final state ${commits[0]}, wording ${commits[1]}, both in ${pull}. The closing run peaked at ${measured} with a green validation.`,
  ],
  notes: {
    count: 32,
    reportChars: 7230,
    subjects: [
      "The day frame around the change of the clocks",
      "The sketch of the largest tenant, merged twice,",
      "The region table before it is cut to size",
      "The straggler list of an ordinary weekday",
      "The rank order after a spill to disk",
      "The join of months with different lengths",
      "The exclusion rules, read from top to bottom,",
      "The bucket edges of the smallest region",
      "The comparison of both years, tenant by tenant,",
      "The warehouse load into an empty table",
    ],
    findings: [
      "reproduced # figures of the previous stage to the last place that is printed",
      "moved # events to another day, each with its reason beside the event",
      "needed # passes where a single one had been planned, since the edges were not sorted",
      "held # open frames at the worst moment and closed them all in the order planned for",
      "was recomputed from the raw events for # tenants and gave the same ordering",
      "lost nothing when # batches were replayed in a random order not a sorted one",
      "disagreed with the quick query in # places, all of which the late events explain",
      "stayed within its bound for # quantiles, the widest of them in a rather small region",
    ],
    consequences: [
      "so the figure may be quoted, but only together with the definition it rests on",
      "I would not publish it before somebody else has run the very same query as well",
      "the definition alone decides the outcome here, and the page should mention that",
      "this is a property of the data, which nobody chose, and not a fault of the program",
      "it costs a little time and buys an answer that does not depend on any ordering",
      "an average would have looked calmer on paper and would have hidden exactly this",
      "nothing follows for the totals, only for the order of the small tenants",
    ],
  },
  tails: [
    {
      ask: ({ user }) => `Short stop: what does the end of tail-status.log say, and is ${user.tailPage} still right?`,
      answer: () => "The log ends with all frames closed and no spill pending. The page is still right.",
    },
    {
      ask: ({ user }) => `Does anything in tail-status.log force us to change ${user.tailPage}?`,
      answer: () => "No. The log only counts closed frames, in order, and the page does not depend on them.",
    },
    {
      ask: ({ user }) => `Check tail-status.log against ${user.tailPage} before I hand you the next part.`,
      answer: () => "Checked. All lines are counters, none is missing, and the page says the same.",
    },
    {
      ask: ({ user }) => `I want ${user.tailPage} closed today. Is tail-status.log clean to the last line?`,
      answer: () => "It is clean to the last line: frames closed, sketches merged, nothing pending.",
    },
  ],
  blockers: {
    2: "one tenant appears under two ranks after a spill",
    5: "an exact median lies outside the bound of its sketch",
  },
  noise: [
    "NNNN seq QQQQQ channel CC tenant RRRRR added to a frame of a day",
    "NNNN seq QQQQQ channel CC tenant RRRRR merged into their sketch",
  ],
  tailLine: "status NNNN of stage SS: frames closed, sketches merged, no spill pending, the order stands",
};
