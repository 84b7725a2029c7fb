/** `--model`: which provider, which window, which price. Keys come from the environment and go nowhere else. */
import { UsageError } from "../harness/errors.ts";
import { unknownName } from "../harness/did-you-mean.ts";
import type { JsonObject } from "../harness/json.ts";
import type { Provider } from "../harness/models/model.ts";
import { offlineProvider } from "../harness/models/offline/offline.ts";
import { searcherNames, searcherProvider } from "../harness/models/offline/searchers.ts";
import { yesProvider } from "../harness/models/offline/yes.ts";
import { billsNothing, recordPricing, recordShown } from "../harness/models/price-record.ts";
import type { Price, Pricing } from "../harness/models/prices.ts";
import type { RemoteProvider, RemoteOptions, Thinking } from "../harness/models/remote/options.ts";
import { defaultOptions } from "../harness/run/plan.ts";

export interface ModelChoice {
  /** `offline`, `yes`, `openai:NAME` or `anthropic:NAME`. */
  readonly model: string;
  readonly baseUrl: string | undefined;
  readonly stream: boolean;
  readonly thinking: Thinking;
  /** How long a reply may stay silent, before its first byte and within; undefined for the adapters' own two limits. */
  readonly replyTimeoutMs?: number | undefined;
  readonly windowTokens: number | undefined;
  readonly pricesFile: string | undefined;
  /** Whether anything will be sent: only then a key is needed. @default true */
  readonly sends?: boolean;
}

/** Makes the provider once the run's folder has told what earlier processes learnt. */
export type MakeRemote = (memory: Pick<RemoteOptions, "learned" | "onLesson">) => RemoteProvider;

export type ChosenModel = {
  /** Costs in the ledger. */
  readonly pricing: Pricing;
  /** Costs in tables: the ledger's, or for a model that bills nothing those of `--prices`; undefined where neither is known. */
  readonly shownPrice: Price | undefined;
  /** The price and where it came from, as the run records it. */
  readonly priceRecord: JsonObject;
} & (
  | { readonly kind: "offline"; readonly provider: Provider }
  | { readonly kind: "remote"; readonly provider: RemoteProvider; readonly make: MakeRemote }
);

const offlineModels: { readonly [name: string]: (windowTokens: number) => Provider } = {
  offline: (windowTokens) => offlineProvider({ windowTokens }),
  yes: (windowTokens) => yesProvider({ windowTokens }),
  ...Object.fromEntries(
    searcherNames.map((name) => [name, (windowTokens: number) => searcherProvider(name, { windowTokens })]),
  ),
};

/** The model of these flags. Throws UsageError for an unknown name, a missing key or a window that nobody knows. Sends nothing. */
export async function chooseModel(choice: ModelChoice): Promise<ChosenModel> {
  const [, style, name] = /^(openai|anthropic):(.+)$/s.exec(choice.model) ?? [];
  if (style !== undefined && name !== undefined) return chooseRemote(style, name, choice);
  const make = offlineModels[choice.model];
  if (make === undefined)
    throw unknownName("model", choice.model, [...Object.keys(offlineModels), "openai:NAME", "anthropic:NAME"]);
  if (choice.baseUrl !== undefined)
    throw new UsageError(`--base-url belongs to openai:NAME and anthropic:NAME; ${choice.model} is in this process.`);
  const provider = make(choice.windowTokens ?? defaultOptions.windowTokens);
  const pricing = { kind: "free" } as const;
  const shownPrice = choice.pricesFile === undefined ? undefined : await shown(choice.pricesFile, choice.model);
  const priceRecord = shownPrice === undefined ? billsNothing : recordShown(shownPrice);
  return { kind: "offline", provider, pricing, shownPrice, priceRecord };
}

/** The price that an offline model's costs are shown at: its own entry of the file, `article-flash`, or the only one. */
async function shown(pricesFile: string, model: string): Promise<Price> {
  const { filePrice } = await import("../harness/models/price-sources.ts");
  return filePrice(pricesFile, [model, "article-flash"]).price;
}

async function chooseRemote(style: string, model: string, choice: ModelChoice): Promise<ChosenModel> {
  const { filePrice, knownWindow, packagePrice } = await import("../harness/models/price-sources.ts");
  const vendor = style === "openai" ? await openAi() : await anthropic();
  const baseUrl = choice.baseUrl ?? vendor.baseUrl;
  const at = new Date();
  const apiKey = process.env[vendor.variable] ?? (choice.sends === false ? "none" : "");
  if (apiKey === "")
    throw new UsageError(
      `${choice.model} needs a key. Set ${vendor.variable}; a server that needs none takes any text.`,
    );
  const windowTokens = choice.windowTokens ?? knownWindow({ baseUrl, model, at });
  if (windowTokens === undefined)
    throw new UsageError(`The context window of ${choice.model} is not known. Give it with --window.`);
  const { stream, thinking, replyTimeoutMs: silentMs } = choice;
  const timeouts = silentMs === undefined ? {} : { timeouts: { firstByteMs: silentMs, gapMs: silentMs } };
  const make: MakeRemote = (memory) =>
    vendor.make({ model, apiKey, windowTokens, baseUrl, stream, thinking, ...timeouts, ...memory });
  const price =
    choice.pricesFile === undefined
      ? packagePrice({ baseUrl, model, at })
      : filePrice(choice.pricesFile, [choice.model, model]);
  // What was looked for has a clock in it; a run records what was found.
  const { looked: _looked, ...origin } = price.origin;
  const { pricing } = price;
  const shownPrice = pricing.kind === "priced" ? pricing.price : undefined;
  return { kind: "remote", provider: make({}), make, pricing, shownPrice, priceRecord: recordPricing(origin, pricing) };
}

async function openAi() {
  const { openAiBaseUrl, openAiProvider, openAiVariable } = await import("../harness/models/openai/openai.ts");
  return { baseUrl: openAiBaseUrl, variable: openAiVariable, make: openAiProvider };
}

async function anthropic() {
  const { anthropicBaseUrl, anthropicProvider, anthropicVariable } =
    await import("../harness/models/anthropic/anthropic.ts");
  return { baseUrl: anthropicBaseUrl, variable: anthropicVariable, make: anthropicProvider };
}
