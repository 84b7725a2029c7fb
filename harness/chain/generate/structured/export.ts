/** The story of `export`: a nightly ledger export that must stay small. */
import type { Story } from "./story.ts";

export const exportStory: Story = {
  bank: {
    folders: ["src/ledger", "src/export", "lib/rows", "lib/masking", "tools/replay", "tools/nightly"],
    files: [
      "page_reader.rs",
      "row_writer.rs",
      "account_cursor.rs",
      "roll_over.ts",
      "resume_marker.ts",
      "field_order.py",
    ],
    verbs: ["flush", "seal", "drain", "borrow", "rewind", "tally"],
    nouns: ["open_segment", "row_window", "account_page", "resume_slot", "mask_table", "spill_ring"],
    shelves: ["docs/ledger", "docs/export", "handbook/nightly", "handbook/storage"],
    pages: ["column-order.md", "resume-rules.md", "masking.yaml", "retention.toml", "limits.json", "rollback.txt"],
  },
  requirements: [
    ({ user }) =>
      `PROJECT=ATLAS. Build the nightly ledger export as a streaming job. Peak memory has to stay below 128 MiB, the output is CSV, and the column order in ${user.page} is binding. Nothing goes out before I have seen a green validation.`,
    ({ user }) =>
      `A run that was killed must resume where it stopped and write no row twice. Roll a file over every ${user.limit}, and describe the resume marker in ${user.page} so that an operator can repair one by hand.`,
    ({ user }) =>
      `From Monday we share the host with billing, so the first memory limit is void. The new cap is 64 MiB for the whole process. Put your reasoning into ${user.page}; everything else stands, CSV included.`,
    ({ user }) =>
      `Legal wants account holders masked before a row leaves the process. The rules are in ${user.page}: read them as data, and let no name reach a log. For the review, keep a masked sample of at most ${user.limit}.`,
    ({ user }) =>
      `The format changes. Nobody reads the CSV any more, so drop it: the export writes JSONL from now on, one account a line, with the field names of ${user.page}. The memory cap I gave you last still holds.`,
    ({ user }) =>
      `Billing has a host of its own now, so we can breathe again. The cap rises to 96 MiB and no further. Record the measurement behind it in ${user.page}, and keep writing JSONL as decided before.`,
    ({ user }) =>
      `Old exports pile up. Add a cleanup that keeps the last four generations and never touches one that is still open, with a scratch space of ${user.limit}. Its policy belongs in ${user.page}; leave the job switched off.`,
    ({ user }) =>
      `Get the handover ready: a single page at ${user.page} with the cap and the format in force, the open risks and the way back. The bundle stays under ${user.limit}. Claim nothing that the validation has not shown.`,
  ],
  reports: [
    ({ ack, report: { paths, names, commits, pull, measured } }) =>
      `${ack} for PROJECT=ATLAS: the requirement is taken over as it stands, 128 MiB and CSV. The reader in ${paths[0]} holds one page of accounts at a time through \`${names[0]}\`, the writer in ${paths[1]} hands rows over through \`${names[1]}\`, and ${paths[2]} fixes the column order. The skeleton is commit ${commits[0]}, the ordering is ${commits[1]}, both in ${pull}. The longest replay so far needed ${measured}. I read the frozen settings, the validation and the trace before I changed anything.`,
    ({ report: { paths, names, commits, pull, measured } }) =>
      `Resuming works. A marker is written after every sealed file by \`${names[0]}\` in ${paths[0]}, and the start looks for it in ${paths[1]} before it opens a cursor; \`${names[1]}\` drops the rows of a half-written file. I killed the replay at forty places and compared the output with an undisturbed run: no row twice, none missing. Commits ${commits[0]} and ${commits[1]}, ${pull}, test in ${paths[2]}. The marker adds nothing to the peak, which is at ${measured}.`,
    ({ report: { paths, names, commits, pull, measured } }) =>
      `The cap of 64 MiB replaces the earlier one. The page size is halved in ${paths[0]}, \`${names[0]}\` now waits for the writer instead of running ahead, and the ring in ${paths[1]} is gone (${commits[0]}). The validation of this stage fails all the same: the second replay counts other rows than the first. I suspect \`${names[1]}\` in ${paths[2]} and have pinned the case as ${commits[1]} in ${pull}. Peak ${measured}. Deployment is held back until the counts agree.`,
    ({ report: { paths, names, commits, pull, measured } }) =>
      `The row counts agree again; the cursor had skipped a page when the writer was slow (${commits[0]}). Masking happens in ${paths[0]} before a row is formatted, driven by the table that \`${names[0]}\` loads once, and ${paths[1]} refuses a record with an unmasked holder. No holder's name is left in any log that I searched. The sample writer is \`${names[1]}\` in ${paths[2]}, commit ${commits[1]}, open as ${pull}. With the table in memory the peak is ${measured}.`,
    ({ report: { paths, names, commits, pull, measured } }) =>
      `CSV is out, JSONL is in. ${paths[0]} writes one account a line, the field names come from the page you named, and the old quoting in ${paths[1]} is deleted rather than kept behind a switch (${commits[0]}). \`${names[0]}\` measures a line before it is written, so that rolling over still happens on a boundary; \`${names[1]}\` does the same for the sample. Round trip in ${paths[2]}, commit ${commits[1]}, ${pull}. The cap is still 64 MiB and the peak ${measured}.`,
    ({ report: { paths, names, commits, pull, measured } }) =>
      `The cap is 96 MiB from here on, which replaces 64 MiB. I gave the room to the page reader in ${paths[0]} and left \`${names[0]}\` as it was (${commits[0]}). The validation fails in this stage: two segments of the replay were sealed in the wrong order when \`${names[1]}\` ran late. The order is now decided in ${paths[1]} and a test in ${paths[2]} shows the fault without the fix, ${commits[1]} in ${pull}. Peak ${measured}, deployment held back.`,
    ({ report: { paths, names, commits, pull, measured } }) =>
      `Sealing is in order again. The cleanup is written and switched off: ${paths[0]} lists generations, \`${names[0]}\` leaves out every one that has an open handle, and ${paths[1]} removes what is older than the fourth (${commits[0]}). Its scratch space is counted by \`${names[1]}\`, not guessed. I tried it on a copy with a handle held open for the whole time; nothing open was touched. Test in ${paths[2]}, commit ${commits[1]}, ${pull}, peak ${measured}.`,
    ({ report: { paths, names, commits, pull, measured } }) =>
      `The handover page is written. In force are 96 MiB and JSONL; superseded are both earlier caps and CSV. Open risks: a slow consumer stalls \`${names[0]}\` in ${paths[0]}, and the cleanup has never run outside a copy (${paths[1]}, \`${names[1]}\`). The way back is to revert ${commits[0]} and then ${commits[1]}, in this order, as rehearsed with ${paths[2]}; the bundle is attached to ${pull}. The last full replay peaked at ${measured}, and the validation was green.`,
  ],
  notes: {
    count: 32,
    reportChars: 7230,
    subjects: [
      "The page reader, looked at over a whole replay,",
      "The row writer with its queue at full length",
      "The resume marker, written and read back,",
      "The account cursor after a forced restart",
      "The roll-over between two neighbouring files",
      "The masking table under a cold start",
      "The replay that starts in the middle of a month",
      "The handle count at the end of the run",
      "The checksum pass over the sealed files",
      "The slow consumer that billing lends us",
    ],
    findings: [
      "went through # accounts without once asking for a page ahead of its turn",
      "paused # times, always because the other side had not confirmed what it was sent",
      "showed # short stalls, none of them longer than the pause the reader makes anyway",
      "was compared with the reference row by row and agreed on all # samples",
      "came back after # interruptions in the state in which it was left",
      "kept its working set flat for # rounds of the replay and gave all of it back at the end",
      "was fed # damaged rows on purpose and rejected each one with its line number",
      "took # turns longer than the first draft did, nearly all of them in the final pass",
    ],
    consequences: [
      "that is what the requirement asks for in so many words, and I left the code as it is",
      "the cause is understood by now and the test that pins it down stays in the suite",
      "no change follows from this, but the reading is written down for the handover",
      "the next stage should look at it once more, before anything at all is deployed",
      "a smaller buffer would only have hidden the effect without removing what causes it",
      "the trace shows the same order of events a second time, so I trust the explanation",
      "I tried the obvious shortcut, saw it lose rows under load, and took it out again",
    ],
  },
  tails: [
    {
      ask: ({ user }) =>
        `Before you go on: look at tail-status.log and tell me whether ${user.tailPage} can be merged.`,
      answer: () => "The queue is drained and the writer idle at the end of the log. The page can be merged.",
    },
    {
      ask: ({ user }) => `One check before the next requirement. Does tail-status.log agree with ${user.tailPage}?`,
      answer: () => "It agrees: every line of the log is a plain counter, and the order is the one the page describes.",
    },
    {
      ask: ({ user }) =>
        `I am about to sign off ${user.tailPage}. Is there anything in tail-status.log that speaks against it?`,
      answer: () => "Nothing speaks against it. The log counts through to its end without a gap or an alarm.",
    },
    {
      ask: ({ user }) => `Read tail-status.log once more, please, and note in ${user.tailPage} that you did.`,
      answer: () => "Read to the end and noted. The writer was idle in every line.",
    },
  ],
  blockers: {
    2: "the second replay counts other rows than the first",
    5: "two segments were sealed in the wrong order",
  },
  noise: [
    "NNNN channel CC seq QQQQQ value RRRRR rows held for this segment",
    "NNNN channel CC seq QQQQQ value RRRRR rows written and released",
  ],
  tailLine: "status NNNN of stage SS: queue drained, writer idle, no open segment, no flush is to follow",
};
