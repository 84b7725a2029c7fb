/** What the assistant says: facts of the results, constraints, intentions, to about the wanted length or to exactly it. */
import type { Random } from "../../../random.ts";
import type { Fact, FactKind } from "./acts/act.ts";
import { codePoints, type Filler, filler } from "./exact.ts";
import { aboutFacts, afterthoughts, headings, type Wording } from "./phrases.ts";
import { endings, intentions, openings, opinions, plans, reminders } from "./remarks.ts";
import type { Bilingual } from "./story.ts";
import { deck, isComplete, type Makers, renderWith, type Template } from "./template.ts";

export type Tongue = keyof Bilingual;

export interface Saying {
  readonly tongue: Tongue;
  readonly chars: number;
  readonly goal: Bilingual;
  readonly area: string;
  /** Where in its turn the text stands. */
  readonly place: "first" | "middle" | "last";
  /** What may be told, oldest first. */
  readonly facts: readonly Fact[];
  /** Constraints in force. */
  readonly rules: readonly Bilingual[];
  /** What the calls after the text do first; missing in a turn's last text. */
  readonly aim: Bilingual | undefined;
}

export interface Speaker {
  /** A text of about the saying's length, and the facts that it told. */
  readonly say: (saying: Saying) => { readonly text: string; readonly told: readonly Fact[] };
  /** A text of exactly the saying's length in code points. */
  readonly sayExactly: (saying: Saying) => string;
}

/** Small change of an engineer's report, for the last characters of a session. */
const fillers: Record<Tongue, Filler> = {
  en: filler([
    [" I left", " I kept", " I checked", " I reread", " I did not touch", " Nobody has to change"],
    [" the public names", " the error texts", " the fixtures", " the defaults", " the notes", " the old options"],
    ["", " as well", " again", " on the way", " for this", " at the end", " along the way", " one more time"],
    [
      ".",
      ", as agreed.",
      ", so nothing else moves.",
      ", and found nothing to add.",
      ", which is what the old tests expect.",
      ", because nobody has asked for more than that.",
    ],
  ]),
  zh: filler([
    ["我检查了", "没有改动", "顺手核对了", "保留了", "重新看过", "也确认了"],
    ["公开接口", "错误提示", "测试数据", "默认值", "说明文档", "旧的选项", "注释"],
    ["", "，顺序也没变", "，两处都看了"],
    ["。", "，没问题。", "，保持原样。", "，一切正常。", "，不需要再改。", "，和之前一致。"],
  ]),
};

/** What matters most gets into a short text first. */
const importance: Record<FactKind, number> = {
  failed: 9,
  crashed: 9,
  committed: 8,
  built: 8,
  measured: 8,
  reviewed: 7,
  logged: 6,
  counted: 6,
  passed: 6,
  linted: 5,
  found: 5,
  edited: 5,
  wrote: 4,
  covered: 5,
  mended: 7,
  read: 4,
  history: 3,
  missed: 3,
  absent: 3,
  clean: 2,
  diffed: 2,
  listed: 2,
};

/** Line break and list mark of one piece of text; the heading of a list. */
const markChars = 4;
const headingChars = 32;

/** A Chinese text says as much in half the characters. */
const density: Record<Tongue, number> = { en: 1, zh: 0.5 };

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Takes pieces of text as long as they fit. */
interface Room {
  leftChars: number;
}

function fits(room: Room, piece: string): boolean {
  const chars = codePoints(piece) + markChars;
  if (chars > room.leftChars) return false;
  room.leftChars -= chars;
  return true;
}

/** Up to `most` pieces, while there is room for a good one. */
function fill(room: Room, most: number, next: () => string): string[] {
  const pieces: string[] = [];
  for (let tries = most; tries > 0 && room.leftChars > 64; tries--) {
    const piece = next();
    if (!pieces.includes(piece) && fits(room, piece)) pieces.push(piece);
  }
  return pieces;
}

