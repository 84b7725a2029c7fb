/** Seats for the names of points: beside, above or below, where they cover no point, no interval and no other name. */
import { textWidth } from "./measure.ts";

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

export interface Seat {
  readonly x: number;
  readonly y: number;
  readonly align: "left" | "right" | "center";
}

/** Left, top, right, bottom. */
export type Box = readonly [number, number, number, number];

const shared = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0])) * Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));

/** Offsets from a point in order of preference, in units of its radius and of a line's height. */
const seats: readonly { readonly right: number; readonly down: number; readonly align: Seat["align"] }[] = [
  { right: 1, down: 0, align: "left" },
  { right: -1, down: 0, align: "right" },
  { right: 0.7, down: -0.85, align: "left" },
  { right: 0.7, down: 0.85, align: "left" },
  { right: -0.7, down: -0.85, align: "right" },
  { right: -0.7, down: 0.85, align: "right" },
  { right: 0, down: -1.25, align: "center" },
  { right: 0, down: 1.25, align: "center" },
];

/**
 * One seat a place. Each name in turn takes the seat that covers least, given all others; three rounds settle it. Equal
 * input gives equal seats.
 */
export function placeLabels(
  places: readonly Place[],
  obstacles: readonly Box[],
  frame: Box,
  { size, radius }: { readonly size: number; readonly radius: number },
): Seat[] {
  const height = size * 1.2;
  const points = places.map(({ x, y }): Box => [x - radius, y - radius, x + radius, y + radius]);
  const taken: (Box | undefined)[] = places.map(() => undefined);
  const chosen: Seat[] = places.map(({ x, y }) => ({ x, y, align: "left" }));
  for (let round = 0; round < 3; round++)
    places.forEach(({ x, y, text }, index) => {
      const width = textWidth(text, size, 500);
      let least = Infinity;
      seats.forEach(({ right, down, align }, preference) => {
        const seatX = x + right * (radius + 4);
        const seatY = y + down * height;
        const left = align === "left" ? seatX : align === "right" ? seatX - width : seatX - width / 2;
        const box: Box = [left - 1, seatY - height / 2, left + width + 1, seatY + height / 2];
        const outside = width * height - shared(box, frame) > 1 ? 1e6 : 0;
        const covered = [...points, ...obstacles, ...taken.filter((_, other) => other !== index)].reduce(
          (sum, other) => sum + (other === undefined ? 0 : shared(box, other)),
          0,
        );
        const cost = outside + 10 * covered + preference;
        if (cost >= least) return;
        least = cost;
        chosen[index] = { x: seatX, y: seatY, align };
        taken[index] = box;
      });
    });
  return chosen;
}
