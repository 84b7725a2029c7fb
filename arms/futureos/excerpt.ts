/** Excerpts by code points, without reading more of a text than they show. */

/** UTF-16 index after the first `count` code points; the text's length where it has no more. */
function indexAfter(text: string, count: number): number {
  let index = 0;
  for (let seen = 0; seen < count && index < text.length; seen++)
    index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  return index;
}

/** UTF-16 index before the last `count` code points; 0 where the text has no more. */
function indexBeforeLast(text: string, count: number): number {
  let index = text.length;
  for (let seen = 0; seen < count && index > 0; seen++)
    index -= index > 1 && (text.codePointAt(index - 2) ?? 0) > 0xffff ? 2 : 1;
  return index;
}

/** Whether a text has more than `count` code points. */
export const isLonger = (text: string, count: number): boolean => indexAfter(text, count) < text.length;

/** The first `count` code points of a text. */
export const headOf = (text: string, count: number): string => text.slice(0, indexAfter(text, count));

/** The last `count` code points of a text. */
export const tailOf = (text: string, count: number): string => text.slice(indexBeforeLast(text, count));

/** Order of two texts by their UTF-8 bytes, which is that of their code points. */
export function compareBytes(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let index = 0; index < shorter; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above all others, yet their units are not the highest. */
const rank = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit);
