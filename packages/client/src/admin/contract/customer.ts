import { z } from "zod";
import { customerFields } from "../../contract/customer.ts";
import { identifier, line } from "../../contract/text.ts";
import { type Edit, editFields, type Tagged, taggedFields } from "./etag.ts";
import { addressLines } from "./issuer.ts";
import { type Part, type PartQuery, partEnd, partFields } from "./part.ts";
import { type AdminWallet, adminWallet } from "./wallet.ts";

/** A customer, with all wallets. */
export interface AdminCustomer extends Tagged {
  readonly externalId: string;
  readonly name: string;
  readonly email: string | null;
  readonly country: string | null;
  readonly city: string | null;
  /** Of its postal address, for invoices. */
  readonly addressLines: readonly string[];
  readonly taxId: string | null;
  readonly createdAt: string;
  /** Since when nothing personal is kept of the customer; `null` where it is. */
  readonly erasedAt: string | null;
  readonly wallets: readonly AdminWallet[];
}

/** What is to change of a customer. What is left out stays; `null` removes it. */
export interface CustomerEditRequest extends Edit {
  readonly name?: string | undefined;
  readonly email?: string | null | undefined;
  /** Two upper-case letters. */
  readonly country?: string | null | undefined;
  readonly city?: string | null | undefined;
  /** Up to 8, of its postal address, for invoices. */
  readonly addressLines?: readonly string[] | null | undefined;
  /** As a VAT number, for invoices. */
  readonly taxId?: string | null | undefined;
}

const billingFields = { addressLines: addressLines.nullish(), taxId: line(1, 64).nullish() };

/** Parses the body that changes a customer. */
export const customerEditRequest: z.ZodType<CustomerEditRequest> = z.strictObject({
  ...editFields,
  ...customerFields,
  name: customerFields.name.optional(),
  ...billingFields,
});

/** A customer to create. */
export interface CustomerCreateRequest {
  readonly externalId: string;
  readonly name: string;
  readonly email?: string | null | undefined;
  /** Two upper-case letters. */
  readonly country?: string | null | undefined;
  readonly city?: string | null | undefined;
  /** Up to 8, of its postal address, for invoices. */
  readonly addressLines?: readonly string[] | null | undefined;
  /** As a VAT number, for invoices. */
  readonly taxId?: string | null | undefined;
}

/** Parses the body that creates a customer. */
export const customerCreateRequest: z.ZodType<CustomerCreateRequest> = z.strictObject({
  externalId: identifier,
  ...customerFields,
  ...billingFields,
});

/** Which customers. */
export interface CustomerFilter {
  /**
   * The beginnings of words in external ID, name or email, whatever the case, all of them: `ali exa` finds Alice with
   * alice@example.com. Up to 256 characters.
   */
  readonly search?: string | undefined;
}

/** Which part of them. */
export interface CustomerListQuery extends PartQuery, CustomerFilter {}

/** Parses a customer. Fields that are not listed are passed on. */
export const adminCustomer: z.ZodType<AdminCustomer> = z.looseObject({
  externalId: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  country: z.string().nullable(),
  city: z.string().nullable(),
  // A service of the version before does not say.
  addressLines: z.array(z.string()).default([]),
  taxId: z.string().nullable().default(null),
  createdAt: z.string(),
  erasedAt: z.string().nullable(),
  ...taggedFields,
  wallets: z.array(adminWallet),
});

const filterFields = {
  search: z
    .string()
    .max(256)
    .refine((text) => !text.includes("\0"), "Invalid input: expected text without NUL")
    .optional(),
};

/** Parses the query for all customers of a kind. */
export const customerFilter: z.ZodType<CustomerFilter> = z.strictObject(filterFields);

/** Parses the query for customers. */
export const customerListQuery: z.ZodType<CustomerListQuery> = z.strictObject({
  ...partFields,
  ...filterFields,
});

/** A part of the customers, by external ID. */
export interface CustomerListAnswer extends Part {
  readonly customers: readonly AdminCustomer[];
}

/** Parses a part of the customers. */
export const customerListAnswer: z.ZodType<CustomerListAnswer> = z.looseObject({
  customers: z.array(adminCustomer),
  ...partEnd,
});
