/** The offline model: a perfect reader and a plain extractive summariser. No key, no network, no language understanding. */
import type { Provider } from "../model.ts";
import { confirm, sheetIn, standing } from "./reader.ts";
import { localProvider, type Seen } from "./seen.ts";
import { summarise } from "./summariser.ts";

/** The reply to a request: a sheet is read, everything else is summarised. Looks at nothing but the request. */
function answerOffline(seen: Seen): string {
  const sheet = sheetIn(seen.messages);
  return sheet === undefined ? summarise(seen) : confirm(standing(sheet));
}

/** `--model offline`. Recall under it equals survival. */
export const offlineProvider = ({ windowTokens }: { readonly windowTokens: number }): Provider =>
  localProvider(
    {
      id: "offline",
      model: "offline-1",
      windowTokens,
      label: "offline model: perfect reader, extractive summariser; not an LLM",
    },
    answerOffline,
  );
