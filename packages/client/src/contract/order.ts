import { z } from "zod";
import { type Data, identifier, line } from "./fields.ts";

/** Parses money. */
export const platformFee = z.object({
  /** In minor units, as cents: an integer from 0 to 10^12. */
  amount: z.int().min(0).max(1e12),
  /** Three upper-case letters (ISO 4217). */
  currency: z.string().regex(/^[A-Z]{3}$/, "Invalid input: expected three upper-case letters"),
});

/** Money. */
export type PlatformFee = Data<typeof platformFee>;

/** Credits of a currency, above 0. */
export const creditBenefit = z.object({ credit_currency_key: identifier, credits: z.number().positive() });

/** Credits of a currency, above 0. */
export type CreditBenefit = Data<typeof creditBenefit>;

/** Credits of an order: they never expire, expire, or recur. */
export const orderBenefit = z
  .object({
    ...creditBenefit.shape,
    /** Days from the payment on after which they expire. @default never */
    expiresInDays: z.int().min(1).max(36_500).optional(),
    /** They recur, each time until the next one, as long as the order is active. @default never */
    every: z.enum(["day", "week", "month"]).optional(),
    /** Credits of a period's remainder that stay for one period more. @default 0 */
    rollover: z.number().nonnegative().optional(),
  })
  .refine(({ expiresInDays, every }) => expiresInDays === undefined || every === undefined, {
    path: ["expiresInDays"],
    message: "Invalid input: expected expiresInDays or every, received both",
  })
  .refine(({ every, rollover }) => every !== undefined || rollover === undefined, {
    path: ["rollover"],
    message: "Invalid input: expected a rollover of credits that recur only",
  });

/** Credits of an order: they never expire, expire, or recur. */
export type OrderBenefit = Data<typeof orderBenefit>;

const lineItem = z
  .object({
    agentId: identifier,
    /** What the plan costs. */
    platformFee: platformFee.optional(),
    /** Credits that come with the fee: pending until its invoice is paid. */
    creditBenefits: z.array(orderBenefit).min(1).max(20).optional(),
  })
  .refine((item) => item.creditBenefits === undefined || item.platformFee !== undefined, {
    path: ["platformFee"],
    message: "Invalid input: expected a fee, since credit benefits come with one",
  });

/** What is ordered (API, section 2.5). The API names fee and benefits (1) and shows no fields: these are our choice. */
export type OrderLineItem = Data<typeof lineItem>;

/** Parses the body of an order (API, section 4.4). */
export const orderCreateRequest = z.object({
  /** External ID of the customer. */
  customerExternalId: identifier,
  orderName: line(1, 256).describe("What it is called"),
  startDate: z.iso
    .date()
    .refine((day) => !day.startsWith("0000"), "Invalid input: expected a day from 0001-01-01")
    .describe("A day, as 2026-01-31"),
  lineItems: z
    .array(lineItem)
    .min(1)
    .max(100)
    .describe('Up to 100, as [{"agentId":"chat","platformFee":{"amount":4900,"currency":"EUR"}}]'),
});

/** An order to create (API, sections 2.5 and 4.4). */
export type OrderCreateRequest = Data<typeof orderCreateRequest>;
