/**
 * Secrets in texts: the rules of secretlint's recommended preset, which is maintained, and a few shapes that it leaves to
 * its users: assignments to names like `API_KEY`, bearer tokens, JSON web tokens, passwords in URLs.
 */
import { lintSource } from "@secretlint/core";
import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import { type PrivateValue, privateValue } from "./private-values.ts";

/** The comment filter would let a `secretlint-disable` in a session switch off all rules after it. */
const config = {
  rules: rules
    .filter(({ meta }) => !meta.id.endsWith("filter-comments"))
    .map((rule) => ({
      id: rule.meta.id,
      rule,
      options: rule.meta.id.endsWith("-aws") ? { enableIDScanRule: true } : {},
    })),
};

/** Between the texts of one batch; no secret has it. */
const separator = "\n\u0000\n";
const batchChars = 1 << 19;

/** All secrets in these texts, repeated where they occur again. */
export async function secretsIn(texts: Iterable<string>): Promise<PrivateValue[]> {
  const found: PrivateValue[] = [];
  let batch: string[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    for (const value of await ruledSecrets(batch.join(separator))) found.push(...secretValue(value));
    batch = [];
    size = 0;
  };
  for (const text of texts) {
    for (const value of shapedSecrets(text)) found.push(value);
    batch.push(text);
    size += text.length;
    if (size >= batchChars) await flush();
  }
  if (batch.length > 0) await flush();
  return found;
}

/** What secretlint reports: its rules name the secret in their data, and a range that is not always the secret's. */
async function ruledSecrets(content: string): Promise<string[]> {
  const { messages } = await lintSource({
    source: { content, filePath: "session.txt", ext: ".txt", contentType: "text" },
    options: { config, noPhysicFilePath: true },
  });
  return messages.flatMap(({ range: [start, end], data }) => {
    const named = Object.values((data ?? {}) as { readonly [name: string]: unknown }).filter(
      (value): value is string => {
        if (typeof value !== "string" || value.length < 6) return false;
        const at = content.indexOf(value, start);
        return at >= start && at < end;
      },
    );
    const value = named.sort((one, other) => other.length - one.length)[0] ?? content.slice(start, end);
    return value.includes("\u0000") ? [] : [value];
  });
}

const uriUser = /^[a-z][a-z0-9+.-]*:\/\/[^\s:@/]*:([^\s@/]+)@/i;
const uriPath = /^[a-z][a-z0-9+.-]*:\/\/[^\s/]+(\/\S*)$/i;

/** A key block is secret line by line, since tools number or cut its lines; a URL in its password, or else in its path. */
function secretValue(value: string): PrivateValue[] {
  if (value.includes("PRIVATE KEY")) return keyLines(value);
  const password = uriUser.exec(value)?.[1];
  if (password !== undefined) return [password].map((text) => inContext(text, ":", "@"));
  return [privateValue("secret", "any", uriPath.exec(value)?.[1] ?? value)];
}

const keyLines = (block: string): PrivateValue[] =>
  (block.match(/[A-Za-z0-9+/=]{16,}/g) ?? []).map((line) => privateValue("secret", "any", line));

/** A secret that could be an ordinary word is replaced only between what made it one. */
const inContext = (text: string, before: string, after: string): PrivateValue =>
  isWordLike(text) ? privateValue("secret", "any", text, before, after) : privateValue("secret", "any", text);

const isWordLike = (text: string): boolean => text.length < 8 || !/\d/.test(text) || !/[^\d.]/.test(text);

const keyBlock = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const bearer = /\b[Bb]earer[ \t]+([A-Za-z0-9._~+/-]{16,4096}=*)/g;
const webToken = /\beyJ[A-Za-z0-9_-]{8,4096}\.[A-Za-z0-9_-]{8,8192}\.[A-Za-z0-9_-]{8,4096}/g;
const urlPassword = /:\/\/[^\s:@/"'<>]{0,200}:([^\s@/"'<>]{3,200})@/g;
const secretWord = "(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)";
/** `NAME=value` as in the environment, where the value has no spaces. */
const environment = new RegExp(
  `\\b([A-Z][A-Z0-9_]{0,60}(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|KEY|CREDENTIALS)[A-Z0-9_]{0,20}=["']?)([^\\s"'$<>{}()\\[\\]]{6,500})`,
  "g",
);
const environmentPrefixless =
  /\b((?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN)[A-Z0-9_]{0,20}=["']?)([^\s"'$<>{}()[\]]{6,500})/g;
/** Any assignment to a telling name of what looks drawn by chance. */
const assignment = new RegExp(
  `${secretWord}[A-Za-z0-9_-]{0,20}\\\\{0,2}["']?\\s{0,4}(?:=>|[:=])\\s{0,4}\\\\{0,2}["'\`]?([A-Za-z0-9+/_=.~-]{12,500})`,
  "gi",
);

/** Names of arguments whose text is a secret whatever it looks like. */
export const secretName = new RegExp(secretWord.replace("token", "(?:access|auth|api|bearer)[_-]?token"), "i");

/** Secrets by their shape and by what they are assigned to. */
function* shapedSecrets(text: string): Generator<PrivateValue> {
  for (const { index } of text.matchAll(keyBlock)) {
    const end = text.indexOf("PRIVATE KEY", index + 40);
    yield* keyLines(text.slice(index, end < 0 || end > index + 20_000 ? index + 10_000 : end));
  }
  for (const expression of [bearer, webToken])
    for (const match of text.matchAll(expression)) yield privateValue("secret", "any", match[1] ?? match[0]);
  for (const [, password = ""] of text.matchAll(urlPassword)) yield inContext(password, ":", "@");
  for (const expression of [environment, environmentPrefixless])
    for (const [, name = "", value = ""] of text.matchAll(expression)) yield inContext(value, name, "");
  for (const [, value = ""] of text.matchAll(assignment))
    if (looksDrawn(value)) yield privateValue("secret", "any", value);
}

/** Letters and digits mixed, and no run of one character: not a word, a number, a path or a version. */
function looksDrawn(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value) || /^[\d.]+[a-z]*$/.test(value)) return false;
  return new Set(value).size >= Math.min(8, value.length / 2) && !/[./]{2}|^\.|\/.*\/.*\.\w+$/.test(value);
}
