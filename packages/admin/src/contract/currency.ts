import { type Data, identifier } from "@creditgate/client";
import { record } from "@creditgate/client/parts";
import { z } from "zod";
import { organization, tagged } from "./define-endpoint.ts";
import { editFields, taggedFields } from "./etag.ts";
import { partOf, partQuery } from "./part.ts";

const defineEndpoint = tagged("Agents and prices");

export const adminCurrency = record({
  creditCurrencyKey: z.string(),
  name: z.string().nullable(),
  unitPrice: record({ amount: z.string(), currency: z.string() }).nullable(),
  ...taggedFields,
});

/** A credit currency. */
export type AdminCurrency = Data<typeof adminCurrency>;

export const currencySetRequest = z.strictObject({
  ...editFields,
  creditCurrencyKey: identifier,
  name: identifier.nullish().describe("What it is called"),
  /** On invoices of postpaid periods, where it is used from now on. */
  unitPrice: z
    .strictObject({
      /** In minor units, as cents: a decimal from 0 to 1,000,000 with at most 15 decimals; exact as a string. */
      amount: z.union([z.number(), z.string()]),
      /** ISO 4217. */
      currency: z.string().regex(/^[A-Z]{3}$/, "Invalid input: expected three upper-case letters"),
    })
    .nullish()
    .describe('What a credit costs, as {"amount":"0.25","currency":"EUR"}, in minor units'),
});

/** A credit currency to make or to change. What is left out stays; `null` takes it back. */
export type CurrencySetRequest = Data<typeof currencySetRequest>;

/** The credit currencies of an organisation. They come into being where they are first named: here, in a price, an order or a fixture. */
export const currencies = {
  /** All of them, by key. Retried. */
  list: defineEndpoint({
    name: "currencyList",
    path: `${organization}/currencies`,
    kind: "all",
    scope: "read",
    query: partQuery,
    answer: partOf({ currencies: z.array(adminCurrency) }),
    summary: "Lists credit currencies",
  }),
  /** Makes a currency, or changes its name or price. Retried. */
  set: defineEndpoint({
    name: "currencySet",
    method: "POST",
    path: `${organization}/currencies`,
    idempotent: true,
    scope: "money",
    body: currencySetRequest,
    answer: adminCurrency,
    summary: "Creates or updates a credit currency, and sets its price",
    statuses: [200, 201],
  }),
};
