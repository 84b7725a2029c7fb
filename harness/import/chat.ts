/** What the two chat formats share: a JSON document with a list of messages, or that list alone. */
import { ArtifactError } from "../errors.ts";
import { documentPieces } from "./document.ts";
import { isObject, parseJson } from "./json-value.ts";
import type { Source } from "./source.ts";

export interface ChatMessage {
  /** `M3` is message 3. */
  readonly place: string;
  /** Undefined for an element that is no object. */
  readonly value: { readonly [key: string]: unknown } | undefined;
}

/** Fields of the document beside its messages that say something about the session. */
export interface ChatHead {
  model?: string;
}

/** The messages in order. `head` is filled while they are read. Throws ArtifactError where the document is no whole JSON. */
export function* chatMessages(source: Source, head: ChatHead = {}): Generator<ChatMessage> {
  for (const piece of documentPieces(source, ["messages"])) {
    if (piece.kind === "field") {
      if (piece.key === "model") setModel(head, piece.text);
      continue;
    }
    const parsed = parseJson(piece.text);
    if (!parsed.ok) throw new ArtifactError(source.path, `message ${piece.index + 1} is not JSON. Export it again.`);
    yield { place: `M${piece.index + 1}`, value: isObject(parsed.value) ? parsed.value : undefined };
  }
}

function setModel(head: ChatHead, text: string | undefined): void {
  const parsed = parseJson(text ?? "");
  if (parsed.ok && typeof parsed.value === "string") head.model = parsed.value;
}
