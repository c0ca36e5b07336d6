import type { AdminOrderDetails } from "@creditgate/admin";
import { useState } from "react";
import { useOrganization } from "../api/account.ts";
import { useAnswer } from "../api/query.ts";
import { customerQuery } from "../customers/queries.ts";
import { Effect } from "../parts/effect.tsx";
import { ReasonField } from "../parts/field.tsx";
import { ActionDialog } from "../parts/form-dialog.tsx";
import { invoiceName } from "../parts/links.tsx";
import { notify } from "../parts/toasts.tsx";
import { benefitsOf, withdrawalRows } from "./benefits.ts";
import { bookQueries } from "./queries.ts";
import { askedFor, topUpWarning } from "./words.ts";

/** Cancels an order that is not active yet, and voids its invoice. */
export function CancelDialog({ order }: { order: AdminOrderDetails }) {
  const organization = useOrganization();
  const [reason, setReason] = useState("");
  const { data: customer } = useAnswer(customerQuery, order.customerExternalId);
  const invoice = order.invoices.find(({ type, status }) => type === "order" && status === "open");
  return (
    <ActionDialog
      title={`Cancel ${order.orderName}`}
      action="Cancel the order"
      isDanger
      isReady={reason.trim() !== "" && customer !== undefined}
      failure="The order is not cancelled."
      send={() => organization.orders.cancel(order.orderId, { reason: reason.trim() })}
      untrue={bookQueries}
      onDone={() => notify(`${order.orderName} is cancelled`)}
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
