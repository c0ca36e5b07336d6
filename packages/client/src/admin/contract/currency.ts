import { z } from "zod";
import { identifier } from "../../contract/text.ts";
import { type Edit, editFields, type Tagged, taggedFields } from "./etag.ts";
import { type Part, partEnd } from "./part.ts";

/** A credit currency. */
export interface AdminCurrency extends Tagged {
  readonly credit_currency_key: string;
  readonly name: string | null;
  readonly unitPrice: { readonly amount: string; readonly currency: string } | null;
}

/** A credit currency to make or to change. What is left out stays; `null` takes it back. */
export interface CurrencySetRequest extends Edit {
  readonly credit_currency_key: string;
  readonly name?: string | null | undefined;
  /** What a credit costs, on invoices of postpaid periods, where it is used from now on. */
  readonly unitPrice?: UnitPrice | null | undefined;
}

/** What one credit costs. */
export interface UnitPrice {
  /** In minor units, as cents: a decimal from 0 to 1,000,000 with at most 15 decimals; exact as a string. */
  readonly amount: number | string;
  /** Three upper-case letters (ISO 4217). */
  readonly currency: string;
}

/** Parses a credit currency. Fields that are not listed are passed on. */
export const adminCurrency: z.ZodType<AdminCurrency> = z.looseObject({
  credit_currency_key: z.string(),
  name: z.string().nullable(),
  unitPrice: z.looseObject({ amount: z.string(), currency: z.string() }).nullable(),
  ...taggedFields,
});

/** Parses the body that makes or changes a currency. How exact an amount may be is the service's to say. */
export const currencySetRequest: z.ZodType<CurrencySetRequest> = z.strictObject({
  ...editFields,
  credit_currency_key: identifier,
  name: identifier.nullish(),
  unitPrice: z
    .strictObject({
      amount: z.union([z.number(), z.string()]),
      currency: z.string().regex(/^[A-Z]{3}$/, "Invalid input: expected three upper-case letters"),
    })
    .nullish(),
});

/** A part of the currencies, by key. */
export interface CurrencyListAnswer extends Part {
  readonly currencies: readonly AdminCurrency[];
}

/** Parses a part of the currencies. */
export const currencyListAnswer: z.ZodType<CurrencyListAnswer> = z.looseObject({
  currencies: z.array(adminCurrency),
  ...partEnd,
});
