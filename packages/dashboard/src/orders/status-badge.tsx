import type { ReactNode } from "react";
import { Badge } from "../parts/badge.tsx";
import { keyOf } from "../parts/key-of.ts";
import { invoiceStatuses, orderStatuses } from "./words.ts";

/** How it stands with an invoice. */
export function InvoiceBadge({ status }: { readonly status: string }): ReactNode {
  const known = keyOf(invoiceStatuses, status);
  const words = known === undefined ? status : invoiceStatuses[known];
  if (known === "open") {
    return (
      <Badge tone="warn" icon="clock">
        {words}
      </Badge>
    );
  }
  if (known === "paid") {
    return (
      <Badge tone="good" icon="check">
        {words}
      </Badge>
    );
  }
  return <Badge tone="line">{words}</Badge>;
}

/** How it stands with an order. */
export function OrderBadge({ status }: { readonly status: string }): ReactNode {
  const known = keyOf(orderStatuses, status);
  const words = known === undefined ? status : orderStatuses[known];
  if (known === "active") {
    return (
      <Badge tone="good" icon="check">
        {words}
      </Badge>
    );
  }
  if (known === "pending") {
    return (
      <Badge tone="warn" icon="clock">
        {words}
      </Badge>
    );
  }
  return <Badge tone="line">{words}</Badge>;
}
