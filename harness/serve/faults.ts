/**
 * Faults on request: which calls, and what goes wrong with them. A file is a JSON list of `{"on", "fault"}`; the first entry
 * that applies to a call wins, except that `slow` delays and lets the following entries have their say.
 */
import * as z from "zod";
import { ArtifactError, UsageError } from "../errors.ts";
import { randomStream } from "../random.ts";
import { readTextFile } from "../text-file.ts";
import { unknownName } from "../did-you-mean.ts";
import { type BadReplyName, badReplyNames } from "./bad-replies.ts";
import { pathText } from "./body.ts";

/** How a reply can break on its way. */
export const brokenWays = [
  "reset-before",
  "reset-after",
  "stall-before",
  "stall",
  "cut-stream",
  "error-event",
  "html",
  "bad-json",
] as const;
export type BrokenWay = (typeof brokenWays)[number];

export const usageFaultNames = [
  "usage-missing",
  "usage-wrong",
  "usage-negative",
  "usage-fractional",
  "usage-last",
] as const;
export type UsageFaultName = (typeof usageFaultNames)[number];

/** Where a 429 says how long to wait. */
const tellings = ["retry-after", "retry-after-ms", "rate-limit"] as const;

const refusals = [
  z.strictObject({
    name: z.literal("rate-limit"),
    waitMs: z.int().nonnegative().default(1000),
    tell: z.array(z.enum(tellings)).default([...tellings]),
  }),
  z.strictObject({ name: z.literal("daily-quota") }),
  z.strictObject({ name: z.literal("status"), status: z.int().min(400).max(599) }),
  z.strictObject({ name: z.literal("max-tokens") }),
  z.strictObject({ name: z.literal("unsupported-parameter"), parameter: z.string().min(1) }),
  z.strictObject({ name: z.literal("context-overflow") }),
] as const;

const schemas: { readonly [name: string]: z.ZodType<Fault> } = Object.fromEntries([
  ...refusals.map((schema) => [schema.shape.name.value, schema]),
  ["slow", z.strictObject({ name: z.literal("slow"), ms: z.int().nonnegative().max(600_000) })],
  ...[...brokenWays, ...usageFaultNames, ...badReplyNames].map((name) => [
    name,
    z.strictObject({ name: z.literal(name) }),
  ]),
]);

/** Names of all faults. */
export const faultNames: readonly string[] = Object.keys(schemas);

/** A fault that comes instead of a reply, before anything is billed. */
export type RefusalFault = z.infer<(typeof refusals)[number]>;
export type Fault =
  | RefusalFault
  | { readonly name: "slow"; readonly ms: number }
  | { readonly name: BrokenWay | UsageFaultName | BadReplyName };

const on = z.union([
  z.int().positive(),
  z.array(z.int().positive()).min(1),
  z.strictObject({ every: z.int().positive(), from: z.int().positive().optional() }),
  z.strictObject({ attempt: z.int().positive() }),
  z.strictObject({ share: z.number().positive().max(1), seed: z.union([z.int(), z.string()]).default(1) }),
]);
type On = z.infer<typeof on>;

/** Some calls, and the faults one of which each of them gets. */
export interface FaultRule {
  readonly on: On;
  readonly faults: readonly [Fault, ...Fault[]];
}

/** A call as far as the choice of its fault goes. */
export interface FaultedCall {
  /** Counts all calls of the server, from 1. */
  readonly call: number;
  readonly bodySha256: string;
  /** How many times the server has had this body, this one included. */
  readonly attempt: number;
  readonly body: unknown;
}

const faultFileForm = 'a JSON list of faults, such as [{"on": 3, "fault": "reset-before"}]';

/** Reads a faults file. Throws ArtifactError, with one line that names the entry and what is wrong. */
export function readFaults(path: string): FaultRule[] {
  const text = readTextFile(path, faultFileForm);
  try {
    return parseFaults(JSON.parse(text) as unknown);
  } catch (cause) {
    if (cause instanceof UsageError) throw new ArtifactError(path, cause.message, { cause });
    throw new ArtifactError(path, `is not JSON. Give ${faultFileForm}.`, { cause });
  }
}

