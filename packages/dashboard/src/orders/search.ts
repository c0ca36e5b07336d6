import type { DaySpan } from "../parts/day-span.tsx";

/** The lists of the page. */
export const shown = { orders: "Orders", "credit-notes": "Credit notes" } as const;

export interface OrdersSearch extends DaySpan {
  /** Without it the invoices are shown. */
  show?: keyof typeof shown;
  status?: string;
  type?: string;
  /** The ID of a customer. */
  customer?: string;
  /** Where the part of the list begins. */
  cursor?: string;
}
