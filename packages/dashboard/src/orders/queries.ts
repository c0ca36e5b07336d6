import type { AdminCreditNote, AdminCustomer, AdminInvoice, AdminOrderDetails } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { lastKnown } from "../api/client.ts";
import { organizationQuery, useAnswer, useOrganizationId } from "../api/query.ts";
import { customerQueries, customerQuery } from "../customers/queries.ts";
import { type DaySpan, instantsOf } from "../parts/address.ts";
import type { InvoiceStatus, InvoiceType, OrderStatus, OrderType } from "./words.ts";

/** Which part of a list, and of whom. */
interface RecordsPart extends DaySpan {
  readonly customer?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number;
}

function partOf({ customer, cursor, limit = 25, from, to }: RecordsPart) {
  return { customerId: customer, cursor, limit, ...instantsOf({ from, to }) };
}

interface InvoicesPart extends RecordsPart {
  readonly status?: InvoiceStatus | undefined;
  readonly type?: InvoiceType | undefined;
}

export const invoicesQuery = organizationQuery(
  "invoices",
  ({ invoices }, options, part: InvoicesPart) =>
    invoices.list({ ...partOf(part), status: part.status, type: part.type }, options),
  { keepsLast: true },
);

interface OrdersPart extends RecordsPart {
  readonly status?: OrderStatus | undefined;
  readonly type?: OrderType | undefined;
}

export const ordersQuery = organizationQuery(
  "orders",
  ({ orders }, options, part: OrdersPart) =>
    orders.list({ ...partOf(part), status: part.status, type: part.type }, options),
  { keepsLast: true },
);

export const creditNotesQuery = organizationQuery(
  "credit-notes",
  ({ invoices }, options, part: RecordsPart) => invoices.creditNotes.list(partOf(part), options),
  { keepsLast: true },
);

export const invoiceQuery = organizationQuery("invoices", ({ invoices }, options, invoiceId: string) =>
  invoices.get(invoiceId, options),
);

export const orderQuery = organizationQuery("orders", ({ orders }, options, orderId: string) =>
  orders.get(orderId, options),
);

/** All credit notes of an invoice. */
export const notesQuery = organizationQuery(
  "credit-notes",
  async ({ invoices }, options, invoiceId: string) => {
    const notes: AdminCreditNote[] = [];
    for await (const note of invoices.creditNotes.all({ invoiceId, limit: 100 }, options)) notes.push(note);
    return notes;
  },
);

/** The queries that a change of an order or an invoice makes untrue: the lists, and all that shows the customer. */
export const bookQueries = ["invoices", "orders", "credit-notes", ...customerQueries];

/** Whether somebody issues invoices by now: only then they can be printed. */
export const hasIssuerQuery = organizationQuery(
  "issuers",
  async (organization, options) => {
    const { issuers } = await organization.issuers.list({ limit: 100 }, options);
    return issuers.some(({ validFrom }) => Date.parse(validFrom) <= Date.now());
  },
  { staleTime: 60_000 },
);

/** What a change of an invoice touches: its order, if it is of one, and its customer with the wallets. */
export interface InvoiceSubject {
  readonly order: AdminOrderDetails | undefined;
  readonly customer: AdminCustomer;
}

/** `undefined` until all of it is loaded; the error where it cannot be. */
export function useInvoiceSubject(invoice: Pick<AdminInvoice, "orderId" | "customerExternalId" | "type">): {
  readonly subject: InvoiceSubject | undefined;
  readonly error: Error | null;
} {
  const organizationId = useOrganizationId();
  const { orderId, customerExternalId, type } = invoice;
  const isOfOrder = type === "order" && orderId !== null;
  const order = useQuery({ ...orderQuery(organizationId, orderId ?? ""), enabled: isOfOrder });
  const customer = useAnswer(customerQuery, customerExternalId);
  const known = { customer: lastKnown(customer), order: isOfOrder ? lastKnown(order) : undefined };
  if (known.customer === undefined || (isOfOrder && known.order === undefined))
    return { subject: undefined, error: customer.error ?? (isOfOrder ? order.error : null) };
  return { subject: { order: known.order, customer: known.customer }, error: null };
}
