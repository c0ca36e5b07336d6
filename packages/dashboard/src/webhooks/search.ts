import type { DaySpan } from "../parts/day-span.tsx";

/** What of a log of deliveries is shown. */
export interface DeliveriesSearch extends DaySpan {
  status?: string;
  type?: string;
  /** The ID of a customer. */
  customer?: string;
  /** Where the part of the list begins. */
  cursor?: string;
}
