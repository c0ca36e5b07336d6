import { checkNames, invalidOption } from "@creditgate/core/adapter";
import { fieldsOf, listOf } from "../usage/fields.ts";
import { type ModelUsage, type TokenPools, tokenPools } from "../usage/model-usage.ts";
import type { Prices } from "./prices.ts";

/** Rates in credits, as numbers or as decimal text. What is missing costs nothing, and a part of the tokens what the others of its total do. */
export interface Rates {
  readonly perEvent?: number | string;
  readonly perThousandInputTokens?: number | string;
  readonly perThousandCachedTokens?: number | string;
  readonly perThousandCacheWriteTokens?: number | string;
  readonly perThousandAudioInputTokens?: number | string;
  readonly perThousandOutputTokens?: number | string;
  readonly perThousandReasoningTokens?: number | string;
  readonly perThousandAudioOutputTokens?: number | string;
  readonly perImage?: number | string;
  readonly perAudioMinute?: number | string;
  readonly perThousandCharacters?: number | string;
  /** Of voice calls only. */
  readonly perCallMinute?: number | string;
}

/** Rates that are laid over the others where this model, and this plan if one is named, did the work. */
export interface ModelRates {
  readonly provider: string;
  readonly model: string;
  readonly plan?: string;
  readonly price: Rates;
  /** Rates of a call that reads more tokens than this, laid over those. */
  readonly tiers?: readonly { readonly aboveInputTokens: number; readonly price: Rates }[];
}

/** A price list, as an indicator of Creditgate's control plane has it and its list of agents returns it. */
export interface PriceList {
  /** The rates of models that are not named. Without it they have no price. */
  readonly price?: Rates;
  readonly modelPrices?: readonly ModelRates[];
  /** Whether models that are not named have no price, although there is a `price`. @default false */
  readonly namedOnly?: boolean;
}

const names: Readonly<Record<keyof Rates, true>> = {
  perEvent: true,
  perThousandInputTokens: true,
  perThousandCachedTokens: true,
  perThousandCacheWriteTokens: true,
  perThousandAudioInputTokens: true,
  perThousandOutputTokens: true,
  perThousandReasoningTokens: true,
  perThousandAudioOutputTokens: true,
  perImage: true,
  perAudioMinute: true,
  perThousandCharacters: true,
  perCallMinute: true,
};

/** The list as it is. Throws an `invalid_option` error for a rate that is not known, or is no amount. */
export function checkedList(list: PriceList): PriceList {
  const { price, modelPrices = [] } = list;
  if (price !== undefined) checkRates("price", price);
  for (const [at, model] of modelPrices.entries()) {
    checkRates(`modelPrices.${at}.price`, model.price);
    for (const [of, tier] of (model.tiers ?? []).entries())
      checkRates(`modelPrices.${at}.tiers.${of}.price`, tier.price);
  }
  return list;
}

/** The prices of a list. Throws an `invalid_option` error for a rate that is not known, or is no amount. */
export function listedPrices(list: PriceList): Prices {
  const { price, modelPrices = [], namedOnly = false } = checkedList(list);
  const unnamed = price === undefined || namedOnly ? undefined : costBy(price);
  const named = new Map<string | undefined, Map<string | undefined, Cost[]>>();
  for (const rates of modelPrices) {
    const models = named.get(rates.provider) ?? new Map<string | undefined, Cost[]>();
    named.set(rates.provider, models);
    models.set(rates.model, [...(models.get(rates.model) ?? []), tieredCost(rates, price)]);
  }
  return (usage) => {
    // The reports of model calls name no plan: of all prices of the model the dearest one holds.
    const found = named.get(usage.provider)?.get(usage.model);
    if (found === undefined) return unnamed?.(usage);
    return Math.max(...found.map((cost) => cost(usage)));
  };
}

/** What a usage costs. */
type Cost = (usage: ModelUsage) => number;

