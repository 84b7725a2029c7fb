import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Chain, type ChainRecord, argsOf } from "../../chain/record.ts";
import { anyRecords, chainOf } from "../../chain/testing.ts";
import { textTokens } from "../../chain/tokens.ts";
import { redactChain } from "./redact.ts";

// Put together here, so that no scanner takes this file for a leak.
const githubToken = `ghp_${"Zq8Rk2Lm".repeat(4)}Wx9T`;
const awsSecret = "kJ7xQ2vLmN".repeat(4);
const pemLine = "MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSk";
const pem = ["-----BEGIN", " PRIVATE KEY-----"].join("");

const user = (text: string): ChainRecord => ({ id: "u", kind: "text", role: "user", text });
const result = (text: string): ChainRecord => ({ id: "r", kind: "tool_result", role: "tool", call: "c", text });
const call = (args: { [name: string]: string }): ChainRecord => ({
  id: "k",
  kind: "tool_call",
  role: "assistant",
  call: "c",
  tool: "shell",
  args,
});

const textsOf = (chain: Chain): string[] =>
  chain.records.map((record) => (record.kind === "tool_call" ? JSON.stringify(argsOf(record)) : record.text));

async function redacted(...records: ChainRecord[]) {
  const numbered = records.map((record, index) => ({ ...record, id: `${record.id}${index}` }));
  const { chain, counts } = await redactChain(chainOf(numbered));
  return { texts: textsOf(chain), counts };
}

