/// <reference lib="dom" />
/** The browser of questions: filters, list, and the question that is looked at. */
import type { Excerpt, PageArm, PageData, PageOutcome, PageQuestion } from "../data.ts";
import { byId, element } from "./dom.ts";
import { filtered, type Filters, fromHash, noFilters, outcomeName, outcomeNames, toHash } from "./filters.ts";

export interface Browser {
  /** Sets some filters, clears the others, and shows the list with the question of this index selected. */
  show(filters: Partial<Filters>, at: number): void;
}

export function questionBrowser(data: PageData, openCell: (arm: string, chain: string, end: number) => void): Browser {
  const form = byId("filters", HTMLFormElement);
  const list = byId("list", HTMLElement);
  const detail = byId("detail", HTMLElement);
  const count = byId("count", HTMLElement);
  const armIds = data.arms.map(({ id }) => id);
  let filters = { ...noFilters, ...fromHash(location.hash) };

  const inputs = new Map<keyof Filters, HTMLSelectElement | HTMLInputElement>();
  const choose = (
    name: keyof Filters,
    label: string,
    choices: readonly (readonly [string, string])[],
  ): HTMLLabelElement => {
    const select = element(
      "select",
      { attributes: { name }, on: { change: () => apply({ ...filters, [name]: select.value }) } },
      ...choices.map(([value, text]) => element("option", { attributes: { value } }, text)),
    );
    inputs.set(name, select);
    return element("label", {}, label, select);
  };
  const distinct = (of: (question: PageQuestion) => string | null): (readonly [string, string])[] =>
    [...new Set(data.questions.flatMap((question) => of(question) ?? []))].map((value) => [value, value]);
  const search = element("input", {
    attributes: { type: "search", name: "text", placeholder: "part of a value" },
    on: { input: () => apply({ ...filters, text: search.value }) },
  });
  inputs.set("text", search);
  form.append(
    choose("chain", "Chain", [["", "all"], ...distinct(({ chain }) => chain)]),
    choose("source", "Source", [["", "all targets"], ...distinct(({ source }) => source)]),
    choose("age", "Age", [["", "all"], ...distinct(({ age }) => age)]),
    choose("arm", "Arm", [["", "any"], ...data.arms.map(({ id, title }) => [id, title] as const)]),
    choose("outcome", "Kept or lost", [["", "both"], ...outcomeNames.map((name) => [name, name] as const)]),
    element("label", {}, "Value", search),
    element("button", { attributes: { type: "reset" } }, "Clear"),
  );
  form.addEventListener("reset", (event) => {
    event.preventDefault();
    apply(noFilters);
  });
  form.addEventListener("submit", (event) => event.preventDefault());

  const look = (question: PageQuestion, row: HTMLElement): void => {
    for (const other of list.querySelectorAll("[aria-current]")) other.removeAttribute("aria-current");
    row.setAttribute("aria-current", "true");
    detail.replaceChildren(...questionDetail(data, question, openCell));
  };

  const rowOf = (question: PageQuestion): HTMLLIElement => {
    const button = element(
      "button",
      {
        class: "question",
        attributes: { type: "button", "data-id": question.id },
        on: { click: () => look(question, button) },
      },
      element("span", { class: "value" }, question.value),
      element(
        "span",
        { class: "where" },
        `${question.chain} ${question.stage + 1}, ${question.source}${question.age === null ? "" : `, ${question.age}`}`,
      ),
      element("span", { class: "dots" }, ...question.arms.map((one, index) => dot(data.arms[index], one))),
    );
    return element("li", {}, button);
  };

  const apply = (wanted: Filters): void => {
    filters = wanted;
    for (const [name, input] of inputs) if (input.value !== filters[name]) input.value = filters[name];
    const shown = filtered(data.questions, armIds, filters);
    list.replaceChildren(...shown.map(rowOf));
    count.textContent = `${shown.length} of ${data.questions.length} questions`;
    const hash = toHash(filters);
    history.replaceState(null, "", hash === "" ? location.pathname + location.search : `#${hash}`);
    const first = list.querySelector("button");
    const [question] = shown;
    if (first !== null && question !== undefined) look(question, first);
    else detail.replaceChildren(element("p", { class: "mute" }, "No question passes these filters."));
  };

  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const buttons = [...list.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (step === undefined || at < 0) return;
    event.preventDefault();
    const next = buttons[at + step];
    next?.focus();
    next?.click();
  });
  document.addEventListener("keydown", (event) => {
    const typing =
      document.activeElement instanceof HTMLInputElement || document.activeElement instanceof HTMLSelectElement;
    if (event.key !== "/" || typing) return;
    event.preventDefault();
    search.focus();
  });

  apply(filters);
  return {
    show: (some, at) => {
      apply({ ...noFilters, ...some });
      byId("questions", HTMLElement).scrollIntoView({ behavior: "smooth" });
      const row = list.querySelectorAll("button")[at] ?? list.querySelector("button");
      row?.click();
      row?.focus({ preventScroll: true });
      // Only the list scrolls: the page is on its way to it.
      if (row !== null) list.scrollTop = row.offsetTop - list.offsetTop - list.clientHeight / 3;
    },
  };
}

