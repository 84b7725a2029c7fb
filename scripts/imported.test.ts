/** Your own sessions, as a user of the command line meets them. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ImportFile } from "../harness/import/store.ts";
import { fixture, jsonLinesOf } from "../harness/import/testing.ts";
import type { Report } from "../harness/report/report.ts";
import { startOfflineServer } from "../harness/serve/server.ts";
import { main as figures } from "./figures.ts";
import { closedBook, ended } from "./testing-command.ts";

/** An imported session in a data folder of its own. */
async function imported(file: string, ...flags: string[]): Promise<{ data: string; name: string; path: string }> {
  const data = join(mkdtempSync(join(tmpdir(), "own-")), "data");
  const { code, out, err } = await closedBook("import", file, "--data", data, "--json", ...flags);
  expect([code, err]).toEqual([0, expect.stringContaining("readable by you alone")]);
  const { name, path } = JSON.parse(out) as ImportFile & { readonly path: string };
  return { data, name, path };
}

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

// Put together here, so that no scanner takes this file for a leak.
const token = `ghp_${"Zq8Rk2Lm".repeat(4)}Wx9T`;
const privates = [
  "mirabel",
  token,
  "ann.lee@corp-mail.example",
  "build-7.corp.example",
  "iVBORw0KGgo",
  "hidden thought",
];

/** A Claude Code session of twelve turns that is full of private things and of exact values. */
function privateSession(): string {
  const lines = Array.from({ length: 12 }, (_, turn) => {
    const common = { sessionId: "s", cwd: "/home/mirabel/src", isSidechain: false };
    const user = (id: string, parentUuid: string | null, content: unknown) => ({
      ...common,
      type: "user",
      uuid: `${turn}${id}`,
      parentUuid,
      message: { role: "user", content },
    });
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } };
    return [
      user("a", turn === 0 ? null : `${turn - 1}c`, [
        { type: "text", text: `Keep src/part${turn}.ts below ${310 + turn}.5 MiB; mail ann.lee@corp-mail.example` },
        image,
      ]),
      {
        ...common,
        type: "assistant",
        uuid: `${turn}b`,
        parentUuid: `${turn}a`,
        message: {
          id: `m${turn}`,
          role: "assistant",
          content: [
            { type: "thinking", thinking: "hidden thought" },
            { type: "text", text: `Changed \`parse_row_${turn}\` in lib/step${turn}.py, PR #${500 + turn}` },
            {
              type: "tool_use",
              id: `t${turn}`,
              name: "Bash",
              input: { command: `curl https://build-7.corp.example/${turn}` },
            },
          ],
        },
      },
      user("c", `${turn}b`, [
        {
          type: "tool_result",
          tool_use_id: `t${turn}`,
          content: `GH_TOKEN=${token}\n/home/mirabel/src ${turn}a0b1c2d${turn}`,
        },
      ]),
    ];
  }).flat();
  const file = join(mkdtempSync(join(tmpdir(), "own-")), "session.jsonl");
  writeFileSync(file, jsonLinesOf(...lines));
  return file;
}

