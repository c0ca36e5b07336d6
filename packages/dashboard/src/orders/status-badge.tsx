import { keyOf } from "../parts/address.ts";
import { Badge } from "../parts/badge.tsx";
import { invoiceStatuses, orderStatuses } from "./words.ts";

/** The status of an invoice. */
export function InvoiceBadge({ status }: { readonly status: string }) {
  const known = keyOf(invoiceStatuses, status);
  return <StatusBadge words={known && invoiceStatuses[known]} status={status} good="paid" waiting="open" />;
}

/** The status of an order. */
export function OrderBadge({ status }: { readonly status: string }) {
  const known = keyOf(orderStatuses, status);
  return (
    <StatusBadge words={known && orderStatuses[known]} status={status} good="active" waiting="pending" />
  );
}

interface StatusBadgeProps {
  readonly status: string;
  /** @default the status */
  readonly words: string | undefined;
  readonly good: string;
  readonly waiting: string;
}

function StatusBadge({ status, words = status, good, waiting }: StatusBadgeProps) {
  if (status === good) return <Badge tone="good">{words}</Badge>;
  if (status !== waiting) return <Badge tone="line">{words}</Badge>;
  return (
    <Badge tone="warn" icon="clock">
      {words}
    </Badge>
  );
}
