/** The two texts of Codex's compaction, in this project's words: the product's parts and length. */

export interface CodexPrompts {
  /** Last user message of the compaction request; ends with a newline. */
  readonly compaction: string;
  /** Opens the summary's message, followed by a newline. One line, 399 bytes as the product's: a survivor's test reads it. */
  readonly summaryPrefix: string;
}

export const ownPrompts: CodexPrompts = {
  compaction: `Stop here and prepare the hand-over of this task to another model, which will resume it from your notes alone.

Put into the notes:
- How far the work has come, and the key decisions with their reasons
- Context, constraints and preferences that matter
- What remains to be done, as clear next steps
- Data, examples and references the work cannot do without

Keep them short and ordered, for a model that starts from here.
`,
  summaryPrefix:
    "The work so far was done by a different model. Before handing over, it wrote the notes that follow this line, and what its tool calls changed is still in place, so you can look at it. Build on its results rather than doing them over, keep to what the user asked for and to what was decided, and take the notes as the record of everything that is not shown above. These are the notes it left for you:",
};