/** The rules of a list as a faults file has it. Throws UsageError. */
export function parseFaults(list: unknown): FaultRule[] {
  if (!Array.isArray(list)) throw new UsageError(`The faults are no list. Give ${faultFileForm}.`);
  return list.map((item: unknown, at) => {
    const where = `entry ${at + 1}`;
    const outer = z.strictObject({ on: z.unknown().optional(), fault: z.unknown().optional() }).safeParse(item);
    if (!outer.success) throw wrong(where, outer.error);
    const parsed = on.safeParse(outer.data.on);
    if (!parsed.success)
      throw new UsageError(
        `${where}: "on" is ${shown(outer.data.on)}, which names no calls. Give a call's number, a list of them, {"every": 5}, {"attempt": 1} or {"share": 0.2, "seed": 1}.`,
      );
    const named: unknown[] = Array.isArray(outer.data.fault) ? outer.data.fault : [outer.data.fault];
    const [first, ...others] = named.map((one) => parseFault(one, where));
    if (first === undefined) throw new UsageError(`${where}: "fault" is empty. Name at least one fault.`);
    return { on: parsed.data, faults: [first, ...others] };
  });
}

function parseFault(value: unknown, where: string): Fault {
  const fault = typeof value === "string" ? { name: value } : value;
  const name = z.object({ name: z.string() }).safeParse(fault);
  if (!name.success)
    throw new UsageError(`${where}: ${shown(value)} is no fault. Give a fault's name, or an object with its "name".`);
  const schema = schemas[name.data.name];
  if (schema === undefined || !Object.hasOwn(schemas, name.data.name))
    throw new UsageError(`${where}: ${unknownName("fault", name.data.name, faultNames).message}`);
  const parsed = schema.safeParse(fault);
  if (!parsed.success) throw wrong(`${where}, fault "${name.data.name}"`, parsed.error);
  return parsed.data;
}

function wrong(where: string, error: z.ZodError): UsageError {
  const [issue] = error.issues;
  const path = pathText(issue?.path ?? []);
  const reason = (issue?.message ?? "wrong").replace(/^Invalid input: /, "");
  return new UsageError(`${where}${path === "" ? "" : `, "${path}"`}: ${reason}.`);
}

const shown = (value: unknown): string => (value === undefined ? "missing" : JSON.stringify(value).slice(0, 60));

/** What goes wrong with a call: how long it is delayed, and its fault. */
export interface Chosen {
  readonly delayMs: number;
  readonly fault: Exclude<Fault, { name: "slow" }> | undefined;
}

/**
 * The fault of a call. Pure: a share is drawn from the body and its attempt, so equal requests get equal faults in whatever
 * order they arrive. `max-tokens` and `unsupported-parameter` apply only to a body that has the parameter.
 */
export function chooseFault(rules: readonly FaultRule[], call: FaultedCall): Chosen {
  let delayMs = 0;
  for (const [index, { on, faults }] of rules.entries()) {
    const stream = `fault/${index}/${call.bodySha256}/${call.attempt}`;
    if (!isOn(on, call, stream)) continue;
    const fault = faults.length === 1 ? faults[0] : randomStream(seedOf(on), `${stream}/which`).pick(faults);
    if (fault.name === "slow") delayMs += fault.ms;
    else if (applies(fault, call.body)) return { delayMs, fault };
  }
  return { delayMs, fault: undefined };
}

const seedOf = (on: On): number | string => (typeof on === "object" && "share" in on ? on.seed : 1);

function isOn(on: On, { call, attempt }: FaultedCall, stream: string): boolean {
  if (typeof on === "number") return on === call;
  if (Array.isArray(on)) return on.includes(call);
  if ("every" in on) return call >= (on.from ?? on.every) && (call - (on.from ?? on.every)) % on.every === 0;
  if ("attempt" in on) return on.attempt === attempt;
  return randomStream(on.seed, stream).chance(on.share);
}

function applies(fault: Fault, body: unknown): boolean {
  const parameter =
    fault.name === "max-tokens" ? "max_tokens" : fault.name === "unsupported-parameter" ? fault.parameter : undefined;
  return parameter === undefined || (typeof body === "object" && body !== null && Object.hasOwn(body, parameter));
}