describe("redaction", () => {
  it.each([
    ["a token that a rule knows", `export GH=${githubToken} done`, githubToken],
    ["a cloud secret after its name", `aws_secret_access_key = ${awsSecret}`, awsSecret],
    ["a line of a private key, also numbered", `1\t${pem}\n2\t${pemLine}\n3\tend`, pemLine],
    ["a bearer token", "Authorization: Bearer q1w2e3r4t5y6u7i8o9p0", "q1w2e3r4t5y6u7i8o9p0"],
    ["a value assigned to a telling name", 'config.apiKey = "z9y8x7w6v5u4t3s2"', "z9y8x7w6v5u4t3s2"],
    ["a password of the environment", "DB_PASSWORD=hunter2x psql", "hunter2x"],
    ["a password in a URL", "git clone https://bob:tr0ub4dor@git.example.net/x.git", "tr0ub4dor"],
    ["the user of a home path", "cd /home/mirabel/src", "mirabel"],
    ["the user of a Windows home path", String.raw`type C:\Users\Mirabel\a.txt`, "Mirabel"],
    ["an e-mail address", "by Ann Lee <ann.lee@corp-mail.example>", "ann.lee@corp-mail.example"],
    ["the host of a URL", "curl https://build-7.corp.example:8443/x", "build-7.corp.example"],
    ["a host without a domain in a URL", "redis://cache01:6379/0", "cache01"],
    ["a host in a prompt", "mirabel@workbench:~/src$ ls", "workbench"],
    ["an internal host by its suffix", "ping db01.prod.internal now", "db01.prod.internal"],
    ["a private address", "inet 10.20.30.40 netmask", "10.20.30.40"],
  ])("replaces %s", async (_what, text, secret) => {
    const { texts, counts } = await redacted(user(text));
    expect(texts[0]).not.toContain(secret);
    expect(texts[0]).toHaveLength(text.length);
    expect(textTokens(texts[0] ?? "")).toBe(textTokens(text));
    expect(Object.values(counts).reduce((sum, { replaced }) => sum + replaced, 0)).toBeGreaterThan(0);
  });

  it.each([
    ["loopback addresses", "open http://localhost:3000 and http://127.0.0.1:8080/x"],
    ["code that only mentions tokens", "const token: string = nextToken(maxTokens); // tokenizer"],
    ["settings files, decorators, versions", "see settings.local.json, @Injectable, left-pad@1.3.0, v10.2.0.1"],
    ["paths outside a home", "ls /usr/lib/node_modules /workspace/home-page"],
  ])("leaves %s alone", async (_what, text) => {
    expect((await redacted(user(text))).texts).toEqual([text]);
  });

  it("gives a value the same stand-in wherever it stands, also where nothing tells that it is private", async () => {
    const { texts } = await redacted(
      user(`GH_TOKEN=${githubToken}`),
      call({ command: `echo ${githubToken}` }),
      result(`${githubToken}\nhttps://db.corp.example/a\ndb.corp.example is up\n/home/mirabel/x\nowner mirabel`),
    );
    const standIn = /GH_TOKEN=(\S+)/.exec(texts[0] ?? "")?.[1] ?? "";
    expect(standIn).toHaveLength(githubToken.length);
    expect(texts[1]).toContain(`echo ${standIn}`);
    const lines = (texts[2] ?? "").split("\n");
    expect(lines[0]).toBe(standIn);
    expect(lines[2]?.split(" ")[0]).toBe(/\/\/([^/]+)/.exec(lines[1] ?? "")?.[1]);
    expect(lines[4]?.split(" ")[1]).toBe(lines[3]?.split("/")[2]);
  });

  it("replaces a text under a telling name whatever it looks like", async () => {
    const { texts, counts } = await redacted(call({ password: "open sesame", command: "login" }));
    expect(texts[0]).not.toContain("sesame");
    expect(texts[0]).toContain("login");
    expect(counts.secret.replaced).toBe(1);
  });

  it("is not switched off by a comment in the session", async () => {
    const { texts } = await redacted(user(`// secretlint-disable\n${githubToken}`));
    expect(texts[0]).not.toContain(githubToken);
  });

  it("does not replace an ordinary word that is somebody's password elsewhere", async () => {
    const { texts } = await redacted(user("postgres://app:postgres@dbhost/x"), user("start postgres again"));
    expect(texts[0]).not.toContain(":postgres@");
    expect(texts[0]).not.toContain("dbhost");
    expect(texts[1]).toBe("start postgres again");
  });

  it("keeps whatever follows a name as it was: hosts of one domain still share it", async () => {
    const { texts } = await redacted(user("https://a.corp.example and https://b.corp.example"));
    const [first, second] = [...(texts[0] ?? "").matchAll(/\/\/\w\.(\S+)/g)].map((match) => match[1]);
    expect(first).toBe(second);
    expect(first).not.toBe("corp.example");
  });

  it("counts by kind how many values there were and how often they were replaced", async () => {
    const { counts } = await redacted(user("a@b.example c@d.example"), result("a@b.example /home/mirabel/"));
    expect(counts["e-mail address"]).toEqual({ distinct: 2, replaced: 3 });
    expect(counts["home path"]).toEqual({ distinct: 1, replaced: 1 });
    expect(counts["host name"]).toEqual({ distinct: 0, replaced: 0 });
  });

  it("keeps the length, the bytes and the estimated tokens of every text, in any script, and gives equal results twice", async () => {
    const names = fc.constantFrom("mirabel", "josé", "Ольга", "王小明", "한국", "ab", "x-9");
    const shapes = fc
      .tuple(names, fc.nat({ max: 6 }))
      .map(
        ([name, shape]) =>
          [
            `/home/${name}/a`,
            `/Users/${name}`,
            `${name}@corp.example`,
            `https://${name}.example/x`,
            `${name}@${name}:~$`,
            `TOKEN=${name}${name}9`,
            name,
          ][shape] ?? name,
      );
    await fc.assert(
      fc.asyncProperty(anyRecords, fc.array(shapes, { minLength: 1, maxLength: 6 }), async (records, texts) => {
        const all = [...records, user(texts.join(" ")), result(texts.join("\n"))].map((record, index) => ({
          ...record,
          id: `x${index}`,
        }));
        const chain = chainOf(all);
        const once = await redactChain(chain);
        const before = textsOf(chain);
        textsOf(once.chain).forEach((text, index) => {
          const original = before[index] ?? "";
          expect([text.length, Buffer.byteLength(text), textTokens(text)]).toEqual([
            original.length,
            Buffer.byteLength(original),
            textTokens(original),
          ]);
        });
        expect((await redactChain(chain)).chain).toEqual(once.chain);
      }),
      { numRuns: 60 },
    );
  });
});
