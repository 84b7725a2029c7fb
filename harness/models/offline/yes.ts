/** The model that confirms everything it is asked: every decoy has to catch it. It summarises like the offline model. */
import type { Provider } from "../model.ts";
import { confirm, sheetIn } from "./reader.ts";
import { localProvider, type Seen } from "./seen.ts";
import { summarise } from "./summariser.ts";

/** The reply to a request: of a sheet every value, else a summary. */
function answerYes(seen: Seen): string {
  const sheet = sheetIn(seen.messages);
  return sheet === undefined ? summarise(seen) : confirm(sheet.values);
}

/** `--model yes`. */
export const yesProvider = ({ windowTokens }: { readonly windowTokens: number }): Provider =>
  localProvider(
    { id: "yes", model: "yes-1", windowTokens, label: "offline model that confirms everything; not an LLM" },
    answerYes,
  );
