import type { AdminCreditNote, AdminCustomer, AdminInvoice, AdminOrderDetails } from "@creditgate/admin";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useOrganizationId } from "../api/account.ts";
import { admin, standing } from "../api/client.ts";
import type { QueryKeys } from "../api/edit.ts";
import { customerKeys, customerQuery } from "../customers/queries.ts";
import { type DaySpan, instantsOf } from "../parts/address.ts";
import type { InvoiceStatus, InvoiceType, OrderStatus, OrderType } from "./words.ts";

const pageSize = 25;

/** Which part of a list, and of whom. */
export interface RecordsPart extends DaySpan {
  readonly organizationId: string;
  readonly customer?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number;
}

function partOf({ customer, cursor, limit = pageSize, ...span }: RecordsPart) {
  return { customer_id: customer, cursor, limit, ...instantsOf(span) };
}

export interface InvoicesPart extends RecordsPart {
  readonly status?: InvoiceStatus | undefined;
  readonly type?: InvoiceType | undefined;
}

export const invoicesQuery = (part: InvoicesPart) =>
  queryOptions({
    queryKey: ["invoices", part.organizationId, part],
    queryFn: ({ signal }) =>
      admin
        .organization(part.organizationId)
        .invoices.list({ ...partOf(part), status: part.status, type: part.type }, { signal }),
    placeholderData: keepPreviousData,
  });

export interface OrdersPart extends RecordsPart {
  readonly status?: OrderStatus | undefined;
  readonly type?: OrderType | undefined;
}

export const ordersQuery = (part: OrdersPart) =>
  queryOptions({
    queryKey: ["orders", part.organizationId, part],
    queryFn: ({ signal }) =>
      admin
        .organization(part.organizationId)
        .orders.list({ ...partOf(part), status: part.status, type: part.type }, { signal }),
    placeholderData: keepPreviousData,
  });

export const creditNotesQuery = (part: RecordsPart) =>
  queryOptions({
    queryKey: ["credit-notes", part.organizationId, part],
    queryFn: ({ signal }) =>
      admin.organization(part.organizationId).invoices.creditNotes.list(partOf(part), { signal }),
    placeholderData: keepPreviousData,
  });

export const invoiceQuery = (organizationId: string, invoiceId: string) =>
  queryOptions({
    queryKey: ["invoices", organizationId, invoiceId],
    queryFn: ({ signal }) => admin.organization(organizationId).invoices.get(invoiceId, { signal }),
  });

export const orderQuery = (organizationId: string, orderId: string) =>
  queryOptions({
    queryKey: ["orders", organizationId, orderId],
    queryFn: ({ signal }) => admin.organization(organizationId).orders.get(orderId, { signal }),
  });

/** All credit notes of an invoice. */
export const notesQuery = (organizationId: string, invoiceId: string) =>
  queryOptions({
    queryKey: ["credit-notes", organizationId, invoiceId],
    async queryFn({ signal }): Promise<readonly AdminCreditNote[]> {
      const notes: AdminCreditNote[] = [];
      const { creditNotes } = admin.organization(organizationId).invoices;
      for await (const note of creditNotes.all({ invoice_id: invoiceId, limit: 100 }, { signal })) {
        notes.push(note);
      }
      return notes;
    },
  });

/** What a change of an order or an invoice makes untrue: the lists, and all that shows the customer. */
export function bookKeys(organizationId: string, customerId: string): QueryKeys {
  return [
    ["invoices", organizationId],
    ["orders", organizationId],
    ["credit-notes", organizationId],
    ...customerKeys(organizationId, customerId),
  ];
}

/** Whether somebody issues invoices by now: only then they can be printed. */
export const hasIssuerQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["issuers", organizationId],
    async queryFn({ signal }): Promise<boolean> {
      const { issuers } = await admin.organization(organizationId).issuers.list({ limit: 100 }, { signal });
      return issuers.some(({ validFrom }) => Date.parse(validFrom) <= Date.now());
    },
    staleTime: 60_000,
  });

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
  const customer = useQuery(customerQuery(organizationId, customerExternalId));
  const known = { customer: standing(customer), order: isOfOrder ? standing(order) : undefined };
  if (known.customer === undefined || (isOfOrder && known.order === undefined))
    return { subject: undefined, error: customer.error ?? (isOfOrder ? order.error : null) };
  return { subject: { order: known.order, customer: known.customer }, error: null };
}