describe("a run on an imported session", () => {
  it(
    "is private, says how far the session's values went, and works in every command",
    { timeout: 120_000 },
    async () => {
      const { data, name, path } = await imported(fixture("claude.jsonl"));
      const ran = await closedBook("run", "--chain", path, "--data", data, "--json");
      expect(ran.code).toBe(0);
      expect(ran.err).toContain(
        `${name}: too few distinct values, so 3 of 3 sheets ask fewer targets than the exam wants: 3 of 12 after record 6,`,
      );
      const report = JSON.parse(ran.out) as Report;
      const folder = join(data, "results", report.runId);
      expect([join(data, "results"), folder].map(mode)).toEqual(["700", "700"]);
      expect(report.imported).toMatchObject([
        {
          chain: name,
          records: 16,
          redaction: null,
          sheets: [
            { end: 6, decoys: 8, targets: { assistant: { asked: 1, wanted: 10, found: 1 } } },
            { end: 11, decoys: 8 },
            { end: 16, decoys: 8 },
          ],
        },
      ]);
      for (const arm of report.arms) {
        expect(Object.keys(arm.byGroup)).toEqual(["imported"]);
        expect(arm.recall).toEqual(arm.survival);
        expect(arm.decoys).toEqual({ confirmed: 0, of: 24 });
      }
      expect(report.arms.find(({ id }) => id === "full")?.recall.hits).toBe(report.exam.targets);

      const again = await closedBook("report", "--run", folder, "--json");
      expect(again.out).toBe(ran.out);
      const markdown = readFileSync(join(folder, "report.md"), "utf8");
      expect(markdown).toContain("What is asked of imported sessions");
      expect(markdown).toMatch(/\| claude-\w+ \| 6 of 16 \| 1 of 10 \(1 found\) \|/);
      expect((await closedBook("report", "--run", folder, "--html")).code).toBe(0);
      expect(readFileSync(join(folder, "report.html"), "utf8")).toContain("What is asked of imported sessions");
      expect((await ended(() => figures(["--run", folder]))).code).toBe(0);
      expect(readFileSync(join(folder, "figures/2-composition.vl.json"), "utf8")).toContain("one imported session");
      const tally = await closedBook("composition", "--chain", path, "--json");
      expect(JSON.parse(tally.out)).toMatchObject({
        chains: [{ chain: name, records: 16 }],
        targets: { targets: report.exam.targets },
      });
      const hits = await closedBook("history", "search", "changelog", "--run", folder, "--chain", name);
      const [entry = ""] = hits.out.split(" ");
      expect((await closedBook("history", "get", entry, "--run", folder, "--chain", name)).out).toContain("changelog");
      const estimate = await closedBook("estimate", "--chain", path, "--data", data);
      expect([estimate.code, estimate.out]).toEqual([0, expect.stringContaining(report.runId)]);
      const shape = await closedBook("verify-shape", "--chain", path, "--data", data, "--arms", "codex");
      expect([shape.code, shape.err]).toEqual([0, ""]);
      const book = await closedBook("open-book", "--run", folder, "--rounds", "closed,1");
      expect(book.code).toBe(0);
      const bookFolder = readdirSync(join(data, "results")).find((id) => id.startsWith("open-book")) ?? "";
      expect(mode(join(data, "results", bookFolder))).toBe("700");
    },
  );

  it("works where the session is too short for three boundaries, and says so", { timeout: 60_000 }, async () => {
    const { data, name, path } = await imported(fixture("records.jsonl"));
    const { code, out, err } = await closedBook("run", "--chain", path, "--data", data, "--arms", "codex", "--json");
    expect(code).toBe(0);
    expect(err).toContain(
      `${name}: 2 scored boundaries in place of 3, after record 1 and 4 of 4: the session is short`,
    );
    const folder = join(data, "results", (JSON.parse(out) as Report).runId);
    expect((await ended(() => figures(["--run", folder]))).code).toBe(0);
  });

  it("is found by its id in the XDG data home", async () => {
    vi.stubEnv("XDG_DATA_HOME", mkdtempSync(join(tmpdir(), "own-")));
    const file = await closedBook("import", fixture("records.jsonl"), "--name", "mine");
    expect(file.err).toContain(join(process.env["XDG_DATA_HOME"] ?? "", "closed-book/imports/mine"));
    const chain = join(process.env["XDG_DATA_HOME"] ?? "", "closed-book/imports/mine");
    const { out } = await closedBook("run", "--chain", chain, "--arms", "recent", "--json");
    const { runId } = JSON.parse(out) as Report;
    expect((await closedBook("report", "--run", runId, "--json")).out).toBe(out);
    vi.unstubAllEnvs();
  });

  it("has the cuts that it is given, which have to be safe", async () => {
    const { data, path } = await imported(fixture("claude.jsonl"));
    const run = (cuts: string) =>
      closedBook("run", "--chain", path, "--data", data, "--arms", "recent", "--json", "--cuts", cuts);
    const { code, out, err } = await run("11");
    expect([code, err]).toEqual([0, expect.not.stringContaining("the session is short")]);
    expect((JSON.parse(out) as Report).imported?.[0]?.sheets.map(({ end }) => end)).toEqual([11]);
    expect(await run("4,11")).toMatchObject({ code: 2, err: expect.stringMatching(/cut 4 splits|leaves a call open/) });
  });

  it("takes ready sheets", async () => {
    const { data, name, path } = await imported(fixture("records.jsonl"));
    for (const stage of [0, 1])
      writeFileSync(join(data, `${name}-${stage}.json`), JSON.stringify({ present: ["ring_buffer"], decoys: ["xyz"] }));
    const flags = ["--data", data, "--arms", "full", "--sheets", data, "--json"];
    const { code, out } = await closedBook("run", "--chain", path, ...flags);
    expect(code).toBe(0);
    expect((JSON.parse(out) as Report).imported?.[0]?.sheets[0]?.targets.user.wanted).toBeNull();
  });

  it("is refused in one line where the session has no value to ask for", async () => {
    const { data, name, path } = await imported(fixture("codex-legacy-compaction.jsonl"));
    const { code, err } = await closedBook("run", "--chain", path, "--data", data);
    expect([code, err]).toEqual([2, expect.stringMatching(new RegExp(`^Chain "${name}": no exact value [^\n]+\n$`))]);
    expect(readdirSync(data)).toEqual(["imports"]);
  });

  it(
    "writes nothing into a git work tree without --allow-repo: no run, no page, no figure",
    { timeout: 60_000 },
    async () => {
      const { data, path } = await imported(fixture("records.jsonl"));
      const tree = mkdtempSync(join(tmpdir(), "own-"));
      mkdirSync(join(tree, ".git"));
      const runOn = (chain: string, ...flags: string[]) =>
        closedBook("run", "--chain", chain, "--arms", "codex", "--json", ...flags);
      for (const chain of [path, `${path}/`, join(path, "records.jsonl")]) {
        const refused = await runOn(chain, "--results", join(tree, "results"));
        expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("--allow-repo")]);
      }
      const folder = join(data, "results", (JSON.parse((await runOn(path, "--data", data)).out) as Report).runId);
      const page = await closedBook("report", "--run", folder, "--html", "--out", join(tree, "page.html"));
      const drawn = await ended(() => figures(["--run", folder, "--out", join(tree, "figures")]));
      for (const { code, err } of [page, drawn])
        expect([code, err]).toEqual([2, expect.stringContaining("--allow-repo")]);
      expect(readdirSync(tree)).toEqual([".git"]);
      expect((await runOn(path, "--results", join(tree, "results"), "--allow-repo")).code).toBe(0);
    },
  );
});

