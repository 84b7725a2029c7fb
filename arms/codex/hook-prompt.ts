/**
 * The one harness-written text that Codex does not know by its opening and closing: a prompt of a hook. The program reads
 * the text as XML and looks at neither the element's name nor at what follows it. So `<b hook_run_id="7">bold</b> and more`
 * is one too.
 *
 * Source: openai/codex 0.155.0, probed with some seventy texts; the XML that it accepts is narrowed down to what those told.
 */

const prolog = /\s*(?:<!--[^]*?-->|<\?[^]*?\?>)/y;
const opening = /\s*<([^\s<>/!?"'=]+)/y;
const attribute = /\s*([^\s=<>/"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
const openingEnd = /\s*>/y;
const content = /[^<]+|<!\[CDATA\[([^]*?)\]\]>|<!--[^]*?-->/y;
const closing = /<\/([^\s>]+)\s*>/y;
const badReference = /&(?!(?:#[0-9]+|#x[0-9a-fA-F]+|amp|lt|gt|quot|apos);)/;

/** Takes one piece after another off a text. */
function reader(text: string, start: number): (pattern: RegExp) => RegExpExecArray | undefined {
  let at = start;
  return (pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text) ?? undefined;
    if (found) at = pattern.lastIndex;
    return found;
  };
}

/** Whether a text opens with an XML element that has a `hook_run_id` and holds text alone, neither of them blank. */
export function isHookPrompt(text: string): boolean {
  const take = reader(text, text.startsWith("\ufeff") ? 1 : 0);
  while (take(prolog));
  const name = take(opening)?.[1];
  if (name === undefined) return false;
  const attributes = new Map<string, string>();
  for (let found = take(attribute); found; found = take(attribute)) {
    const [, key = "", double, single] = found;
    const value = double ?? single ?? "";
    if (attributes.has(key) || badReference.test(value)) return false;
    attributes.set(key, value);
  }
  const id = [...attributes].find(([key]) => key.replace(/^[^:]*:/, "") === "hook_run_id")?.[1] ?? "";
  if (id.trim() === "" || !take(openingEnd)) return false;
  let said = false;
  for (let found = take(content); found; found = take(content)) {
    const [piece, verbatim] = found;
    if (piece.startsWith("<!--")) continue;
    if (verbatim === undefined && badReference.test(piece)) return false;
    said ||= (verbatim ?? piece).trim() !== "";
  }
  return said && take(closing)?.[1] === name;
}
