import { defineConfig } from "vitest/config";

/** File for the runner's counts as JSON: set by .ci/run. */
const countsFile = process.env["VITEST_COUNTS"];

export default defineConfig({
  test: {
    include: ["harness/**/*.test.ts", "arms/**/*.test.ts", "scripts/**/*.test.ts", "*.test.ts"],
    // A whole run inside a test takes milliseconds on an idle machine; a busy one may take its time.
    testTimeout: 60_000,
    reporters: countsFile === undefined ? ["default"] : ["default", ["json", { outputFile: countsFile }]],
  },
});
