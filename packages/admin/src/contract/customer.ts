import { type Data, identifier } from "@creditgate/client";
import { customerFields, line, record } from "@creditgate/client/parts";
import { z } from "zod";
import { organization, tagged } from "./define-endpoint.ts";
import { editFields, taggedFields } from "./etag.ts";
import { addressLines } from "./issuer.ts";
import { partFields, partOf } from "./part.ts";
import { adminWallet } from "./wallet.ts";

const defineEndpoint = tagged("Customers and wallets");

/** A language tag. */
export const customerLocale = z
  .string()
  .refine(isLocale, "Invalid input: expected a language tag (BCP 47), as pt-PT");

const billingFields = {
  addressLines: addressLines
    .nullish()
    .describe('Up to 8 lines of its postal address, for invoices, as ["Main Street 1"]'),
  taxId: line(1, 64).nullish().describe("As a VAT number, for invoices"),
  locale: customerLocale.nullish().describe("Its language and region (BCP 47), as pt-PT"),
};

/** Whether the text is one language tag. Those that are registered have 35 characters at most. */
function isLocale(text: string): boolean {
  if (text.length > 35) return false;
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

const customerEditRequest = z.strictObject({
  ...editFields,
  ...customerFields,
  name: customerFields.name.optional(),
  ...billingFields,
});

const customerCreateRequest = z.strictObject({ externalId: identifier, ...customerFields, ...billingFields });

/** A customer to create. */
export type CustomerCreateRequest = Data<typeof customerCreateRequest>;

export const adminCustomer = record({
  externalId: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  country: z.string().nullable(),
  city: z.string().nullable(),
  /** Of its postal address, for invoices. A service of the version before does not say, nor what follows. */
  addressLines: z.array(z.string()).default([]),
  taxId: z.string().nullable().default(null),
  locale: z.string().nullable().default(null),
  createdAt: z.string(),
  /** Since when nothing personal is kept of the customer; `null` where it is. */
  erasedAt: z.string().nullable(),
  ...taggedFields,
  wallets: z.array(adminWallet),
});

/** A customer, with all wallets. */
export type AdminCustomer = Data<typeof adminCustomer>;

const filterFields = {
  /** Whatever the case, all of them: `ali exa` finds Alice with alice@example.com. */
  search: z
    .string()
    .max(256)
    .refine((text) => !text.includes("\0"), "Invalid input: expected text without NUL")
    .optional()
    .describe("The beginnings of words of ID, name and email"),
};

const customerFilter = z.strictObject(filterFields);

/** Which customers. */
export type CustomerFilter = Data<typeof customerFilter>;

const customerListQuery = z.strictObject({ ...partFields, ...filterFields });

const customerListAnswer = partOf({ customers: z.array(adminCustomer) });

/** A part of the customers, by external ID. */
export type CustomerListAnswer = Data<typeof customerListAnswer>;

const customerPath = `${organization}/customers/{externalId}` as const;

/** The customers of an organisation, by external ID, with their wallets. */
export const customers = {
  list: defineEndpoint({
    name: "customerList",
    path: `${organization}/customers`,
    kind: "list",
    scope: "read",
    query: customerListQuery,
    answer: customerListAnswer,
    summary: "Lists customers with their wallets",
  }),
  csv: defineEndpoint({
    name: "customerCsv",
    path: `${organization}/customers.csv`,
    kind: "csv",
    scope: "read",
    query: customerFilter,
    summary: "The customers as a file",
  }),
  /** A new customer, without wallets; 409 `customer_exists` where the external ID is taken. Never retried once sent. */
  create: defineEndpoint({
    name: "customerCreate",
    method: "POST",
    path: `${organization}/customers`,
    scope: "money",
    body: customerCreateRequest,
    answer: adminCustomer,
    summary: "Creates a customer",
    statuses: [201],
  }),
  /** The customer with this external ID; 404 `customer_unknown` where there is none. Retried. */
  get: defineEndpoint({
    name: "customerRead",
    path: customerPath,
    scope: "read",
    answer: adminCustomer,
    summary: "Reads a customer with its wallets",
  }),
  /** Changes what is known of a customer. Retried. */
  edit: defineEndpoint({
    name: "customerEdit",
    method: "POST",
    path: customerPath,
    idempotent: true,
    scope: "money",
    body: customerEditRequest,
    answer: adminCustomer,
    summary: "Changes what is known of a customer",
  }),
  /**
   * Removes what is personal: the name becomes `erased`; all that is known besides is removed. The external ID stays, and
   * with it wallets, usage, ledger and invoices. Retried.
   */
  erase: defineEndpoint({
    name: "customerErase",
    method: "POST",
    path: `${customerPath}/erase`,
    idempotent: true,
    scope: "owner",
    answer: adminCustomer,
    summary: "Removes what is personal; the books stay",
  }),
};
