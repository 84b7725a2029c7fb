/** Negative controls: changes that cost a request the session's prefix. A measure that does not see them measures nothing. */
import type { ModelRequest, ToolDefinition } from "../models/model.ts";
import { weighed, sharedPrefix } from "./measure.ts";
import { commonPrefix, type Piece } from "./prefix.ts";
import { readShare } from "./shares.ts";
import type { Style } from "./styles.ts";

export interface Control {
  readonly name: string;
  /** Section of the cache order that it changes. */
  readonly section: "tools" | "system";
  change(request: ModelRequest): ModelRequest;
}

/** A line that a text does not begin with. */
const otherLine = (text: string): string => `${text.startsWith("#") ? "=" : "#"} Another session begins here.`;

/** The article's three, and one more: order counts too. */
export const controls: readonly Control[] = [
  {
    name: "system prompt swapped",
    section: "system",
    change: (request) => ({ ...request, system: otherLine(request.system) }),
  },
  { name: "tools dropped", section: "tools", change: (request) => ({ ...request, tools: [] }) },
  {
    name: "one line at the front",
    section: "system",
    change: (request) => ({ ...request, system: `${otherLine(request.system)}\n${request.system}` }),
  },
  {
    name: "two tools reordered",
    section: "tools",
    change: ({ tools: [first, second, ...rest], ...request }) => ({
      ...request,
      tools: [second, first, ...rest].filter((tool) => tool !== undefined),
    }),
  },
];

/** What a changed request still shares with the session's last one, and what it shared before the change. */
export interface ControlResult {
  readonly control: Control;
  readonly unchanged: { readonly share: number; readonly isWhole: boolean };
  /** Largest share of the changed request: in bytes, in tokens, or by any cache rules. */
  readonly share: number;
  readonly bytes: number;
  /** Bytes of the changed request that precede the change. */
  readonly precedingBytes: number;
  /** The session is so large that what precedes the change is below a hundredth of the request, in bytes and in tokens. */
  readonly isFullSize: boolean;
}

const fullSizeTokens = 50_000;
/** In text of other scripts a share in tokens is up to twice the one in bytes. */
const tokensToBytes = 2;
/** Of a full-size request: what the changed one may still share, and what the unchanged one has to. */
const limits = { changedShare: 0.01, unchangedShare: 0.5 } as const;

/** Tries every control on a request that begins as `session` does. Both get two more tools where they have fewer than two. */
export function tryControls(style: Style, session: ModelRequest, request: ModelRequest): ControlResult[] {
  const [before, plain] = [withTwoTools(session), withTwoTools(request)];
  const earlier = weighed(style, style.encode(before));
  const unchanged = weighed(style, style.encode(plain));
  const whole = sharedPrefix({ rules: {} }, earlier, unchanged);
  const sessionTokens = earlier.blocks.reduce((sum, { tokens }) => sum + tokens, 0);
  return controls.map((control) => {
    const changed = weighed(style, style.encode(control.change(plain)));
    const left = sharedPrefix(style, earlier, changed);
    const precedingBytes = bytesBefore(unchanged.pieces, changed.pieces, control.section);
    return {
      control,
      unchanged: { share: whole.bytes / whole.ofBytes, isWhole: whole.isWhole },
      share: Math.max(
        left.bytes / left.ofBytes,
        left.tokens / left.ofTokens,
        ...Object.values(left.usage).map(readShare),
      ),
      bytes: left.bytes,
      precedingBytes,
      isFullSize:
        sessionTokens >= fullSizeTokens && tokensToBytes * precedingBytes < limits.changedShare * left.ofBytes,
    };
  });
}

/** What is wrong with a result; undefined for a control that did what it has to. */
export function controlFault(result: ControlResult): string | undefined {
  const { unchanged, share, bytes, precedingBytes, isFullSize } = result;
  if (!unchanged.isWhole || (isFullSize && unchanged.share < limits.unchangedShare))
    return `the unchanged request shares ${percent(unchanged.share)}, so the control has nothing to fall from`;
  if (bytes > precedingBytes) return `${bytes} bytes are still shared, and ${precedingBytes} precede the change`;
  return isFullSize && share >= limits.changedShare ? `${percent(share)} are still shared` : undefined;
}

/** A share in per cent, as in `96.8 %`. */
export const percent = (share: number, places = 1): string => `${(100 * share).toFixed(places)} %`;

const standIns: readonly ToolDefinition[] = ["alpha", "omega"].map((name) => ({
  name,
  description: `Stands in for a tool (${name}).`,
  parameters: { type: "object", properties: {} },
}));

const withTwoTools = (request: ModelRequest): ModelRequest =>
  request.tools.length >= 2 ? request : { ...request, tools: [...request.tools, ...standIns] };

/** Bytes in front of a section, and what the first pieces of the section have in common. */
function bytesBefore(unchanged: readonly Piece[], changed: readonly Piece[], section: Control["section"]): number {
  const start = unchanged.findIndex((piece) => piece.section === section);
  const before = unchanged.slice(0, Math.max(0, start));
  const bytesOf = (pieces: readonly Piece[]): string => pieces.map(({ value }) => JSON.stringify(value)).join("");
  const same = commonPrefix(bytesOf(unchanged.slice(start, start + 1)), bytesOf(changed.slice(start, start + 1)));
  return Buffer.byteLength(bytesOf(before) + same);
}
