import type { AdminWebhook } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { keyOf } from "../parts/address.ts";
import { formatCount } from "../parts/amounts.ts";
import { TextButton } from "../parts/button.tsx";
import { Empty, Listing } from "../parts/listing.tsx";
import { Section } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";
import { formatTime, Time } from "../parts/time.tsx";
import { DaySpanFilter, Filter, optionsOf, SearchBox, useFilters } from "../parts/toolbar.tsx";
import { answerOf, DeliveryBadge, DeliveryDialog } from "./delivery-dialog.tsx";
import { deliveriesQuery } from "./queries.ts";
import { deliveryStatuses, eventTypes } from "./words.ts";

/** What was sent to an endpoint and what waits, with the last attempt of each. */
export function DeliveryLog({
  endpoint,
  onReplay,
}: {
  readonly endpoint: AdminWebhook;
  /** Absent for those who may not. */
  readonly onReplay: (() => void) | undefined;
}) {
  const organizationId = useOrganizationId();
  const { endpointId } = endpoint;
  const { status, type, customer, cursor, from, to } = useSearch({
    from: "/shell/organizations/$organizationId/webhooks/$endpointId",
  });
  const { set, move } = useFilters();
  const [openId, setOpenId] = useState<string>();
  const deliveries = useQuery(
    deliveriesQuery({
      ...{ organizationId, endpointId, customer, cursor, from, to },
      status: keyOf(deliveryStatuses, status),
      type: keyOf(eventTypes, type),
    }),
  );
  const isFiltered = [status, type, customer, from, to].some((value) => value !== undefined);
  const open = deliveries.data?.deliveries.find(({ eventId }) => eventId === openId);
  return (
    <Section
      id="log"
      title="Deliveries"
      end={
        onReplay !== undefined &&
        endpoint.status === "enabled" && (
          <TextButton text="Send events again" look="sm end" onPress={onReplay} />
        )
      }
    >
      <div className="toolbar">
        <SearchBox label="Customer ID" value={customer} onChange={(text) => set({ customer: text.trim() })} />
        <Filter
          label="State"
          value={status ?? ""}
          options={optionsOf("Any state", deliveryStatuses)}
          onChange={(chosen) => set({ status: chosen })}
        />
        <Filter
          label="Event"
          value={type ?? ""}
          options={[
            { value: "", label: "Any event" },
            ...Object.keys(eventTypes).map((value) => ({ value, label: value })),
          ]}
          onChange={(chosen) => set({ type: chosen })}
        />
        <DaySpanFilter label="Happened" span={{ from, to }} onChange={(span) => set({ ...span })} />
      </div>
      <Listing
        query={deliveries}
        rowsOf={(answer) => answer.deliveries}
        failure="The deliveries could not be loaded."
        empty={
          <Empty title={isFiltered ? "No such delivery" : "Nothing was sent yet"}>
            {isFiltered
              ? "No delivery passes these filters. The ID of a customer must be whole."
              : "What happens comes here as it is sent, with what the endpoint answered. Send a test to see it."}
          </Empty>
        }
        cursor={cursor}
        onMove={move}
      >
        {(rows, isOld) => (
          <Table
            look="rows"
            caption="Deliveries, those of the newest events first"
            rows={rows}
            idOf={({ eventId }) => eventId}
            isOld={isOld}
            columns={[
              {
                header: "Event",
                isName: true,
                cell: (delivery) => (
                  <>
                    <button type="button" className="cover mono" onClick={() => setOpenId(delivery.eventId)}>
                      {delivery.type}
                    </button>
                    <span className="sub phone">
                      {delivery.customer_id !== null && (
                        <span className="mono">{delivery.customer_id}, </span>
                      )}
                      {formatTime(delivery.createdAt)}
                    </span>
                  </>
                ),
              },
              { header: "Customer", from: 2, look: "mono", cell: ({ customer_id }) => customer_id },
              {
                header: "Happened",
                from: 1,
                look: "quiet",
                cell: ({ createdAt }) => <Time at={createdAt} />,
              },
              { header: "Attempts", isNumber: true, from: 1, cell: ({ attempts }) => formatCount(attempts) },
              { header: "Answer", from: 2, look: "quiet", cell: answerOf },
              { header: "State", cell: (delivery) => <DeliveryBadge status={delivery.status} /> },
            ]}
          />
        )}
      </Listing>
      {open !== undefined && (
        <DeliveryDialog endpoint={endpoint} delivery={open} onClose={() => setOpenId(undefined)} />
      )}
    </Section>
  );
}
