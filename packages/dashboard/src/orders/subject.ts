import type { AdminCustomer, AdminInvoice, AdminOrderDetails } from "@creditgate/client/admin";
import { useQuery } from "@tanstack/react-query";
import { useOrganizationId } from "../api/account.ts";
import { standing } from "../api/standing.ts";
import { customerQuery } from "../customers/queries.ts";
import { orderQuery } from "./queries.ts";

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
