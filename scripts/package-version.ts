/** Version of this harness, as recorded in manifests. */
import { readFileSync } from "node:fs";

export const packageVersion = (): string =>
  (JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string }).version;
