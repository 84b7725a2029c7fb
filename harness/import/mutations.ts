/** For tests: session files with something wrong. */
import type { Random } from "../random.ts";

type Mutation = (text: string, random: Random) => string;

const odd: readonly string[] = [
  "null",
  "true",
  "-1",
  "1e999",
  "[]",
  "{}",
  '""',
  '"\\ud800"',
  '"\u0000"',
  "[[]]",
  '{"type":"text"}',
  '{"__proto__":{"a":1}}',
  "[".repeat(3000) + "]".repeat(3000),
  `"${"x".repeat(5000)}"`,
  '"tool_use"',
  '"assistant"',
  "9007199254740993",
];

const span = (text: string, random: Random, most: number): readonly [number, number] => {
  const start = random.below(text.length + 1);
  return [start, Math.min(text.length, start + random.below(most))];
};

const onLines =
  (change: (lines: string[], random: Random) => string[]): Mutation =>
  (text, random) =>
    change(text.split("\n"), random).join("\n");

/** Changes of bytes, of lines, and of the JSON in them. */
const mutations: readonly Mutation[] = [
  (text, random) => text.slice(0, random.below(text.length + 1)),
  (text, random) => text.slice(random.below(text.length + 1)),
  (text, random) => {
    const [start, end] = span(text, random, 200);
    return text.slice(0, start) + text.slice(end);
  },
  (text, random) => {
    const [start, end] = span(text, random, 200);
    return text.slice(0, end) + text.slice(start);
  },
  (text, random) => {
    const at = random.below(text.length + 1);
    return (
      text.slice(0, at) + String.fromCharCode(random.below(random.chance(0.5) ? 128 : 0xffff)) + text.slice(at + 1)
    );
  },
  onLines((lines, random) => {
    const at = random.below(lines.length);
    return random.chance(0.5)
      ? lines.filter((_, index) => index !== at)
      : [...lines.slice(0, at), ...lines.slice(Math.max(0, at - 2))];
  }),
  onLines((lines, random) => random.shuffle(lines)),
  // A value, or a key, becomes something else.
  (text, random) =>
    replaceOne(text, /("(?:[^"\\]|\\.)*"|-?\d+|true|false|null)(?=\s*[,}\]])/g, () => random.pick(odd), random),
  (text, random) =>
    replaceOne(text, /"\w+"(?=\s*:)/g, (key) => (random.chance(0.5) ? '"x"' : `"${key.slice(1, -1)}x"`), random),
  (text, random) => replaceOne(text, /\{[^{}]*\}/g, () => random.pick(odd), random),
  (text, random) => replaceOne(text, /\[[^[\]]*\]/g, () => random.pick(odd), random),
];

function replaceOne(text: string, expression: RegExp, by: (found: string) => string, random: Random): string {
  const found = [...text.matchAll(expression)];
  if (found.length === 0) return text;
  const match = random.pick(found);
  return text.slice(0, match.index) + by(match[0]) + text.slice(match.index + match[0].length);
}

/** A text changed one to four times, as bytes: some of the changes leave no UTF-8. */
export function mutated(text: string, random: Random): Buffer {
  let changed = text;
  for (let left = random.range(1, 5); left > 0; left--) changed = random.pick(mutations)(changed, random);
  const bytes = Buffer.from(changed);
  if (bytes.length > 0 && random.chance(0.15)) bytes[random.below(bytes.length)] = random.below(256);
  return bytes;
}
