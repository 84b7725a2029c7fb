import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textWidth } from "./measure.ts";
import { type Box, placeLabels, type Seat } from "./place-labels.ts";

const frame: Box = [0, 0, 500, 300];
const options = { size: 11, radius: 5 };
const boxOf = ({ x, y, align }: Seat, text: string): Box => {
  const width = textWidth(text, options.size, 500);
  const left = align === "left" ? x : align === "right" ? x - width : x - width / 2;
  return [left, y - 6, left + width, y + 6];
};
const overlap = (a: Box, b: Box): boolean => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

describe("placeLabels", () => {
  it("puts the name of a lone point on its right", () => {
    expect(placeLabels([{ x: 100, y: 100, text: "Codex" }], [], frame, options)).toEqual([
      { x: 109, y: 100, align: "left" },
    ]);
  });

  it("keeps two names of neighbouring points apart", () => {
    const places = [
      { x: 200, y: 100, text: "FutureOS (deterministic)" },
      { x: 214, y: 100, text: "FutureOS (summarized)" },
    ];
    const [first, second] = placeLabels(places, [], frame, options).map((seat, index) =>
      boxOf(seat, places[index]?.text ?? ""),
    );
    expect(first && second && overlap(first, second)).toBe(false);
  });

  it("moves a name off a line that would run through it", () => {
    const line: Box = [100, 99, 300, 101];
    const place = { x: 100, y: 100, text: "Codex" };
    const [free] = placeLabels([place], [], frame, options);
    const [seat] = placeLabels([place], [line], frame, options);
    expect(free && overlap(boxOf(free, place.text), line)).toBe(true);
    expect(seat && overlap(boxOf(seat, place.text), line)).toBe(false);
  });

  it("keeps every name inside the frame", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ x: fc.integer({ min: 10, max: 490 }), y: fc.integer({ min: 20, max: 280 }) }), {
          maxLength: 6,
        }),
        (points) => {
          const places = points.map((point) => ({ ...point, text: "Newest 8,000" }));
          placeLabels(places, [], frame, options).forEach((seat, index) => {
            const box = boxOf(seat, places[index]?.text ?? "");
            expect(box[0]).toBeGreaterThanOrEqual(-1);
            expect(box[2]).toBeLessThanOrEqual(501);
          });
        },
      ),
    );
  });
});
