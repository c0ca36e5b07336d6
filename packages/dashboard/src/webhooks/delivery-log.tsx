import type { AdminWebhook, AdminWebhookDelivery } from "@creditgate/admin";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { Closing } from "../api/edit.ts";
import { useAnswer, useMay, useOrganization } from "../api/query.ts";
import { CustomerFilter } from "../customers/customer-picker.tsx";
import { instantsOf, keyOf } from "../parts/address.ts";
import { formatCount } from "../parts/amounts.ts";
import { Badge, Fine } from "../parts/badge.tsx";
import { CopyButton } from "../parts/button.tsx";
import { ActionDialog, DialogButton } from "../parts/form-dialog.tsx";
import { Facts, RawText, Section } from "../parts/page.tsx";
import { Empty, Listing, Table } from "../parts/table.tsx";
import { formatExact, formatTime, Time } from "../parts/time.tsx";
import { notify } from "../parts/toasts.tsx";
import { AddressDays, AddressFilter, optionsOf } from "../parts/toolbar.tsx";
import { ReplayDialog } from "./action-dialogs.tsx";
import { TestButton } from "./endpoint-parts.tsx";
import { deliveriesQuery, webhookQueries } from "./queries.ts";
import { deliveryStatuses, eventTypes } from "./words.ts";

/** The filters of the address, and the part of the log that they ask for. */
export function useDeliveries(endpointId: string) {
  const { status, type, customer, cursor, from, to } = useSearch({
    from: "/shell/organizations/$organizationId/webhooks/$endpointId",
  });
  return useAnswer(deliveriesQuery, {
    ...{ endpointId, customerId: customer, cursor, limit: 25 },
    ...{ status: keyOf(deliveryStatuses, status), type: keyOf(eventTypes, type) },
    ...instantsOf({ from, to }),
  });
}

/** What was sent to an endpoint and what waits, with the last attempt of each. */
export function DeliveryLog({ endpoint, mayReplay }: { endpoint: AdminWebhook; mayReplay: boolean }) {
  const deliveries = useDeliveries(endpoint.endpointId);
  const [openId, setOpenId] = useState<string>();
  const open = deliveries.data?.deliveries.find(({ eventId }) => eventId === openId);
  return (
    <Section
      id="log"
      title="Deliveries"
      end={
        <DialogButton text="Resend events" look="sm end" isShown={mayReplay && endpoint.status === "enabled"}>
          <ReplayDialog endpoint={endpoint} />
        </DialogButton>
      }
    >
      <div className="toolbar">
        <CustomerFilter />
        <AddressFilter label="Status" name="status" options={optionsOf("Any status", deliveryStatuses)} />
        <AddressFilter
          label="Event"
          name="type"
          options={[
            { value: "", label: "Any event" },
            ...Object.keys(eventTypes).map((value) => ({ value, label: value })),
          ]}
        />
        <AddressDays label="Created" />
      </div>
      <Listing
        query={deliveries}
        rowsOf={(answer) => answer.deliveries}
        what="deliveries"
        empty={
          <Empty
            title="No deliveries yet"
            action={mayReplay && endpoint.status === "enabled" && <TestButton endpoint={endpoint} />}
          >
            Events are listed as they are sent, each with the endpoint’s response. Send test event event to
            see one.
          </Empty>
        }
      >
        {(rows, isOld) => (
          <Table
            look="rows"
            caption="Deliveries, those of the newest events first"
            rows={rows}
            idOf={({ eventId }) => eventId}
            isOld={isOld}
            columns={(column) => [
              column("Event", { isName: true }, (delivery) => (
                <>
                  <button type="button" className="cover mono" onClick={() => setOpenId(delivery.eventId)}>
                    {delivery.type}
                  </button>
                  <span className="sub phone">
                    {delivery.customerId !== null && <span className="mono">{delivery.customerId}, </span>}
                    {formatTime(delivery.createdAt)}
                  </span>
                </>
              )),
              column("Customer", { from: 2, look: "mono" }, ({ customerId }) => customerId),
              column("Created", { from: 1, look: "quiet" }, ({ createdAt }) => <Time at={createdAt} />),
              column("Attempts", { isNumber: true, from: 1 }, ({ attempts }) => formatCount(attempts)),
              column("Response", { from: 2, look: "quiet" }, answerOf),
              column("Status", {}, (delivery) => <DeliveryBadge status={delivery.status} />),
            ]}
          />
        )}
      </Listing>
      {open !== undefined && (
        <Closing value={() => setOpenId(undefined)}>
          <DeliveryDialog endpoint={endpoint} delivery={open} />
        </Closing>
      )}
    </Section>
  );
}

/** A delivery: what was sent, and how the endpoint answered. It can be sent again. */
function DeliveryDialog({ endpoint, delivery }: { endpoint: AdminWebhook; delivery: AdminWebhookDelivery }) {
  const organization = useOrganization();
  const mayReplay = useMay("keys") && endpoint.status === "enabled" && delivery.type !== "webhook.test";
  const { eventId, attemptedAt, nextAttemptAt, response } = delivery;
  return (
    <ActionDialog
      title={delivery.type}
      action={mayReplay ? "Resend" : undefined}
      failure="The event could not be resent."
      send={() => organization.webhooks.replay(endpoint.endpointId, { eventId })}
      untrue={webhookQueries}
      onDone={() => notify("Event queued again", "It keeps its ID, so that the endpoint can recognize it.")}
    >
      <Facts
        facts={[
          ["Status", <DeliveryBadge key="state" status={delivery.status} />],
          ["Attempts", formatCount(delivery.attempts)],
          ["Last response", answerOf(delivery)],
          ["Created", formatExact(delivery.createdAt)],
          ["Last attempt", attemptedAt !== null && formatExact(attemptedAt)],
          ["Next attempt", nextAttemptAt !== null && formatExact(nextAttemptAt)],
          ["Event ID", <CopyButton key="id" text={eventId} />],
          [
            "Customer",
            delivery.customerId !== null && <CopyButton key="customer" text={delivery.customerId} />,
          ],
        ]}
      />
      {response !== null && response !== "" && <RawText label="Response body" text={response} />}
      <RawText label="Payload" text={JSON.stringify(delivery.event, null, 2)} />
    </ActionDialog>
  );
}

/** What came of the last attempt, in a few words. */
function answerOf({ responseStatus, error, durationMs, attempts }: AdminWebhookDelivery): string {
  if (attempts === 0) return "not sent yet";
  const took = durationMs === null ? "" : `, ${formatCount(durationMs)} ms`;
  return `${responseStatus === null ? (error ?? "no response") : String(responseStatus)}${took}`;
}

function DeliveryBadge({ status }: { readonly status: string }) {
  if (status === "delivered") return <Fine>{deliveryStatuses.delivered}</Fine>;
  if (status === "given_up") return <Badge tone="bad">{deliveryStatuses.given_up}</Badge>;
  return (
    <Badge tone="warn" icon="clock">
      {status === "pending" ? deliveryStatuses.pending : status}
    </Badge>
  );
}