/** A speaker draws its words from its own stream, each wording in turn before one comes again. */
export function speaker(random: Random, makers: Makers): Speaker {
  const draw = drawer(random);
  const phrase = (wording: Wording, tongue: Tongue, values: { readonly [slot: string]: string } = {}): string =>
    capital(renderWith(draw(wording[tongue]), values, makers));

  /** A sentence about a fact in words that this text has not used yet. */
  const tell = (fact: Fact, tongue: Tongue, used: Set<Template>): string | undefined => {
    const templates = aboutFacts[fact.kind][tongue];
    for (let tries = 0; tries < templates.length; tries++) {
      const template = draw(templates);
      if (used.has(template) || !isComplete(template, fact.values)) continue;
      used.add(template);
      return capital(renderWith(template, fact.values, makers));
    }
    return undefined;
  };

  /** What is told of the facts, the most important first into the room, in the order in which they happened. */
  const report = (facts: readonly Fact[], tongue: Tongue, room: Room): ReadonlyMap<Fact, string> => {
    const told = new Map<Fact, string>();
    const used = new Set<Template>();
    for (const fact of facts.toSorted((one, other) => importance[other.kind] - importance[one.kind])) {
      if (room.leftChars < 24 || told.size >= 9) break;
      const sentence = tell(fact, tongue, used);
      if (sentence === undefined || !fits(room, sentence)) continue;
      const extra = afterthoughts[fact.kind];
      const after = extra !== undefined && random.chance(0.4) ? phrase(extra, tongue) : undefined;
      told.set(fact, after !== undefined && fits(room, after) ? sentence + gaps[tongue] + after : sentence);
    }
    return told;
  };

  const say = (saying: Saying): { readonly text: string; readonly told: readonly Fact[] } => {
    const { tongue, area, place, facts, rules, aim } = saying;
    const room: Room = { leftChars: saying.chars };
    const values = { goal: saying.goal[tongue], area };
    const closes = aim === undefined;
    const end = closes ? phrase(endings, tongue, values) : phrase(intentions, tongue, { aim: aim[tongue] });
    room.leftChars -= codePoints(end) + markChars;
    const opens = place === "first";
    const head = opens ? [phrase(openings, tongue, values)].filter((opening) => fits(room, opening)) : [];
    if (opens) head.push(...fill(room, 3, () => phrase(plans, tongue, values)));
    const told = report(facts, tongue, room);
    const tail: string[] = [];
    if (rules.length > 0 && random.chance(closes ? 0.5 : 0.25))
      tail.push(...fill(room, 1, () => phrase(reminders, tongue, { rule: random.pick(rules)[tongue] })));
    tail.push(...fill(room, opens ? 1 : closes ? 16 : 9, () => phrase(opinions, tongue)));
    const body = facts.flatMap((fact) => told.get(fact) ?? []);
    return { text: arrange(random, { tongue, closes, head, body, tail, end }), told: [...told.keys()] };
  };

  return {
    say: (saying) => say({ ...saying, chars: Math.round(saying.chars * density[saying.tongue]) }),
    sayExactly: (saying) => {
      const filling = fillers[saying.tongue];
      const { text } = say({ ...saying, chars: saying.chars - filling.minChars - headingChars });
      return text + filling.fill(random, saying.chars - codePoints(text));
    },
  };
}

/** Draws from lists of templates, each list in turn before a template of it comes again. */
function drawer(random: Random): (templates: readonly Template[]) => Template {
  const decks = new Map<readonly Template[], () => Template>();
  return (templates) => {
    let next = decks.get(templates);
    if (next === undefined) decks.set(templates, (next = deck(random, templates)));
    return next();
  };
}

const gaps: Record<Tongue, string> = { en: " ", zh: "" };

interface Pieces {
  readonly tongue: Tongue;
  readonly closes: boolean;
  readonly head: readonly string[];
  readonly body: readonly string[];
  readonly tail: readonly string[];
  readonly end: string;
}

/** Running text in one or two paragraphs, or a list, plain or numbered, where there is much to tell. */
function arrange(random: Random, { tongue, closes, head, body, tail, end }: Pieces): string {
  const gap = gaps[tongue];
  const closing = [...tail, end].join(gap);
  if (body.length < 3 || random.chance(0.5)) {
    const start = [...head, ...body].join(gap);
    return start === "" ? closing : start + (head.length + body.length + tail.length > 4 ? "\n\n" : gap) + closing;
  }
  const heading = random.pick(headings[closes ? "closed" : "open"][tongue]);
  const numbered = random.chance(0.25);
  const items = body.map((sentence, index) => `${numbered ? `${index + 1}.` : "-"} ${sentence}`);
  const top = head.length > 0 ? [head.join(gap)] : [];
  return [...top, `${heading}\n${items.join("\n")}`, closing].join("\n\n");
}
