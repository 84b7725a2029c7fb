/** Source files out of a language's templates. */
import type { Random } from "../../../../random.ts";
import type { Declaration } from "../files.ts";
import { freshNames, type MakerInput, makers, typeCase } from "../makers.ts";
import { areaLabel, areaOf } from "../paths.ts";
import {
  deck,
  indented,
  type Makers,
  makersOf,
  type Template,
  writeLine,
  type Writer,
  writer,
  writeTemplate,
  writtenText,
} from "../template.ts";

/** Lines of code. */
export type Block = readonly Template[];

/** How a language looks. A line `@body` takes statements, a line `@imports` imports. */
export interface Grammar {
  readonly extension: string;
  readonly comment: string;
  /** What stands before a statement of a function. */
  readonly indent: string;
  readonly case: "snake" | "camel";
  readonly head: Block;
  readonly import: Template;
  readonly constant: Template;
  readonly types: readonly Block[];
  readonly callables: readonly Block[];
  /** What a component file declares instead. */
  readonly views?: readonly Block[];
  readonly statements: readonly Block[];
  /** What edits put in. */
  readonly guards: readonly Block[];
  readonly tests: {
    readonly head: Block | undefined;
    readonly open: Block | undefined;
    readonly test: readonly Block[];
    readonly close: string | undefined;
  };
}

export interface SourceInput extends Omit<MakerInput, "functionName"> {
  readonly grammar: Grammar;
  readonly file: string;
  /** Functions that the file declares. */
  readonly names: readonly string[];
  /** Tests that the file holds. */
  readonly tests: readonly string[];
  /** Whether the file holds nothing but tests. */
  readonly onlyTests: boolean;
  readonly lines: number;
  /** Functions of the directory that the file is about, and of the whole project. */
  readonly nearNames: readonly string[];
  readonly allNames: readonly string[];
  /** Another file's functions, and the name by which it is imported. */
  readonly namesOf: (path: string) => readonly string[];
  readonly module: (path: string) => string;
}

const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1).replace(/\..*$/, "");
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const plumbing = ["handling", "support", "rules", "helpers", "plumbing", "internals", "primitives"] as const;
const libraries = ["hashlib", "json", "re", "shutil", "time", "itertools", "functools", "struct"] as const;
const values = ["16", "48", "90", "250", "1_500", "4_096", "65_536", "0.25", "0.8", "1_200", "7", "30", "600"] as const;

const wholeValues = values.filter((value) => !value.includes("."));

const statementsByGrammar = new WeakMap<Grammar, readonly Block[]>();

/** The statements as they stand in a function. */
function bodyStatements(grammar: Grammar): readonly Block[] {
  const known = statementsByGrammar.get(grammar);
  if (known !== undefined) return known;
  const made = grammar.statements.map((block) => indented(block, grammar.indent));
  statementsByGrammar.set(grammar, made);
  return made;
}

/** A source or test file, and where its functions are declared. */
export function sourceText(input: SourceInput): {
  readonly text: string;
  readonly declarations: readonly Declaration[];
} {
  const source = sourceWriter(input);
  if (!input.onlyTests) source.functions();
  if (input.tests.length > 0) source.tests();
  return { text: writtenText(source.out), declarations: source.declarations };
}

interface SourceWriter {
  readonly out: Writer;
  readonly declarations: readonly Declaration[];
  functions(): void;
  tests(): void;
}

