/** The tally of figure 2 as tables. */
import { targetSources } from "../harness/exam/question.ts";
import { type Composition, type TargetPlaces, toolShare } from "../harness/report/composition.ts";
import type { Table } from "../harness/report/tables.ts";

const whole = (count: number): string => count.toLocaleString("en-US");
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** Records, characters and shares by chain; all of them by kind; and where targets stand. */
export function compositionTables(
  chains: readonly Composition[],
  total: Composition,
  places: TargetPlaces | undefined,
): Table[] {
  const byChain: Table = {
    title: "What fills a window, in records and characters",
    head: ["chain", "records", "characters", "tool results", "assistant", "user", "tool share"],
    rows: [...chains, total].map((one) => [
      one.chain,
      whole(one.records),
      whole(one.characters),
      whole(one.toolResult.characters),
      whole(one.assistantText.characters),
      whole(one.userText.characters),
      percent(toolShare(one)),
    ]),
  };
  const share = (characters: number): string => percent(total.characters === 0 ? 0 : characters / total.characters);
  const byKind: Table = {
    title: "All chains by kind; a call has no text of its own",
    head: ["kind", "records", "characters", "share"],
    rows: [
      [
        "tool result",
        whole(total.toolResult.records),
        whole(total.toolResult.characters),
        share(total.toolResult.characters),
      ],
      [
        "assistant text",
        whole(total.assistantText.records),
        whole(total.assistantText.characters),
        share(total.assistantText.characters),
      ],
      ["user text", whole(total.userText.records), whole(total.userText.characters), share(total.userText.characters)],
      ["tool call", whole(total.toolCall.records), "", ""],
    ],
  };
  if (places === undefined) return [byChain, byKind];
  const counted = (name: string, counts: TargetPlaces["drawnFrom"]): string[] => [
    name,
    ...targetSources.map((source) => `${counts[source]} ${percent(counts[source] / places.targets)}`),
  ];
  return [
    byChain,
    byKind,
    {
      title: `Where the ${places.targets} targets of the exam's sheets stand`,
      head: ["targets", ...targetSources],
      rows: [
        counted("drawn from", places.drawnFrom),
        counted("stand last in", places.standLastIn),
        counted("stand in", places.standIn),
      ],
    },
  ];
}
