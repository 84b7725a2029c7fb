/** Texts with slots: `{name}` stands for whatever the maker of that name gives next. Everything a session shows is written in them. */
import type { Random } from "../../../random.ts";

/** Slots are numbers, so that filling one is an array access. */
type Slot = number;

export interface Template {
  /** One more than there are slots. */
  readonly literals: readonly string[];
  readonly slots: readonly Slot[];
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
  };
}

/** One template a line; blank lines at both ends are dropped. */
export const templateLines = (text: string): Template[] => trimmed(text).split("\n").map(template);

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

/** Whether every slot of a template has a maker. */
export const isComplete = ({ slots }: Template, makers: Makers): boolean =>
  slots.every((slot) => makers[slot] !== undefined);

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