function sourceWriter(input: SourceInput): SourceWriter {
  const { random, grammar, file, names, tests, onlyTests, nearNames, allNames } = input;
  const callee = deck(random, names.length > 0 ? names : nearNames);
  const functionName = (): string => {
    const toss = random.below(20);
    return toss < 8 ? callee() : random.pick(toss < 18 ? nearNames : allNames);
  };
  const { makers: shared, scope } = makers({ ...input, functionName });
  const vocabulary = input.vocabulary();
  let self = "";
  let imported = "";
  const nextRemark = deck(random, vocabulary.remarks);
  const capitalRemark = (): string => capital(nextRemark());
  const own = {
    self: () => self,
    name: () => self,
    Self: () => typeCase(self.replace(/^[a-z]/, (letter) => letter.toUpperCase())),
    Purpose: () =>
      `${capital(baseName(file).replaceAll(/[_.-]/g, " "))} ${random.pick(plumbing)} for ${areaLabel(areaOf(file))}`,
    Remark: capitalRemark,
    module: () => input.module(imported),
    imported: () => random.pick(input.namesOf(imported)),
    stdlib: () => random.pick(libraries),
    value: () => random.pick(grammar.extension === "rs" ? wholeValues : values),
  };
  const made: Makers = makersOf(own, shared);
  const out = writer();
  const statement = deck(random, bodyStatements(grammar));
  const callable = deck(random, grammar.callables);
  const component = grammar.views !== undefined && file.endsWith("x") ? deck(random, grammar.views) : undefined;
  const put = (block: Block): void => {
    for (const line of block) writeTemplate(out, line, made);
  };
  const gap = (): void => {
    writeLine(out, "");
    if (grammar.extension === "py") writeLine(out, "");
  };
  const commentStart = grammar.indent + grammar.comment;
  const body = (): void => {
    const wanted = random.range(2, 6);
    for (let index = 0; index < wanted; index++) {
      if (index > 0 && random.chance(0.25)) writeLine(out, "");
      if (random.chance(0.18)) writeLine(out, `${commentStart}${capitalRemark()}.`);
      put(statement());
    }
  };
  const putWhole = (block: Block): void => {
    for (const line of block) {
      const start = line.literals[0] as string;
      if (start === "@imports")
        for (let left = random.range(2, 5); left > 0; left--) {
          imported = input.path();
          writeTemplate(out, grammar.import, made);
        }
      else if (start.endsWith("@body")) body();
      else writeTemplate(out, line, made);
    }
  };
  const constants = (): void => {
    const own = random.shuffle(vocabulary.constants).slice(0, random.range(2, 6));
    for (const constant of own) {
      self = constant;
      writeTemplate(out, grammar.constant, made);
    }
  };
  scope.names = freshNames(random, vocabulary.nouns);
  const head = onlyTests ? grammar.tests.head : grammar.head;
  if (head !== undefined) putWhole(head);
  const declarations: Declaration[] = [];
  return {
    out,
    declarations,
    functions: () => {
      writeLine(out, "");
      constants();
      const testLines = tests.length * 7;
      for (let next = 0; next < names.length || out.lines + testLines < input.lines; next++) {
        gap();
        scope.names = freshNames(random, vocabulary.nouns);
        if (random.chance(0.25)) {
          put(random.pick(grammar.types));
          gap();
        }
        self = names[next] ?? helperName(grammar, random, nearNames);
        const block = component !== undefined && random.chance(0.6) ? component() : callable();
        const line = out.lines + block.findIndex(({ lineStart }) => /^\n[a-z]/.test(lineStart));
        if (next < names.length) declarations.push({ name: self, line });
        putWhole(block);
      }
    },
    tests: () => {
      gap();
      if (grammar.tests.open !== undefined) put(grammar.tests.open);
      const test = deck(random, grammar.tests.test);
      tests.forEach((name, index) => {
        scope.names = freshNames(random, vocabulary.nouns);
        if (index > 0 || grammar.extension === "rs") gap();
        self = name;
        put(test());
      });
      if (grammar.tests.close !== undefined) writeLine(out, grammar.tests.close);
    },
  };
}

const helperEnds = ["once", "all", "now", "later", "safely", "quietly", "first", "again", "inner", "slow"] as const;

/** A private function that nothing else in the project calls. */
function helperName(grammar: Grammar, random: Random, nearNames: readonly string[]): string {
  const base = random.pick(nearNames);
  const end = random.pick(helperEnds);
  return grammar.case === "snake" ? `_${base}_${end}`.slice(grammar.extension === "rs" ? 1 : 0) : base + capital(end);
}
