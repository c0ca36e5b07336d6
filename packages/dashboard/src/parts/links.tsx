import type { AdminInvoice } from "@creditgate/admin";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useOrganizationId } from "../api/query.ts";
import { Name, named } from "./name.tsx";
import { column } from "./table.tsx";

/** What an invoice is called: by its number, and by its ID until it has one. */
export function invoiceName({ number, invoiceId }: Pick<AdminInvoice, "number" | "invoiceId">): string {
  return number ?? `Invoice ${invoiceId.slice(0, 8)}`;
}

/** An invoice by its number; with `isCover` the link covers its row. */
export function InvoiceLink({
  invoice,
  isCover = false,
}: {
  readonly invoice: Pick<AdminInvoice, "invoiceId" | "number">;
  readonly isCover?: boolean;
}) {
  const organizationId = useOrganizationId();
  return (
    <Link
      className={isCover ? "cover" : "inline-link"}
      to="/organizations/$organizationId/orders/invoices/$invoiceId"
      params={{ organizationId, invoiceId: invoice.invoiceId }}
    >
      <Name>{invoiceName(invoice)}</Name>
    </Link>
  );
}

interface OrderLinkProps {
  readonly orderId: string;
  readonly isCover?: boolean;
  readonly children: ReactNode;
}

/** An order by its name; with `isCover` the link covers its row. */
export function OrderLink({ orderId, isCover = false, children }: OrderLinkProps) {
  const organizationId = useOrganizationId();
  return (
    <Link
      className={isCover ? "cover" : "inline-link"}
      to="/organizations/$organizationId/orders/$orderId"
      params={{ organizationId, orderId }}
    >
      {named(children)}
    </Link>
  );
}

/** A customer by ID, above the link that covers the row. */
export function CustomerLink({ customerId, children }: { customerId: string; children?: ReactNode }) {
  const organizationId = useOrganizationId();
  return (
    <Link
      className={children === undefined ? "inline-link above mono" : "inline-link above"}
      to="/organizations/$organizationId/customers/$customerId"
      params={{ organizationId, customerId }}
    >
      {named(children ?? customerId)}
    </Link>
  );
}

/** Whose order or invoice it is. */
export const customerColumn = column<{ readonly customerExternalId: string }>(
  "Customer",
  { from: 1, look: "breaks" },
  ({ customerExternalId }) => <CustomerLink customerId={customerExternalId} />,
);
