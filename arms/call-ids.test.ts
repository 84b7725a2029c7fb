import { expect, it } from "vitest";
import { callNames } from "./call-ids.ts";

it("names a call by its id, and each later use of the id by a new one that no other call has", () => {
  const name = callNames();
  expect(["a", "b", "a", "a~2", "a"].map(name)).toEqual(["a", "b", "a~2", "a~2~2", "a~3"]);
});
