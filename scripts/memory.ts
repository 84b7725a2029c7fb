/** What a remote model's refusals taught (a parameter of another name, one to leave out), kept with the run. */
import type { Provider } from "../harness/models/model.ts";
import { changeText, type Learned } from "../harness/models/remote/learned.ts";
import type { RunFolder } from "../harness/run/folder.ts";
import type { ChosenModel } from "./model-choice.ts";
import { reasonsAnyway } from "./warnings.ts";

const file = "learned.json";

/** The chosen provider with the run's memory; each lesson is written down and said once on `log`. */
export function withMemory(chosen: ChosenModel, folder: RunFolder, log: NodeJS.WritableStream): Provider {
  if (chosen.kind === "offline") return chosen.provider;
  const learned = new Map(Object.entries(JSON.parse(folder.read(file) ?? "{}") as Learned));
  return chosen.make({
    learned: Object.fromEntries(learned),
    onLesson: (lesson) => {
      learned.set(lesson.parameter, lesson.change);
      folder.derive(file, `${JSON.stringify(Object.fromEntries(learned))}\n`);
      log.write(
        `${chosen.provider.id}:${chosen.provider.model}: ${changeText(lesson)}, from here on${reasonsAnyway(lesson.parameter)}\n`,
      );
    },
  });
}
