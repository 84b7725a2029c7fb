/** The acts of measuring the project and of running it into a crash. */
import { lineAt } from "../files.ts";
import { fitting, type Story, type Stream } from "../story.ts";
import { render } from "../template.ts";
import { areaPaths, type World } from "../world.ts";
import { type Perform, shell, wait } from "./act.ts";
import { commandAim, showFinding, timeoutsMs } from "./running.ts";

const columns = (label: string, runs: string, middle: string, high: string, peak: string): string =>
  label.padEnd(32) + runs.padStart(5) + middle.padStart(12) + high.padStart(12) + peak.padStart(12);

/** Every case of the story, each time a little different and over the session a little faster. */
export const bench: Perform = (world) => {
  const { random, story } = world;
  wait(world, 30, 240);
  const command = render(random.pick(story.benchCommands), world.makers);
  const runs = random.pick(["5", "8", "10", "20"]);
  const rows = story.bench.map((each) => {
    const ms = each.ms * world.pace * (0.95 + random.below(100) / 1000);
    const peak = `${(each.mib * (0.97 + random.below(60) / 1000)).toFixed(1)} MiB`;
    const median = ms.toFixed(1);
    const high = (ms * (1.08 + random.below(300) / 1000)).toFixed(1);
    return { each, median, high, peak, text: columns(each.en, runs, `${median} ms`, `${high} ms`, peak) };
  });
  world.pace *= 0.97;
  const cases = fitting(story.bench, world.turn.area);
  const told = random.pick(rows.filter(({ each }) => cases.includes(each)));
  const text = [columns("case", "runs", "median", "p95", "peak"), "-".repeat(73), ...rows.map(({ text }) => text)];
  const values = {
    label: told.each.en,
    labelZh: told.each.zh,
    median: told.median,
    high: told.high,
    peak: told.peak,
    runs,
  };
  return shell(command, text.join("\n"), {
    facts: [{ kind: "measured", values }],
    aim: commandAim(command),
    timeoutMs: timeoutsMs.long,
  });
};

export const crash: Perform = (world) => {
  const { random, story } = world;
  wait(world, 5, 60);
  const shown = showFinding(world, story.crashes[world.turn.area] ?? Object.values(story.crashes).flat());
  const frames = Array.from({ length: random.range(5, 10) }, () => frame(world));
  const last = frames.at(-1) as Frame;
  const [stream] = fitting(story.logs, world.turn.area) as [Stream];
  const command = render(random.pick(stream.commands), world.makers).replace(/ 2>&1.*$/, "");
  return shell(command, traceText(story.language, frames, shown.line), {
    error: true,
    facts: [{ kind: "crashed", values: { ...shown.values, path: last.path, line: `${last.line}`, name: last.name } }],
    aim: commandAim(command),
    timeoutMs: timeoutsMs.long,
  });
};

interface Frame {
  readonly path: string;
  readonly line: number;
  readonly name: string;
  readonly code: string;
}

/** A real line inside a real function, of the turn's area. */
function frame(world: World): Frame {
  const { random } = world;
  const near = areaPaths(world).filter((path) => world.file(path).declarations.length > 0);
  const file = world.file(random.pick(near));
  const { name, line } = random.pick(file.declarations);
  let index = line + 1;
  while (index < line + 24 && !/^\s+[a-z]\w*(?: = .*)?\(.*\)[;?]*$|^\s+\w.* = .*\(/.test(lineAt(file, index))) index++;
  return { path: file.path, line: index + 1, name, code: lineAt(file, index).trim() || `return ${name}()` };
}

/** A trace with its deepest frame last (Python) or first (the others). */
function traceText(language: Story["language"], frames: readonly Frame[], message: string): string {
  switch (language) {
    case "python":
      return [
        "Traceback (most recent call last):",
        ...frames.map(
          ({ path, line, name, code }) => `  File "/srv/app/${path}", line ${line}, in ${name}\n    ${code}`,
        ),
        message,
      ].join("\n");
    case "typescript":
      return [
        message,
        ...frames.toReversed().map(({ path, line, name }) => `    at ${name} (${path}:${line}:${(line % 31) + 3})`),
      ].join("\n");
    case "rust": {
      const rows = frames.toReversed().map(({ path, line, name }, index) => {
        const module = path.replace(/\.rs$/, "").replace("/src", "").replaceAll("/", "::");
        return `${String(index).padStart(4)}: ${module}::${name}\n             at ./${path}:${line}:${(line % 37) + 5}`;
      });
      return [
        message,
        "stack backtrace:",
        ...rows,
        "note: run with `RUST_BACKTRACE=full` for a verbose backtrace",
      ].join("\n");
    }
  }
}
