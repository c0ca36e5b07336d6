import type { AdminWebhookDelivery } from "@creditgate/client/admin";
import type { ReactNode } from "react";
import { Badge } from "../parts/badge.tsx";
import { formatCount } from "../parts/credits.ts";
import { Fine } from "../parts/fine.tsx";
import { deliveryStatuses } from "./words.ts";

/** What came of the last attempt, in a few words. */
export function answerOf({ responseStatus, error, durationMs, attempts }: AdminWebhookDelivery): string {
  if (attempts === 0) return "not sent yet";
  const took = durationMs === null ? "" : `, ${formatCount(durationMs)} ms`;
  return `${responseStatus === null ? (error ?? "no answer") : String(responseStatus)}${took}`;
}

export function DeliveryBadge({ status }: { readonly status: string }): ReactNode {
  if (status === "delivered") {
    return <Fine>{deliveryStatuses.delivered}</Fine>;
  }
  if (status === "given_up") {
    return (
      <Badge tone="bad" icon="alert">
        {deliveryStatuses.given_up}
      </Badge>
    );
  }
  return (
    <Badge tone="warn" icon="clock">
      {status === "pending" ? deliveryStatuses.pending : status}
    </Badge>
  );
}