/** Each tier is laid over the ones below it, and all of them over the rates of models that are not named. */
function tieredCost({ price, tiers = [] }: ModelRates, unnamed: Rates | undefined): Cost {
  let rates = { ...unnamed, ...price };
  const base = costBy(rates);
  const higher = tiers
    .toSorted((a, b) => a.aboveInputTokens - b.aboveInputTokens)
    .map((tier) => {
      rates = { ...rates, ...tier.price };
      return { aboveInputTokens: tier.aboveInputTokens, cost: costBy(rates) };
    })
    .reverse();
  return (usage) => {
    const { inputTokens = 0 } = usage;
    const reached = higher.find(({ aboveInputTokens }) => inputTokens > aboveInputTokens);
    return (reached?.cost ?? base)(usage);
  };
}

/** The list in the service's answer for an indicator. Missing and unknown rates are left out. */
export function reportedList(indicator: unknown): PriceList | undefined {
  const { price, modelPrices } = fieldsOf(indicator) ?? {};
  if (fieldsOf(price) === undefined) return undefined;
  const models = listOf(modelPrices).map((one) => fieldsOf(one) ?? {});
  return {
    price: known(price),
    modelPrices: models.map(({ provider, model, plan, price }) => ({
      provider: String(provider),
      model: String(model),
      ...(typeof plan === "string" && { plan }),
      price: known(price),
    })),
  };
}

function known(price: unknown): Rates {
  return Object.fromEntries(
    Object.entries(fieldsOf(price) ?? {}).filter(([name]) => Object.hasOwn(names, name)),
  );
}

function checkRates(place: string, rates: Rates): void {
  if (fieldsOf(rates) === undefined) invalidOption(place, "an object of rates", rates);
  checkNames(rates, names, { place: `${place}.`, what: "rate" });
  for (const [name, rate] of Object.entries(rates)) {
    const isAmount = rate !== "" && Number.isFinite(Number(rate)) && Number(rate) >= 0;
    if (!isAmount) invalidOption(`${place}.${name}`, "a number of credits, 0 or more", rate);
  }
}

const pools: readonly (readonly [keyof TokenPools, keyof Rates, keyof Rates])[] = [
  ["input", "perThousandInputTokens", "perThousandInputTokens"],
  ["cachedInput", "perThousandCachedTokens", "perThousandInputTokens"],
  ["cacheWrite", "perThousandCacheWriteTokens", "perThousandInputTokens"],
  ["audioInput", "perThousandAudioInputTokens", "perThousandInputTokens"],
  ["output", "perThousandOutputTokens", "perThousandOutputTokens"],
  ["reasoning", "perThousandReasoningTokens", "perThousandOutputTokens"],
  ["audioOutput", "perThousandAudioOutputTokens", "perThousandOutputTokens"],
];

/** Reads the rates once: a hold asks for several costs. */
function costBy(rates: Rates): Cost {
  const of = (name: keyof Rates, total: keyof Rates = name) => Number(rates[name] ?? rates[total] ?? 0);
  const perPool = pools.map(([pool, rate, total]) => [pool, of(rate, total)] as const);
  const [perEvent, perImage, perMinute] = [of("perEvent"), of("perImage"), of("perAudioMinute")];
  const perThousandCharacters = of("perThousandCharacters");
  return (usage) => {
    const counts = tokenPools(usage);
    let sum = perEvent;
    for (const [pool, rate] of perPool) sum += (rate * counts[pool]) / 1_000;
    const { images = 0, seconds = 0, characters = 0 } = usage;
    sum += perImage * images + (perMinute * seconds) / 60;
    sum += (perThousandCharacters * characters) / 1_000;
    return roundedUp(sum);
  };
}

/** To a micro-credit, as the service does; what floating point adds is taken away first. */
export function roundedUp(credits: number): number {
  return Math.ceil(Number((credits * 1e6).toPrecision(14))) / 1e6;
}
