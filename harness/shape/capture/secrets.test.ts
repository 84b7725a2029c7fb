import { describe, expect, it } from "vitest";
import { createMask, maskedText, secretsIn, secretsOf } from "./secrets.ts";

/** Texts that hold a secret of a kind, and the secret. Made up; a back-tick parts each, so that no scanner takes it for a real one. */
const parted: readonly (readonly [kind: string, before: string, secret: string])[] = [
  ["API key", "key ", "sk-`proj-0123456789abcdefghij"],
  ["API key", "", "sk-`ant-api03-AbCdEfGhIjKlMnOpQr"],
  ["access token", "git remote uses ", "ghp_`A1b2C3d4E5f6G7h8I9j0K1l2"],
  ["access token", "", "glpat-`A1b2C3d4E5f6G7h8I9j0"],
  ["access token", "", "xoxb-`123456789012-abcdefABCDEF"],
  ["cloud key", "aws ", "AKIA`ABCDEFGHIJKLMNOP"],
  ["cloud key", "", "AIza`SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q"],
  ["signed token", "jwt ", "eyJ`hbGciOiJIUzI1NiJ9.eyJ`zdWIiOiIxMjM0In0.c2lnbmF0dXJl"],
  ["authorization", "Authorization: Bearer ", "abcDEF0123456789.ghi"],
  ["password in a URL", "https://bob:", "hunter2pass"],
  ["named secret", "DEPLOY_TOKEN=", "a1b2c3d4e5f6"],
  ["named secret", '"api_key": "', "a1b2c3d4e5f6"],
  ["private key", "", "-----BEGIN` RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----"],
];
const secrets = parted.map(([kind, before, secret]) => [kind, before, secret.replaceAll("`", "")] as const);

describe("createMask", () => {
  it.each(secrets)("masks %s after %j", (kind, before, secret) => {
    const mask = createMask([]);
    const after = kind === "password in a URL" ? "@host/path" : " and more";
    expect(mask.text(`${before}${secret}${after}`)).toBe(`${before}${maskedText}${after}`);
    expect(mask.counts()).toEqual({ [kind]: 1 });
  });

  it("masks given values wherever they stand, the longest first, and counts each", () => {
    const mask = createMask(["plover-plover", "plover-plover-long"]);
    expect(mask.text("a plover-plover-long b plover-plover c plover-plover")).toBe(
      `a ${maskedText} b ${maskedText} c ${maskedText}`,
    );
    expect(mask.counts()).toEqual({ "known secret": 3 });
  });

  it("masks texts and keys at any depth and leaves everything else as it was", () => {
    const mask = createMask(["plover-plover"]);
    const value = { "x plover-plover": [1, null, true, { deep: "see plover-plover" }] };
    expect(mask.json(value)).toEqual({ [`x ${maskedText}`]: [1, null, true, { deep: `see ${maskedText}` }] });
    expect(value["x plover-plover"]).toHaveLength(4);
  });

  it("leaves the words of prompts alone", () => {
    const text = [
      "Never print an API key, a token or a password. Use Bearer authentication where a server asks for it.",
      "max_tokens: 8192000, token = required, secret: none, sk-short, task-force-of-all-trades, /home/user:rw@host",
      "disk-usage-of-the-whole-tree, risk-assessment-of-everything, password: string, commit 0123456789abcdef0123",
    ].join("\n");
    const mask = createMask(["short"]);
    expect(mask.text(text)).toBe(text);
    expect(mask.counts()).toEqual({});
  });
});

describe("secrets of a request", () => {
  it("are the values of headers that authorise, whole and without their scheme", () => {
    const found = secretsIn({
      authorization: "Bearer abcdefghijkl",
      "x-api-key": "mnopqrstuvwx",
      cookie: "sid=yz0123456789; theme=dark",
      "content-type": "application/json",
    });
    for (const value of ["abcdefghijkl", "mnopqrstuvwx", "yz0123456789"]) expect(found).toContain(value);
    expect(found).not.toContain("application/json");
  });

  it("are the values of environment variables that are named like secrets", () => {
    const found = secretsOf({ OPENAI_API_KEY: "one", GH_TOKEN: "two", PATH: "/bin", EMPTY_SECRET: undefined });
    expect(found).toEqual(["one", "two"]);
  });
});
