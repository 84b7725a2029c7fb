/** The whole comparison, six chains and every arm, over HTTP through both SDKs, against the model in this process. */
import { beforeAll, describe, expect, it } from "vitest";
import { sha256 } from "../harness/json.ts";
import { artifactsIn } from "./testing.ts";
import {
  closedBook,
  ledgerOf,
  ledgerUsage,
  modelFlags,
  newResults,
  reportIn,
  runFolder,
  scores,
  serve,
  serverUsage,
} from "./testing-remote.ts";

/** By name: the digest of every projection in a run's folder. */
const projectionDigests = (results: string): [string, string][] =>
  [...artifactsIn(runFolder(results))].flatMap(([name, text]) =>
    name.startsWith("projections/") ? [[name, sha256(text)]] : [],
  );

describe("the whole comparison", () => {
  const here = newResults();
  const whole = (results: string): string[] => `run --json --yes --results ${results}`.split(" ");
  let local: ReturnType<typeof scores> = [];
  beforeAll(async () => {
    local = scores(reportIn(await closedBook([...whole(here), "--cache", "assumed"])));
  }, 300_000);

  it.each(["openai", "anthropic"])(
    "gives through the %s SDK the same projections and the same recall, and the ledger counts what the server counts, request by request",
    { timeout: 300_000 },
    async (style) => {
      const server = await serve();
      const there = newResults();
      const ended = await closedBook([...whole(there), "--cache", "assumed", ...modelFlags(server, style)]);
      expect(ended.code, ended.err).toBe(0);
      expect(scores(reportIn(ended))).toEqual(local);
      const digests = projectionDigests(there);
      expect(digests).toHaveLength(24 * 7);
      expect(digests).toEqual(projectionDigests(here));
      const { tokens, answered } = server.totals();
      const counted = ledgerUsage(ledgerOf(there));
      expect(counted).toHaveLength(answered);
      expect(counted).toEqual(serverUsage(server));
      expect(tokens.cacheReadTokens).toBeGreaterThan(0);
    },
  );
});
