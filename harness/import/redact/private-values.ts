/** What is private in a text and follows a shape of its own: home paths, e-mail addresses, host names. */

export type PrivateKind = "secret" | "home path" | "e-mail address" | "host name";
export const privateKinds = [
  "secret",
  "home path",
  "e-mail address",
  "host name",
] as const satisfies readonly PrivateKind[];

/** A text to be replaced wherever it stands, with only its private parts named. */
export interface PrivateValue {
  readonly kind: PrivateKind;
  /** Looked for in every text. */
  readonly value: string;
  /** The pieces of `value` in order; the private ones get stand-ins. */
  readonly pieces: readonly { readonly text: string; readonly isPrivate: boolean }[];
  /** What may not touch it. `any`: it counts everywhere. */
  readonly edges: "any" | "word" | "host";
}

const kept = (text: string) => ({ text, isPrivate: false });
const secret = (text: string) => ({ text, isPrivate: true });

/** A private text between others that stay, as in `://` + host. */
export const privateValue = (
  kind: PrivateKind,
  edges: PrivateValue["edges"],
  text: string,
  before = "",
  after = "",
): PrivateValue => ({
  kind,
  value: before + text + after,
  pieces: [kept(before), secret(text), kept(after)].filter((piece) => piece.text !== ""),
  edges,
});

/** Everything of these shapes in a text. Linear: each is found by a sign that is rare, then looked at closely. */
export const privateValuesIn = (text: string): PrivateValue[] => [
  ...homePaths(text),
  ...addresses(text),
  ...hosts(text),
];

const homePath = /(\/(?:home|Users)\/|[A-Za-z]:[\\/]{1,4}Users[\\/]{1,4})([^\s\\/"'`:;,<>|()[\]{}*?$&#=]{1,64})/g;

/** Users whose names say nothing about a person; they are replaced in paths, but not as words. */
const commonUsers = new Set(
  "admin app build builder ci code dev developer docker git guest home local me node project public root runner shared test tester ubuntu user username vscode web work workspace www you".split(
    " ",
  ),
);

/** Home folders, and their owners' names wherever they stand as a word. */
function* homePaths(text: string): Generator<PrivateValue> {
  if (!text.includes("home") && !text.includes("Users")) return;
  for (const [, before = "", name = ""] of text.matchAll(homePath)) {
    const user = name.replace(/[.!]+$/, "");
    if (user === "") continue;
    yield privateValue("home path", "word", user, before);
    for (const encoded of ["-home-", "-Users-", "%2Fhome%2F", "%2FUsers%2F"])
      yield privateValue("home path", "word", user, encoded);
    if (user.length >= 4 && !commonUsers.has(user.toLowerCase())) yield privateValue("home path", "word", user);
  }
}

const label = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}_-]{0,62}[\\p{L}\\p{N}])?";
const localPart = /[\p{L}\p{N}._%+-]{1,64}$/u;
const dotted = new RegExp(`^(?:${label}\\.){1,8}${label}(?![\\p{L}\\p{N}_-])`, "u");
const topLevel = /\.\p{L}{2,24}$/u;
const promptHost = new RegExp(`^${label}(?=:[~/])`, "u");

/** E-mail addresses, and hosts after a user's name, as in `git@host:path` and the prompts of shells. */
function* addresses(text: string): Generator<PrivateValue> {
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    const before = text.slice(Math.max(0, at - 65), at);
    const local = localPart.exec(before)?.[0] ?? "";
    const after = text.slice(at + 1, at + 260);
    if (local === "" || isUserInfo(text, at - local.length)) continue;
    const host = dotted.exec(after)?.[0];
    if (host !== undefined && topLevel.test(host))
      yield {
        kind: "e-mail address",
        value: `${local}@${host}`,
        pieces: [secret(local), kept("@"), ...hostPieces(host)],
        edges: "host",
      };
    else {
      const name = promptHost.exec(after)?.[0];
      if (name !== undefined && name !== "localhost") yield privateValue("host name", "host", name, "@");
    }
  }
}

/** Whether what comes before a host is the user and password of a URL. */
const isUserInfo = (text: string, localStart: number): boolean =>
  /:\/\/[^\s/"'<>]*$/.test(text.slice(Math.max(0, localStart - 200), localStart));

/** A host's name is private label by label, so that two hosts of one domain still share it. */
const hostPieces = (host: string): PrivateValue["pieces"] =>
  host.split(/(\.)/).map((part) => (part === "." ? kept(part) : secret(part)));

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0)$/;
const inUrl = new RegExp(`^(?:[^\\s/@"'<>]{1,200}@)?((?:${label}\\.){0,8}${label})(?![\\p{L}\\p{N}_-])`, "u");
const internal =
  /(?<![\w.-])(?:[A-Za-z0-9-]{1,63}\.){1,8}(?:local|internal|corp|lan|intranet|localdomain|home\.arpa)(?![\w-]|\.[A-Za-z0-9])/g;
const privateAddress = /(?<![\d.])(?:10\.\d{1,3}|192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d{1,3}){2}(?![\d]|\.\d)/g;

function* hosts(text: string): Generator<PrivateValue> {
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at + 3)) {
    const match = inUrl.exec(text.slice(at + 3, at + 560));
    const host = match?.[1];
    if (host === undefined || loopback.test(host)) continue;
    const sign = match?.[0].length === host.length ? "://" : "@";
    if (host.includes(".")) yield { kind: "host name", value: host, pieces: hostPieces(host), edges: "host" };
    else yield privateValue("host name", "host", host, sign);
  }
  for (const expression of [internal, privateAddress])
    for (const [host] of text.matchAll(expression))
      yield { kind: "host name", value: host, pieces: hostPieces(host), edges: "host" };
}
