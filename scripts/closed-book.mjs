#!/usr/bin/env node
// The installed command: TypeScript runs as it is, through tsx.
import { register } from "tsx/esm/api";

register();
await import("./cli.ts");
