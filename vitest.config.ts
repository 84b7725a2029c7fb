import { defineConfig } from "vitest/config";

/** File for the runner's counts as JSON: set by .ci/run. */
const countsFile = process.env["VITEST_COUNTS"];

export default defineConfig({
  test: {
    include: ["harness/**/*.test.ts", "arms/**/*.test.ts", "scripts/**/*.test.ts", "*.test.ts"],
    reporters: countsFile === undefined ? ["default"] : ["default", ["json", { outputFile: countsFile }]],
  },
});
