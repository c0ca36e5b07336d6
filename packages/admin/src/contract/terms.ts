import { identifier } from "@creditgate/client";
import { isDecimal, isUnitName } from "@creditgate/client/parts";
import { z } from "zod";

/** Credits, as a number or as decimal text: from 0 to one billion, with at most 15 decimals, of which none is lost. */
export type Rate = number | string;

/** Rates in credits; one that is missing costs nothing, and one of a part of the tokens what the others of its total do. */
export interface Rates {
  readonly perEvent?: Rate | undefined;
  readonly perThousandInputTokens?: Rate | undefined;
  readonly perThousandOutputTokens?: Rate | undefined;
  /** Of the input tokens that came out of a cache. */
  readonly perThousandCachedTokens?: Rate | undefined;
  /** Of the input tokens that were written to a cache. */
  readonly perThousandCacheWriteTokens?: Rate | undefined;
  /** Of the input tokens that were audio. */
  readonly perThousandAudioInputTokens?: Rate | undefined;
  /** Of the output tokens that were reasoning. */
  readonly perThousandReasoningTokens?: Rate | undefined;
  /** Of the output tokens that were audio. */
  readonly perThousandAudioOutputTokens?: Rate | undefined;
  /** Of an image that was made. */
  readonly perImage?: Rate | undefined;
  /** Of audio input, as of speech to text. */
  readonly perAudioMinute?: Rate | undefined;
  /** Of text that was spoken, as of text to speech. */
  readonly perThousandCharacters?: Rate | undefined;
  /** Of a request, where a report is of several. */
  readonly perRequest?: Rate | undefined;
  /** Of units with names of your own, as `{ pages: 0.2 }`: the indicator takes usage in these, and in no others. */
  readonly perUnit?: Readonly<Record<string, Rate>> | undefined;
  /** Of the duration of a voice call. */
  readonly perCallMinute?: Rate | undefined;
}

/** Rates that replace those of the default price where this model, and this plan if one is named, did the work. */
export interface ModelPrice {
  readonly provider: string;
  readonly model: string;
  readonly plan?: string | undefined;
  readonly price: Omit<Rates, "perCallMinute">;
}

/** How an indicator bills. */
export interface IndicatorTerms {
  /** `CREDITS`, in capital letters, debits wallets; any other mode is recorded only. */
  readonly billing: string;
  /** The credit currency; required with `CREDITS`. */
  readonly currency?: string | null | undefined;
  /** The default price; required with `CREDITS`, where free is `{ perEvent: 0 }`. */
  readonly price?: Rates | undefined;
  /** What other rates hold for usage of a model. */
  readonly modelPrices?: readonly ModelPrice[] | undefined;
}

/** The billing mode that debits wallets. */
const debiting = "CREDITS";

const most = 1_000_000_000;
const maxDecimals = 15;

const expectedRate = `expected credits, from 0 to ${most}, with at most ${maxDecimals} decimals`;

const rate = z
  .union([z.number(), z.string()])
  .refine((source) => isDecimal(source, most, maxDecimals), `Invalid input: ${expectedRate}`);

const mostUnits = 100;

function areUnitRates(value: unknown): value is Readonly<Record<string, Rate>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const rates = Object.entries(value);
  return (
    rates.length >= 1 &&
    rates.length <= mostUnits &&
    rates.every(([name, rate]) => isUnitName(name) && isDecimal(rate, most, maxDecimals))
  );
}

const unitRates = z
  .custom<Readonly<Record<string, Rate>>>(
    areUnitRates,
    `Invalid input: expected 1 to ${mostUnits} rates by names of 1 to 64 bytes, each as in "${expectedRate}"`,
  )
  .meta({ type: "object", maxProperties: mostUnits, additionalProperties: { type: ["number", "string"] } });

const modelRates = {
  perEvent: rate.optional(),
  perThousandInputTokens: rate.optional(),
  perThousandOutputTokens: rate.optional(),
  perThousandCachedTokens: rate.optional(),
  perThousandCacheWriteTokens: rate.optional(),
  perThousandAudioInputTokens: rate.optional(),
  perThousandReasoningTokens: rate.optional(),
  perThousandAudioOutputTokens: rate.optional(),
  perImage: rate.optional(),
  perAudioMinute: rate.optional(),
  perThousandCharacters: rate.optional(),
  perRequest: rate.optional(),
  perUnit: unitRates.optional(),
};

const modelPrice = z.strictObject({
  provider: identifier,
  model: identifier,
  plan: identifier.optional(),
  price: z.strictObject(modelRates),
});

const modelPrices = z
  .array(modelPrice)
  .max(1_000)
  .refine(
    (all) =>
      new Set(all.map(({ provider, model, plan }) => JSON.stringify([provider, model, plan]))).size ===
      all.length,
    "Invalid input: expected one price for each provider, model and plan",
  );

/** The fields of terms. */
export const termsFields = {
  // Any other mode is recorded and never debited: a slip of the pen would give the work away.
  billing: identifier.refine(
    (mode) => mode === debiting || mode.trim().toUpperCase() !== debiting,
    `Invalid input: expected "${debiting}" in capital letters`,
  ),
  currency: identifier.nullish(),
  price: z.strictObject({ ...modelRates, perCallMinute: rate.optional() }).optional(),
  modelPrices: modelPrices.optional(),
};

/** What terms in `CREDITS` must say; added to an object with the fields of terms. */
export function completeTerms(
  { billing, currency, price = {} }: IndicatorTerms,
  context: z.RefinementCtx,
): void {
  if (billing !== debiting) return;
  const missing = (field: keyof IndicatorTerms, message: string) =>
    context.addIssue({ code: "custom", path: [field], message: `Invalid input: ${message}` });
  if (currency === undefined || currency === null) {
    missing("currency", `expected a credit currency, since billing is "${debiting}"`);
  }
  if (Object.values(price).every((rate) => rate === undefined)) {
    missing("price", `expected a rate, since billing is "${debiting}"; what is free says { "perEvent": 0 }`);
  }
}
