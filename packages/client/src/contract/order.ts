import { z } from "zod";
import { identifier, line } from "./text.ts";

/** An order to create (API, sections 2.5 and 4.4). */
export interface OrderCreateRequest {
  /** External ID of the customer. */
  readonly customerExternalId: string;
  readonly orderName: string;
  /** A day, `YYYY-MM-DD`, from the year 1. */
  readonly startDate: string;
  /** At least one, at most 100. */
  readonly lineItems: readonly OrderLineItem[];
}

/** What is ordered (API, section 2.5). The API names fee and benefits (1) and shows no fields: these are our choice. */
export interface OrderLineItem {
  readonly agentId: string;
  /** What the plan costs. */
  readonly platformFee?: PlatformFee | undefined;
  /** Credits that come with the fee: pending until its invoice is paid. */
  readonly creditBenefits?: readonly CreditBenefit[] | undefined;
}

/** Money. */
export interface PlatformFee {
  /** In minor units, as cents: an integer from 0 to 10^12. */
  readonly amount: number;
  /** Three upper-case letters (ISO 4217). */
  readonly currency: string;
}

/** Credits of a currency, above 0. */
export interface CreditBenefit {
  readonly credit_currency_key: string;
  readonly credits: number;
}

/** Parses money. */
export const platformFee: z.ZodType<PlatformFee> = z.object({
  amount: z.int().min(0).max(1e12),
  currency: z.string().regex(/^[A-Z]{3}$/, "Invalid input: expected three upper-case letters"),
});

const creditBenefit = z.object({
  credit_currency_key: identifier,
  credits: z.number().positive(),
});

const lineItem = z
  .object({
    agentId: identifier,
    platformFee: platformFee.optional(),
    creditBenefits: z.array(creditBenefit).min(1).max(20).optional(),
  })
  .refine((item) => item.creditBenefits === undefined || item.platformFee !== undefined, {
    path: ["platformFee"],
    message: "Invalid input: expected a fee, since credit benefits come with one",
  });

/** Parses the body of an order (API, section 4.4). */
export const orderCreateRequest: z.ZodType<OrderCreateRequest> = z.object({
  customerExternalId: identifier,
  orderName: line(1, 256),
  startDate: z.iso
    .date()
    .refine((day) => !day.startsWith("0000"), "Invalid input: expected a day from 0001-01-01"),
  lineItems: z.array(lineItem).min(1).max(100),
});
