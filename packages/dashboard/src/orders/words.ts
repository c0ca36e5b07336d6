import type { AdminInvoice } from "@creditgate/client/admin";
import { formatCredits } from "../parts/credits.ts";
import { formatMoney } from "../parts/money.ts";
import { formatDay } from "../parts/time.tsx";

export const invoiceStatuses = { open: "Open", paid: "Paid", void: "Void" } as const;
export type InvoiceStatus = keyof typeof invoiceStatuses;

export const invoiceTypes = { order: "Order", period: "Period" } as const;
export type InvoiceType = keyof typeof invoiceTypes;

export const orderStatuses = {
  pending: "Pending",
  active: "Active",
  superseded: "Superseded",
  cancelled: "Cancelled",
} as const;
export type OrderStatus = keyof typeof orderStatuses;

export const orderTypes = { plan: "Plan", replacement: "Replacement", top_up: "Top-up" } as const;
export type OrderType = keyof typeof orderTypes;

/** What an invoice is called: by its number, and by its ID until it has one. */
export function invoiceName({ number, invoiceId }: Pick<AdminInvoice, "number" | "invoiceId">): string {
  return number ?? `Invoice ${invoiceId.slice(0, 8)}`;
}

/** What an invoice asks for: money, or the credits of a period where they have no price. */
export function askedFor({ amount, currency, credits }: AdminInvoice): string {
  if (amount !== null && currency !== null) return formatMoney(amount, currency);
  if (credits !== null) return `${formatCredits(credits)} credits`;
  return "nothing";
}

const dayMs = 24 * 60 * 60 * 1_000;

/** The days of a period: its end is the instant before which it lies. */
export function formatPeriod(start: string, end: string): string {
  const last = new Date(Math.max(Date.parse(start), Date.parse(end) - 1)).toISOString();
  const [first, until] = [formatDay(start), formatDay(last)];
  return first === until ? first : `${first} to ${until}`;
}

/** How long ago, in whole days. */
export function daysSince(at: string, now: number = Date.now()): string {
  const days = Math.max(0, Math.floor((now - Date.parse(at)) / dayMs));
  return days === 0 ? "since today" : days === 1 ? "for a day" : `for ${days} days`;
}

/** What ends a top-up that a wallet has ordered by itself. */
export const topUpWarning =
  "Where the wallet is still low, its auto top-up orders another at once: end that first, in its limits.";
