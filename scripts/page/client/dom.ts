/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** Elements as one expression. Text is always text: nothing of a run is ever read as HTML. */

type Child = Node | string | undefined;
interface Options {
  readonly class?: string;
  readonly title?: string;
  readonly on?: { readonly [event: string]: (event: Event) => void };
  readonly attributes?: { readonly [name: string]: string };
}

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  options: Options = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (options.class !== undefined) made.className = options.class;
  if (options.title !== undefined) made.title = options.title;
  for (const [event, listener] of Object.entries(options.on ?? {})) made.addEventListener(event, listener);
  for (const [attribute, value] of Object.entries(options.attributes ?? {})) made.setAttribute(attribute, value);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** The element of this id, which the page's own HTML has. */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${id}`);
  return found;
}

export const whole = (count: number): string => Math.round(count).toLocaleString("en-US");
export const tokens = (count: number | null): string => (count === null ? "none" : `${whole(count)} tok`);
