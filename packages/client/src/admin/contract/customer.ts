import { z } from "zod";
import { customerFields } from "../../contract/customer.ts";
import { type PageQuery, pageFields } from "./page.ts";
import { type AdminWallet, adminWallet } from "./wallet.ts";

/** A customer, with all wallets. */
export interface AdminCustomer {
  readonly externalId: string;
  readonly name: string;
  readonly email: string | null;
  readonly country: string | null;
  readonly city: string | null;
  readonly createdAt: string;
  /** Since when nothing personal is kept of the customer; `null` where it is. */
  readonly erasedAt: string | null;
  readonly wallets: readonly AdminWallet[];
}

/** What is to change of a customer. What is left out stays; `null` removes it. */
export interface CustomerEditRequest {
  readonly name?: string | undefined;
  readonly email?: string | null | undefined;
  /** Two upper-case letters. */
  readonly country?: string | null | undefined;
  readonly city?: string | null | undefined;
}

/** Parses the body that changes a customer. */
export const customerEditRequest: z.ZodType<CustomerEditRequest> = z.strictObject({
  ...customerFields,
  name: customerFields.name.optional(),
});

/** Which customers. */
export interface CustomerListQuery extends PageQuery {
  /** A part of external ID, name or email, whatever the case; up to 256 characters. */
  readonly search?: string | undefined;
}

/** Parses a customer. Fields that are not listed are passed on. */
export const adminCustomer: z.ZodType<AdminCustomer> = z.looseObject({
  externalId: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  country: z.string().nullable(),
  city: z.string().nullable(),
  createdAt: z.string(),
  erasedAt: z.string().nullable(),
  wallets: z.array(adminWallet),
});

/** Parses the query for customers. */
export const customerListQuery: z.ZodType<CustomerListQuery> = z.strictObject({
  ...pageFields,
  search: z.string().max(256).optional(),
});

/** A page of customers, by external ID. */
export interface CustomerListAnswer {
  readonly customers: readonly AdminCustomer[];
  readonly page: number;
  readonly limit: number;
  /** How many there are on all pages. */
  readonly total: number;
}

/** Parses a page of customers. */
export const customerListAnswer: z.ZodType<CustomerListAnswer> = z.looseObject({
  customers: z.array(adminCustomer),
  page: z.int(),
  limit: z.int(),
  total: z.int(),
});