/** The offline model behind a server that keeps every body. */
async function recordingServer(bodies: string[]) {
  const offline = await startOfflineServer();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      bodies.push(body.toString());
      void fetch(`${offline.baseUrl}${request.url ?? ""}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      }).then(async (reply) =>
        response.writeHead(reply.status, { "content-type": "application/json" }).end(await reply.text()),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    close: async () => {
      server.close();
      await offline.close();
    },
  };
}

describe("a remote model", () => {
  afterEach(() => vi.unstubAllEnvs());

  it(
    "is sent nothing of an imported session without --yes-send, and then only stand-ins, by a run and by an open book",
    { timeout: 60_000 },
    async () => {
      vi.stubEnv("OPENAI_API_KEY", "any");
      const bodies: string[] = [];
      const server = await recordingServer(bodies);
      try {
        const { data, name, path } = await imported(privateSession());
        const model = [
          "--model",
          "openai:any",
          "--base-url",
          server.baseUrl,
          "--window",
          "200000",
          "--no-stream",
          "--yes",
        ];
        const run = (...flags: string[]) =>
          closedBook("run", "--chain", path, "--data", data, "--arms", "codex,full", "--json", ...flags);
        const openBook = (id: string, ...flags: string[]) =>
          closedBook("open-book", "--run", join(data, "results", id), "--arm", "codex", "--rounds", "closed", ...flags);

        const refused = await run(...model);
        expect([refused.code, refused.err]).toEqual([2, expect.stringMatching(/^Chain .*Give --yes-send .*\n$/)]);
        const offline = JSON.parse((await run()).out) as Report;
        for (const [flags, reason] of [
          [model, "Give --yes-send"],
          [[...model, "--yes-send"], "not redacted"],
        ] as const) {
          const { code, err } = await openBook(offline.runId, ...flags);
          expect([code, err]).toEqual([2, expect.stringContaining(reason)]);
        }
        expect(bodies).toEqual([]);

        const sent = await run(...model, "--yes-send");
        expect(sent.code).toBe(0);
        const report = JSON.parse(sent.out) as Report;
        expect(report.imported?.[0]?.redaction).toMatchObject({
          secret: { distinct: 1, replaced: 12 },
          "e-mail address": { distinct: 1, replaced: 12 },
          "host name": { distinct: 1, replaced: 12 },
        });
        expect(sent.err).toMatch(
          new RegExp(`${name}: redacted, with stand-ins of the same length for secret 1 \\(12 times\\)`),
        );
        expect((await closedBook("report", "--run", join(data, "results", report.runId), "--json")).out).toBe(sent.out);
        expect((await openBook(report.runId, ...model, "--yes-send")).code).toBe(0);
        expect(bodies.length).toBeGreaterThan(8);
        const text = bodies.join("\n");
        expect(text).toContain("lib/step7.py");
        for (const value of privates) expect(text).not.toContain(value);
        expect(offline.exam.targets).toBe(report.exam.targets);
        expect(offline.arms.map(({ recall }) => recall.of)).toEqual(report.arms.map(({ recall }) => recall.of));
      } finally {
        await server.close();
      }
    },
  );
});
