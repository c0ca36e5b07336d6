import { z } from "zod";
import { identifier, line } from "./text.ts";

/** An order to create (API, sections 2.5 and 4.4). */
export interface OrderCreateRequest {
  /** External ID of the customer. */
  readonly customerExternalId: string;
  readonly orderName: string;
  /** A day, `YYYY-MM-DD`. */
  readonly startDate: string;
  /** At least one. */
  readonly lineItems: readonly OrderLineItem[];
}

/** What is ordered (API, section 2.5). */
export interface OrderLineItem {
  readonly agentId: string;
}

/** Parses the body of an order (API, section 4.4). */
export const orderCreateRequest: z.ZodType<OrderCreateRequest> = z.object({
  customerExternalId: identifier,
  orderName: line(1, 256),
  startDate: z.iso.date(),
  lineItems: z.array(z.object({ agentId: identifier })).min(1),
});
