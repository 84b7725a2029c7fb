#!/usr/bin/env node
// The command. Nobody builds anything: a bundle of the sources is kept and made anew when one of them has changed.
import { bundledCli } from "./bundle.mjs";

// An arm from a file imports the harness's own files, and these have to be the ones that run.
const fromFile = process.argv.some((word) => word === "--arm" || word.startsWith("--arm="));
const bundle = fromFile ? undefined : await bundledCli();
if (bundle !== undefined) await import(bundle);
else {
  const { register } = await import("tsx/esm/api");
  register();
  await import("./cli.ts");
}
