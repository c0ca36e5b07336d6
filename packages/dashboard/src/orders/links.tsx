import type { AdminInvoice } from "@creditgate/client/admin";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useOrganizationId } from "../api/account.ts";
import { invoiceName } from "./words.ts";

/** An invoice by its number; with `isCover` the link covers its row. */
export function InvoiceLink({
  invoice,
  isCover = false,
}: {
  readonly invoice: Pick<AdminInvoice, "invoiceId" | "number">;
  readonly isCover?: boolean;
}): ReactNode {
  const organizationId = useOrganizationId();
  return (
    <Link
      className={isCover ? "cover" : "inline-link"}
      to="/organizations/$organizationId/orders/invoices/$invoiceId"
      params={{ organizationId, invoiceId: invoice.invoiceId }}
    >
      {invoiceName(invoice)}
    </Link>
  );
}

/** An order by its name; with `isCover` the link covers its row. */
export function OrderLink({
  orderId,
  isCover = false,
  children,
}: {
  readonly orderId: string;
  readonly isCover?: boolean;
  readonly children: ReactNode;
}): ReactNode {
  const organizationId = useOrganizationId();
  return (
    <Link
      className={isCover ? "cover" : "inline-link"}
      to="/organizations/$organizationId/orders/$orderId"
      params={{ organizationId, orderId }}
    >
      {children}
    </Link>
  );
}

/** A customer by ID, above the link that covers the row. */
export function CustomerLink({
  customerId,
  children,
}: {
  readonly customerId: string;
  readonly children?: ReactNode;
}): ReactNode {
  const organizationId = useOrganizationId();
  return (
    <Link
      className={children === undefined ? "inline-link above mono" : "inline-link above"}
      to="/organizations/$organizationId/customers/$customerId"
      params={{ organizationId, customerId }}
    >
      {children ?? customerId}
    </Link>
  );
}
