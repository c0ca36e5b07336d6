import { type Data, identifier } from "@creditgate/client";
import { isDecimal, isUnitName } from "@creditgate/client/parts";
import { z } from "zod";

/** The billing mode that debits wallets. */
const debiting = "CREDITS";

const most = 1_000_000_000;
const maxDecimals = 15;

const expectedRate = `expected credits, from 0 to ${most}, with at most ${maxDecimals} decimals`;

/** Credits, as a number or as decimal text: from 0 to one billion, with at most 15 decimals, of which none is lost. */
export type Rate = z.output<typeof rate>;

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
  /** Of the input tokens that came out of a cache. */
  perThousandCachedTokens: rate.optional(),
  /** Of the input tokens that were written to a cache. */
  perThousandCacheWriteTokens: rate.optional(),
  /** Of the input tokens that were audio. */
  perThousandAudioInputTokens: rate.optional(),
  /** Of the output tokens that were reasoning. */
  perThousandReasoningTokens: rate.optional(),
  /** Of the output tokens that were audio. */
  perThousandAudioOutputTokens: rate.optional(),
  /** Of an image that was made. */
  perImage: rate.optional(),
  /** Of audio input, as of speech to text. */
  perAudioMinute: rate.optional(),
  /** Of text that was spoken, as of text to speech. */
  perThousandCharacters: rate.optional(),
  /** Of a request, where a report is of several. */
  perRequest: rate.optional(),
  /** Of units with names of your own, as `{ pages: 0.2 }`: the indicator takes usage in these, and in no others. */
  perUnit: unitRates.optional(),
};

/** Of the duration of a voice call, too. */
const rates = z.strictObject({ ...modelRates, perCallMinute: rate.optional() });

/** Rates in credits; one that is missing costs nothing, and one of a part of the tokens what the others of its total do. */
export type Rates = Data<typeof rates>;

const modelPrice = z.strictObject({
  provider: identifier,
  model: identifier,
  plan: identifier.optional(),
  price: z.strictObject(modelRates),
});

/** Rates that replace those of the default price where this model, and this plan if one is named, did the work. */
export type ModelPrice = Data<typeof modelPrice>;

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
  billing: identifier
    .refine(
      (mode) => mode === debiting || mode.trim().toUpperCase() !== debiting,
      `Invalid input: expected "${debiting}" in capital letters`,
    )
    .describe("CREDITS debits wallets; any other mode is recorded"),
  currency: identifier.nullish().describe("The credit currency, with CREDITS"),
  price: rates.optional().describe('Rates, as {"perEvent":1}, with CREDITS'),
  modelPrices: modelPrices.optional().describe("Rates of models"),
};

const indicatorTerms = z.strictObject(termsFields);

/** How an indicator bills: a currency and a price are required with `CREDITS`, where free is `{ perEvent: 0 }`. */
export type IndicatorTerms = Data<typeof indicatorTerms>;

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
