/** Names that every provider of tools accepts. Each depends on nothing but the name itself, so a longer history keeps its prefix. */
import { sha256 } from "../../json.ts";

/**
 * A call id as it is where both APIs accept it (ASCII letters, digits, `_` and `-`, at most 40), else one derived from its
 * digest. Different ids stay different.
 */
export const callIdOf = (id: string): string => (/^[\w-]{1,40}$/.test(id) ? id : `call_${sha256(id).slice(0, 32)}`);

/**
 * A tool name as it is where both APIs accept it (ASCII letters, digits, `_` and `-`, at most 64), else its allowed
 * characters with a digest, so that different names stay different.
 */
export const toolNameOf = (name: string): string =>
  /^[\w-]{1,64}$/.test(name) ? name : `${name.replaceAll(/[^\w-]/g, "_").slice(0, 51)}_${sha256(name).slice(0, 12)}`;

/** A routing key of at most 64 printable ASCII characters: the key itself, or its digest. */
export const routingKeyOf = (key: string): string => (/^[\x21-\x7e]{1,64}$/.test(key) ? key : sha256(key));
