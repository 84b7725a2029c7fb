/// <reference lib="dom" />
/** One arm at one boundary: its projection by parts, the model's answer, and its requests as outlines. */
import type { Part } from "../../../harness/arm.ts";
import type { PageCell, PageData, PageMessage, RequestOutline } from "../data.ts";
import { byId, element, tokens, whole } from "./dom.ts";

const partNames: Record<Part, string> = {
  original: "originals",
  evidence: "evidence",
  summary: "summary",
  tail: "tail",
};

/** Opens the dialog on a cell. */
export function cellOpener(data: PageData): (arm: string, chain: string, end: number) => void {
  const dialog = byId("cell", HTMLDialogElement);
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  return (arm, chain, end) => {
    const cell = data.cells.find((one) => one.arm === arm && one.chain === chain && one.end === end);
    const title = data.arms.find(({ id }) => id === arm)?.title ?? arm;
    const close = element(
      "button",
      { attributes: { type: "button" }, class: "close", on: { click: () => dialog.close() } },
      "Close",
    );
    dialog.replaceChildren(
      element("header", {}, element("h2", {}, `${title} on ${chain} after ${whole(end)} records`), close),
      ...(cell === undefined ? [element("p", {}, "This cell is not in the run.")] : cellView(data, cell)),
    );
    dialog.showModal();
    dialog.scrollTop = 0;
    close.focus();
  };
}

function cellView(data: PageData, cell: PageCell): Node[] {
  const { status, note, rawTokens, projectionTokens, parts, answer } = cell;
  const share =
    projectionTokens === null
      ? ""
      : ` (${((100 * projectionTokens) / rawTokens).toFixed(1)} % of the raw history's ${tokens(rawTokens)})`;
  return [
    element("p", {}, `${status}${note === "" ? "" : `: ${note}`}. Projection ${tokens(projectionTokens)}${share}.`),
    ...(parts === null ? [] : [partBar(parts)]),
    ...(answer === undefined
      ? []
      : [
          element("h3", {}, "What the model answered"),
          element("p", { class: "mute" }, answer.label),
          element("pre", { class: "text" }, answer.text),
        ]),
    element("h3", {}, "What was asked"),
    ...(cell.requestsMissing === ""
      ? []
      : [element("p", { class: "mute" }, `The compaction's requests are not shown: ${cell.requestsMissing}.`)]),
    ...(cell.requests.length === 0
      ? [element("p", { class: "mute" }, "No request: the arm asks no model here, and no sheet is due.")]
      : cell.requests.map(requestView)),
    element("h3", {}, "The projection"),
    ...(cell.messages.length === 0
      ? [element("p", { class: "mute" }, "It has no messages.")]
      : cell.messages.map((message) => messageView(data, message))),
  ];
}

function partBar(parts: Readonly<Record<Part, number>>): HTMLElement {
  const named = Object.entries(parts).filter(([, count]) => count > 0) as [Part, number][];
  const total = named.reduce((sum, [, count]) => sum + count, 0);
  const bar = element("div", {
    class: "partbar",
    attributes: { role: "img", "aria-label": "parts of the projection to scale" },
  });
  for (const [part, count] of named) {
    const piece = element("span", { class: `part ${part}`, title: `${partNames[part]} ${tokens(count)}` });
    piece.style.flexGrow = String(count / total);
    bar.append(piece);
  }
  return element(
    "div",
    {},
    bar,
    element(
      "p",
      { class: "mute" },
      ...named.flatMap(([part, count]) => [
        element("span", { class: `key ${part}` }),
        ` ${partNames[part]} ${tokens(count)}  `,
      ]),
    ),
  );
}

function messageView(data: PageData, message: PageMessage): HTMLElement {
  if ("leftOut" in message)
    return element(
      "p",
      { class: "mute" },
      `${whole(message.leftOut)} messages of the journal, unchanged, from ${message.first} to ${message.last}. They are not repeated here; closed-book history shows them.`,
    );
  return element(
    "article",
    { class: "message" },
    element("h4", {}, `${message.role} ${message.id}`),
    ...message.pieces.map(({ part, label, text, chars }) =>
      element(
        "div",
        { class: `piece ${part}` },
        element(
          "p",
          { class: "mute" },
          `${partNames[part]}${label === "" ? "" : `, ${label}`}, ${whole(chars)} characters`,
        ),
        element("pre", { class: "text" }, data.texts[text] ?? ""),
      ),
    ),
  );
}

function requestView(request: RequestOutline): HTMLElement {
  const { purpose, systemTokens, tools, toolChoice, maxOutputTokens, messages } = request;
  const row = (what: string, count: number): HTMLElement =>
    element("tr", {}, element("td", {}, what), element("td", { class: "number" }, whole(count)));
  return element(
    "details",
    { attributes: purpose === "compact" ? { open: "" } : {} },
    element(
      "summary",
      {},
      `${purpose === "compact" ? "Compaction" : "Sheet"}: ${tokens(request.tokens)} in, at most ${whole(maxOutputTokens)} out`,
    ),
    element(
      "table",
      { class: "outline" },
      element(
        "tbody",
        {},
        row(`${tools.count} tool definitions, tool choice ${toolChoice}`, tools.tokens),
        row("system prompt", systemTokens),
        ...messages.map((message) =>
          "leftOut" in message
            ? row(`… ${whole(message.leftOut)} messages`, message.tokens)
            : row(`${message.role} ${message.id}`, message.tokens),
        ),
      ),
    ),
  );
}
