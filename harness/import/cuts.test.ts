import * as fc from "fast-check";
import { expect, it } from "vitest";
import { safeAfter } from "../chain/boundaries.ts";
import { anyRecords, orderlyRecords } from "../chain/testing.ts";
import { cutFinder } from "./cuts.ts";

it("cuts an imported chain at 40, 70 and 100 % of its records, moved back to where safeAfter allows it", () => {
  fc.assert(
    fc.property(fc.oneof(anyRecords, orderlyRecords), (records) => {
      const finder = cutFinder();
      for (const record of records) finder.add(record);
      const safe = safeAfter(records);
      const nearest = (end: number): number => (end === 0 || safe[end - 1] ? end : nearest(end - 1));
      const ends = [0.4, 0.7, 1].map((share) => nearest(Math.floor(records.length * share)));
      expect(finder.cuts()).toEqual([...new Set(ends)].filter((end) => end > 0));
    }),
  );
});
