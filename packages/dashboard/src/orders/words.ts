import type { AdminInvoice } from "@creditgate/admin";
import { type DaySpan, keyOf } from "../parts/address.ts";
import { formatCredits, formatMoney } from "../parts/amounts.ts";
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

export function orderTypeName(type: string): string {
  const known = keyOf(orderTypes, type);
  return known === undefined ? type : orderTypes[known];
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
export function daysSince(at: string): string {
  const days = Math.max(0, Math.floor((Date.now() - Date.parse(at)) / dayMs));
  return days === 0 ? "since today" : days === 1 ? "for a day" : `for ${days} days`;
}

/** What ends a top-up that a wallet has ordered by itself. */
export const topUpWarning =
  "If the wallet is still low, its auto top-up creates another order immediately. Turn it off first.";

/** The lists of the page. */
export const recordLists = { orders: "Orders", "credit-notes": "Credit notes" } as const;

export interface OrdersSearch extends DaySpan {
  /** Without it the invoices are recordLists. */
  show?: keyof typeof recordLists;
  status?: string;
  type?: string;
  /** The ID of a customer. */
  customer?: string;
  /** Where the part of the list begins. */
  cursor?: string;
}
