import type { AdminOrderDetails } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { admin } from "../api/client.ts";
import { customerQuery } from "../customers/queries.ts";
import { Effect } from "../parts/effect.tsx";
import { ReasonField } from "../parts/field.tsx";
import { ActionDialog, type DialogOf } from "../parts/form-dialog.tsx";
import { tell } from "../parts/toasts.tsx";
import { benefitsOf, withdrawalRows } from "./benefits.ts";
import { bookKeys } from "./queries.ts";
import { askedFor, invoiceName, topUpWarning } from "./words.ts";

/** Cancels an order that is not active yet, and voids its invoice. */
export function CancelDialog({ order, onClose }: DialogOf<{ order: AdminOrderDetails }>) {
  const organizationId = useOrganizationId();
  const [reason, setReason] = useState("");
  const { data: customer } = useQuery(customerQuery(organizationId, order.customerExternalId));
  const invoice = order.invoices.find(({ type, status }) => type === "order" && status === "open");
  return (
    <ActionDialog
      title={`Cancel ${order.orderName}`}
      action="Cancel the order"
      isDanger
      isReady={reason.trim() !== "" && customer !== undefined}
      failure="The order is not cancelled."
      send={() => admin.organization(organizationId).orders.cancel(order.orderId, { reason: reason.trim() })}
      untrue={bookKeys(organizationId, order.customerExternalId)}
      onDone={() => tell(`${order.orderName} is cancelled`)}
      onClose={onClose}
    >
      <ReasonField name="reason" value={reason} onChange={setReason} autoFocus />
      {customer === undefined ? (
        <div className="bone block" />
      ) : (
        <Effect rows={withdrawalRows(benefitsOf(order), customer.wallets)}>
          <p>
            The order never starts.{" "}
            {invoice !== undefined &&
              `${invoiceName(invoice)} is void, and ${customer.name} owes ${askedFor(invoice)} no more.`}
            {order.type === "top_up" && ` ${topUpWarning}`}
          </p>
          <p className="quiet">It cannot be undone: make another order.</p>
        </Effect>
      )}
    </ActionDialog>
  );
}