const signs = { kept: "●", lost: "○", "not asked": "·" } as const;

function dot(arm: PageArm | undefined, { outcome }: PageOutcome): HTMLSpanElement {
  const name = outcomeName(outcome);
  const made = element("span", { class: "dot", title: `${arm?.title ?? ""}: ${outcome}` }, signs[name]);
  if (name === "kept" && arm !== undefined) made.style.color = arm.colour;
  return made;
}

const marked = ({ before, value, after }: Excerpt): HTMLElement =>
  element("pre", { class: "excerpt" }, before, element("mark", {}, value), after);

function questionDetail(
  data: PageData,
  question: PageQuestion,
  openCell: (arm: string, chain: string, end: number) => void,
): Node[] {
  const { place, chain, stage, end, kind, value, source, pattern } = question;
  const about =
    kind === "decoy"
      ? "A decoy: it occurs nowhere in the chain."
      : `Drawn from ${source === "given" ? "a file" : `the ${source}'s text`} (pattern ${pattern}).`;
  const where =
    place === null
      ? []
      : [
          element("h4", {}, "Where it stood last"),
          element(
            "p",
            { class: "mute" },
            `Record ${place.record}, ${place.source}${place.alsoIn.length > 0 ? `; also in ${place.alsoIn.join(" and ")}` : ""}${question.age === null ? "" : `; ${question.age} of the covered history`}`,
          ),
          marked(place.excerpt),
        ];
  return [
    element("h3", {}, element("code", {}, value)),
    element("p", {}, `${about} Sheet ${stage + 1} of ${chain}, asked after ${end} records.`),
    ...where,
    element("h4", {}, "What became of it"),
    ...question.arms.flatMap((one, index) => {
      const arm = data.arms[index];
      return arm === undefined ? [] : [armOutcome(arm, one, () => openCell(arm.id, chain, end))];
    }),
  ];
}

function armOutcome(arm: PageArm, one: PageOutcome, open: () => void): HTMLElement {
  const survived =
    one.part === undefined
      ? "no projection to look into"
      : one.part === null
        ? "does not stand in the projection"
        : `stands in the projection, part ${one.part}`;
  const title = element("strong", {}, arm.title);
  title.style.borderLeft = `4px solid ${arm.colour}`;
  return element(
    "section",
    { class: "arm" },
    element(
      "p",
      {},
      title,
      ` ${survived}; the model: `,
      element("span", { class: `outcome ${outcomeName(one.outcome).replace(" ", "-")}` }, one.outcome),
      " ",
      element(
        "button",
        { attributes: { type: "button" }, class: "open", on: { click: open } },
        "Projection and requests",
      ),
    ),
    one.excerpt && marked(one.excerpt),
  );
}
