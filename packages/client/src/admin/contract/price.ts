import { z } from "zod";
import { identifier } from "../../contract/text.ts";
import { type Edit, editFields, type Tagged, taggedFields } from "./etag.ts";
import { instant, type Part, partEnd } from "./part.ts";
import { completeTerms, type IndicatorTerms, type ModelPrice, type Rates, termsFields } from "./terms.ts";

/** Terms of an indicator, from some instant on, until others hold. */
export interface AdminPrice extends Tagged {
  /** 1, 2, 3 … in the order in which they were set. */
  readonly version: number;
  readonly validFrom: string;
  /** `admin:<name>`, `user:<e-mail>` or `fixture`; `null` where it was set before that was noted. */
  readonly setBy: string | null;
  /** When; `null` where it was set before that was noted. */
  readonly setAt: string | null;
  /** Whether it holds now. */
  readonly inForce: boolean;
  readonly billing: string;
  readonly currency: string | null;
  /** Rates as decimal text. */
  readonly price: Rates;
  readonly modelPrices: readonly ModelPrice[];
}

/** An indicator, with the terms that hold now. */
export interface AdminIndicator extends AdminPrice {
  readonly name: string;
}

/** An indicator to create: its terms hold from now on. */
export interface IndicatorCreateRequest extends IndicatorTerms {
  readonly name: string;
}

/** Terms that are to hold. Its `etag` is that of the newest version: the one with the highest number. */
export interface PriceSetRequest extends IndicatorTerms, Edit {
  /** From this instant on, as `2026-01-01T00:00:00Z`; not one that has passed. @default now */
  readonly validFrom?: string | undefined;
}

/** Parses the body that creates an indicator. */
export const indicatorCreateRequest: z.ZodType<IndicatorCreateRequest> = z
  .strictObject({ name: identifier, ...termsFields })
  .superRefine(completeTerms);

/** Parses the body that sets a price. */
export const priceSetRequest: z.ZodType<PriceSetRequest> = z
  .strictObject({ ...editFields, ...termsFields, validFrom: instant.optional() })
  .superRefine(completeTerms);

const rate = z.union([z.number(), z.string()]);
const rates: z.ZodType<Rates> = z.looseObject({ perUnit: z.record(z.string(), rate).optional() });

const price = {
  version: z.int(),
  validFrom: z.string(),
  setBy: z.string().nullable(),
  setAt: z.string().nullable(),
  inForce: z.boolean(),
  billing: z.string(),
  currency: z.string().nullable(),
  price: rates,
  modelPrices: z.array(
    z.looseObject({ provider: z.string(), model: z.string(), plan: z.string().optional(), price: rates }),
  ),
  ...taggedFields,
};

/** Parses a version of a price. Fields that are not listed are passed on. */
export const adminPrice: z.ZodType<AdminPrice> = z.looseObject(price);

/** Parses an indicator. Fields that are not listed are passed on. */
export const adminIndicator: z.ZodType<AdminIndicator> = z.looseObject({ name: z.string(), ...price });

/** A part of the versions of a price, the last to hold first. */
export interface PriceListAnswer extends Part {
  readonly prices: readonly AdminPrice[];
}

/** Parses a part of the versions of a price. */
export const priceListAnswer: z.ZodType<PriceListAnswer> = z.looseObject({
  prices: z.array(adminPrice),
  ...partEnd,
});

/** A part of the indicators of an agent, by name. */
export interface IndicatorListAnswer extends Part {
  readonly indicators: readonly AdminIndicator[];
}

/** Parses a part of the indicators of an agent. */
export const indicatorListAnswer: z.ZodType<IndicatorListAnswer> = z.looseObject({
  indicators: z.array(adminIndicator),
  ...partEnd,
});
