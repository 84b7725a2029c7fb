/** Texts with slots: `{name}` stands for whatever the maker of that name gives next. Everything a session shows is written in them. */
import type { Random } from "../../../random.ts";

/** Slots are numbers, so that filling one is an array access. */
type Slot = number;

export interface Template {
  /** One more than there are slots. */
  readonly literals: readonly string[];
  readonly slots: readonly Slot[];
  /** The first literal on a line of its own. */
  readonly lineStart: string;
}

type Maker = () => string;

/** Gives the next text for each slot. */
export type Makers = readonly (Maker | undefined)[];

const slotNames: string[] = [];
const slotsByName = new Map<string, Slot>();

function slotOf(name: string): Slot {
  let slot = slotsByName.get(name);
  if (slot === undefined) {
    slot = slotNames.push(name) - 1;
    slotsByName.set(name, slot);
  }
  return slot;
}

/** The makers of these names, in place of or besides those of `base`. */
export function makersOf(named: { readonly [slot: string]: Maker }, base: Makers = []): Makers {
  const makers: (Maker | undefined)[] = [...base];
  for (const name of Object.keys(named)) {
    const slot = slotOf(name);
    while (makers.length <= slot) makers.push(undefined);
    makers[slot] = named[name];
  }
  return makers;
}

/** The makers, with these values for these slots. */
export const withValues = (values: { readonly [slot: string]: string }, base: Makers = []): Makers =>
  makersOf(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, () => value])), base);

/** What the maker of this name gives. Throws RangeError for a name without a maker. */
export function make(makers: Makers, name: string): string {
  const maker = makers[slotOf(name)];
  if (maker === undefined) throw new RangeError(`No maker for the slot "${name}".`);
  return maker();
}

/** Splits a text at its `{slot}`s. Braces with anything but word characters inside are ordinary text. */
export function template(text: string): Template {
  const parts = text.split(/\{(\w+)\}/);
  return {
    literals: parts.filter((_part, index) => index % 2 === 0),
    slots: parts.filter((_part, index) => index % 2 === 1).map(slotOf),
    lineStart: `\n${parts[0] ?? ""}`,
  };
}

/** One template a line; blank lines at both ends are dropped. */
export const templateLines = (text: string): Template[] => trimmed(text).split("\n").map(template);

/** The same lines further to the right. */
export const indented = (block: readonly Template[], indent: string): Template[] =>
  block.map((line) => ({
    ...line,
    literals: line.literals.with(0, indent + (line.literals[0] as string)),
    lineStart: `\n${indent}${line.literals[0]}`,
  }));

/** Blocks of lines, parted by a blank line. */
export const templateBlocks = (text: string): Template[][] => trimmed(text).split("\n\n").map(templateLines);

const trimmed = (text: string): string => text.replaceAll(/^\n+|\n+$/g, "");

/** The text with every slot filled, from left to right. Throws RangeError for a slot without a maker. */
export function render({ literals, slots }: Template, makers: Makers): string {
  let text = literals[0] as string;
  for (let index = 0; index < slots.length; index++) {
    const slot = slots[index] as Slot;
    const maker = makers[slot];
    if (maker === undefined) throw new RangeError(`No maker for the slot "${slotNames[slot]}".`);
    text += maker() + (literals[index + 1] as string);
  }
  return text;
}

/** A text under construction. Its parts are joined once: that is half the work of growing a string. */
export interface Writer {
  readonly parts: string[];
  /** UTF-16 units so far, a line end before each line included. */
  chars: number;
  lines: number;
}

export const writer = (): Writer => ({ parts: [], chars: 0, lines: 0 });

/** The lines written, joined. */
export const writtenText = ({ parts }: Writer): string => parts.join("").slice(1);

/** Adds a line. */
export function writeLine(writer: Writer, text: string): void {
  writer.parts.push("\n", text);
  writer.chars += text.length + 1;
  writer.lines++;
}

/** Adds a filled template as a line. Throws RangeError for a slot without a maker. */
export function writeTemplate(writer: Writer, { literals, slots, lineStart }: Template, makers: Makers): void {
  const { parts } = writer;
  parts.push(lineStart);
  writer.chars += lineStart.length;
  writer.lines++;
  for (let index = 0; index < slots.length; index++) {
    const slot = slots[index] as Slot;
    const maker = makers[slot];
    if (maker === undefined) throw new RangeError(`No maker for the slot "${slotNames[slot]}".`);
    const value = maker();
    const literal = literals[index + 1] as string;
    parts.push(value, literal);
    writer.chars += value.length + literal.length;
  }
}

/** The text with these values for its slots and the makers' for all others. */
export function renderWith(
  { literals, slots }: Template,
  values: { readonly [slot: string]: string },
  makers: Makers,
): string {
  let text = literals[0] as string;
  slots.forEach((slot, index) => {
    const name = slotNames[slot] as string;
    text += (values[name] ?? make(makers, name)) + (literals[index + 1] as string);
  });
  return text;
}

/** Whether there is a value for every slot of a template. */
export const isComplete = ({ slots }: Template, values: { readonly [slot: string]: string }): boolean =>
  slots.every((slot) => values[slotNames[slot] as string] !== undefined);

/** The templates with equal values in equal slots. */
export function renderTogether(templates: readonly Template[], makers: Makers): string[] {
  const values: (string | undefined)[] = [];
  return templates.map(({ literals, slots }) => {
    let text = literals[0] as string;
    slots.forEach((slot, index) => {
      const value = (values[slot] ??= make(makers, slotNames[slot] as string));
      text += value + (literals[index + 1] as string);
    });
    return text;
  });
}

/** Draws items in random order, all of them before any comes again, and never one twice in a row. */
export function deck<Item>(random: Random, items: readonly Item[]): () => Item {
  let left: Item[] = [];
  let last: Item | undefined;
  return () => {
    if (left.length === 0) {
      left = random.shuffle(items);
      if (left.length > 1 && left.at(-1) === last) left.unshift(left.pop() as Item);
    }
    last = left.pop() as Item;
    return last;
  };
}
