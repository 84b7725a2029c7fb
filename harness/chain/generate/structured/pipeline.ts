/** The story of `pipeline`: an intake whose settings are decided, argued for and corrected in short reports. */
import type { Story } from "./story.ts";

export const pipelineStory: Story = {
  bank: {
    folders: ["src/intake", "src/router", "src/stage", "lib/retry", "lib/codec", "ops/gate"],
    files: ["lease.rs", "backoff.rs", "ticket.ts", "batch.ts", "schema.py", "ledger.py"],
    verbs: ["hold", "renew", "yield", "count", "close", "defer"],
    nouns: ["lease", "ticket", "batch", "gate", "offset", "shard"],
    shelves: ["spec/intake", "spec/gate", "runbook/oncall", "runbook/replay"],
    pages: ["timeouts.md", "retry.yaml", "schema.json", "gates.toml", "order.txt", "contacts.md"],
  },
  requirements: [
    ({ user }) =>
      `Set up the intake pipeline. A batch may take 512 seconds at the most, messages are AVRO, and the gates follow ${user.page}. Tell me what you decide and why.`,
    ({ user }) =>
      `Partitions come out of order at night. Keep the order within a ticket as ${user.page} demands; order between tickets does not matter to us.`,
    ({ user }) =>
      `The first time cap is withdrawn. A batch now has 384 seconds, because the window before the gate got shorter; see ${user.page} for the new plan.`,
    ({ user }) =>
      `We retry too often and the source has complained. Lower the retry budget to what ${user.page} allows, and tell me which of your reasons change.`,
    ({ user }) =>
      `AVRO is retired. From now on the pipeline writes PARQUET with the columns of ${user.page}. The time cap of the last decision is not affected.`,
    ({ user }) =>
      `The gate moved to the morning, so a batch may take 768 seconds from now on. Correct ${user.page} where it still says something else.`,
    ({ user }) =>
      `On-call wants a way to pause one shard without stopping the rest. Describe it in ${user.page} first, then build it behind the gate.`,
    ({ user }) =>
      `Close the project: list in ${user.page} which decisions hold, which were replaced, and what on-call has to know in the first week.`,
  ],
  reports: [
    ({ ack, decision, report: { paths, names, commits, pull } }) =>
      `${ack}. ${decision}: leases instead of locks, 512 seconds, AVRO. Reason RSN_LATE_PARTITIONS: a lock outlives a slow partition. Retry budget 9. Built in ${paths[0]}, ${paths[1]} and ${paths[2]} with \`${names[0]}\` and \`${names[1]}\`, commits ${commits[0]} and ${commits[1]}, ${pull}.`,
    ({ report: { paths, names, commits, pull } }) =>
      `Decision: order is kept a ticket, by \`${names[0]}\` in ${paths[0]}. Reason: sorting a whole night would need all of it in memory. I had \`${names[1]}\` in ${paths[1]} first and took it out (${commits[0]}), it reordered equal offsets. Test in ${paths[2]}, commit ${commits[1]}, ${pull}.`,
    ({ report: { paths, names, commits, pull } }) =>
      `384 seconds replaces 512. The validation fails: ${paths[0]} renews a lease that has run out. I said leases cannot overlap; that was wrong, \`${names[0]}\` lets them when ${paths[1]} is late. Fix tried in ${commits[0]}, case pinned by ${paths[2]} and \`${names[1]}\`, ${commits[1]}, ${pull}. Gate closed.`,
    ({ report: { paths, names, commits, pull } }) =>
      `Correction: the retry budget is 4, not 9. My reason for 9 was the overlap, which ${commits[0]} removed, so it no longer holds. \`${names[0]}\` in ${paths[0]} counts attempts a ticket, ${paths[1]} spreads them, and \`${names[1]}\` reports what is left. Test in ${paths[2]}, commit ${commits[1]}, ${pull}.`,
    ({ report: { paths, names, commits, pull } }) =>
      `PARQUET replaces AVRO, the cap stays at 384 seconds. Decision: convert in ${paths[0]}, after the order is settled. Reason: a rejected row must still be traceable by \`${names[0]}\`. The old codec is gone (${commits[0]}); ${paths[1]} and ${paths[2]} follow, with \`${names[1]}\` renamed in ${commits[1]}, ${pull}.`,
    ({ report: { paths, names, commits, pull } }) =>
      `768 seconds replaces 384. The validation fails: ${paths[0]} passed the gate twice after a restart. I blamed \`${names[0]}\`; the trace shows that I was wrong and ${paths[1]} kept a stale offset. \`${names[1]}\` now clears it (${commits[0]}), ${paths[2]} shows the fault, ${commits[1]}, ${pull}. Gate closed.`,
    ({ report: { paths, names, commits, pull } }) =>
      `A shard can be paused: \`${names[0]}\` in ${paths[0]} stops taking tickets and lets the open ones end. Decision: no timer of its own. Reason: two clocks would disagree, as \`${names[1]}\` did in my first try (${commits[0]}, reverted). Built in ${paths[1]}, test in ${paths[2]}, commit ${commits[1]}, ${pull}.`,
    ({ report: { paths, names, commits, pull } }) =>
      `In force: leases, order a ticket, retry budget 4, PARQUET, 768 seconds. Replaced: both earlier caps, AVRO, budget 9. On-call should watch \`${names[0]}\` in ${paths[0]} and never restart ${paths[1]} by hand; \`${names[1]}\` is the safe way, see ${paths[2]}. Final commits ${commits[0]} and ${commits[1]}, ${pull}.`,
  ],
  notes: undefined,
  tails: [
    {
      ask: ({ user }) => `Is tail-status.log quiet enough to publish ${user.tailPage}?`,
      answer: () => "It is quiet to the end, publish it.",
    },
    {
      ask: ({ user }) => `Compare tail-status.log with ${user.tailPage}, one sentence will do.`,
      answer: () => "They agree, all gates were idle.",
    },
    {
      ask: ({ user }) => `Anything in tail-status.log that on-call should add to ${user.tailPage}?`,
      answer: () => "Nothing to add, the counters run through without a gap.",
    },
    {
      ask: ({ user }) => `Last look at tail-status.log, then ${user.tailPage} is frozen.`,
      answer: () => "Looked through, nothing waits, it can be frozen.",
    },
  ],
  blockers: {
    2: "a lease was renewed after it had run out",
    5: "a batch passed the gate twice after a restart",
  },
  noise: [
    "NNNN channel CC seq QQQQQ offset RRRRR taken under its own lease",
    "NNNN channel CC seq QQQQQ offset RRRRR handed over to its gates",
  ],
  tailLine: "status NNNN of stage SS: gate idle, all free",
};
