import type { IndicatorTerms, Rates } from "@creditgate/admin";
import type { Json } from "../http/json.ts";
import { type Decimal, formatDecimal, parseDecimal } from "../money/decimal.ts";
import { type Component, components, type Price } from "./pricing.ts";

/** Who did the work: a model price is found by it. */
export interface Origin {
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly plan?: string | undefined;
}

/** The rates that differ for one model, on one plan or on all. */
interface ModelPrice {
  readonly provider: string;
  readonly model: string;
  readonly plan?: string | undefined;
  readonly price: Price;
}

/** How an indicator bills. */
export interface Terms {
  readonly billing: string;
  /** The credit currency; there is always one where the billing mode is CREDITS. */
  readonly currency: string | null;
  readonly price: Price;
  readonly modelPrices: readonly ModelPrice[];
}

/** Terms that hold from an instant on, until others do. */
export interface DatedTerms extends Terms {
  readonly validFrom: Date;
}

/**
 * The terms in force at an instant. Before the first ones there is no usage, but for clocks of replicas that
 * differ a little: the first ones hold then.
 */
export function termsAt<Version extends DatedTerms>(
  versions: readonly Version[],
  at: Date,
): Version | undefined {
  return versions.findLast(({ validFrom }) => validFrom <= at) ?? versions[0];
}

/**
 * The price of what a model did: that of model and plan, else that of the model, over the default price, rate by rate.
 */
export function priceFor(terms: Terms, origin: Origin): Price {
  const { price } = terms;
  const found = modelPriceFor(terms, origin);
  if (found === undefined) return price;
  const merged = { ...price, ...found.price };
  if (price.perUnit === undefined || found.price.perUnit === undefined) return merged;
  return { ...merged, perUnit: new Map([...price.perUnit, ...found.price.perUnit]) };
}

/** The rates that differ for what a model did. */
export function modelPriceFor(
  { modelPrices }: Terms,
  { provider, model, plan }: Origin,
): ModelPrice | undefined {
  const ofModel = modelPrices.filter((other) => other.provider === provider && other.model === model);
  return (
    ofModel.find((other) => other.plan !== undefined && other.plan === plan) ??
    ofModel.find((other) => other.plan === undefined)
  );
}

/** Throws a `RangeError` for a rate that is no decimal. */
export function readTerms({ billing, currency, price = {}, modelPrices = [] }: IndicatorTerms): Terms {
  return {
    billing,
    currency: currency ?? null,
    price: readPrice(price),
    modelPrices: modelPrices.map((other) => ({ ...other, price: readPrice(other.price) })),
  };
}

/** Equal terms are written alike: rates in one order, without exponents, with every digit. */
export function writeTerms({ billing, currency, price, modelPrices }: Terms): Required<IndicatorTerms> {
  return {
    billing,
    currency,
    price: writePrice(price),
    modelPrices: modelPrices.map(({ provider, model, plan, price }) => ({
      provider,
      model,
      plan,
      price: writePrice(price),
    })),
  };
}

function readPrice({ perUnit, ...price }: Rates): Price {
  const rates = mapRates(price, read);
  if (perUnit === undefined) return rates;
  return { ...rates, perUnit: new Map(Object.entries(perUnit).map(([name, rate]) => [name, read(rate)])) };
}

function writePrice({ perUnit, ...price }: Price): Rates {
  const rates = mapRates(price, formatDecimal);
  if (perUnit === undefined) return rates;
  const units = [...perUnit].map(([name, rate]) => [name, formatDecimal(rate)] as const);
  return { ...rates, perUnit: Object.fromEntries(units.sort(([a], [b]) => (a < b ? -1 : 1))) };
}

function mapRates<From, To>(
  price: { readonly [component in Component]?: From | undefined },
  map: (rate: From) => To,
): { readonly [component in Component]?: To } {
  const rates: { [component in Component]?: To } = {};
  for (const component of components) {
    const rate = price[component];
    if (rate !== undefined) rates[component] = map(rate);
  }
  return rates;
}

function read(rate: string | number): Decimal {
  const decimal = parseDecimal(rate);
  if (decimal === undefined) throw new RangeError(`expected a rate in credits, received ${rate}`);
  return decimal;
}

/** A price as the APIs answer it: rates as decimal text, by what they are for. */
export function priceJson({ perUnit, ...rates }: Rates): Json {
  const json = new Map<string, Json>(
    Object.entries(rates).map(([component, rate]) => [component, String(rate)]),
  );
  if (perUnit !== undefined) {
    json.set("perUnit", new Map(Object.entries(perUnit).map(([name, rate]) => [name, String(rate)])));
  }
  return json;
}
