import type { AdminWebhook, AdminWebhookDelivery } from "@creditgate/client/admin";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useCallback, useState } from "react";
import { Button } from "react-aria-components";
import { useOrganizationId } from "../api/account.ts";
import { formatCount } from "../parts/credits.ts";
import { DaySpanFilter } from "../parts/day-span.tsx";
import { Empty } from "../parts/empty.tsx";
import { Filter, optionsOf } from "../parts/filter.tsx";
import { keyOf } from "../parts/key-of.ts";
import { Listing } from "../parts/listing.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { atPart, filtered } from "../parts/search-change.ts";
import { formatExact, formatTime } from "../parts/time.tsx";
import { DeliveryDialog } from "./delivery-dialog.tsx";
import { answerOf, DeliveryBadge } from "./delivery-state.tsx";
import { deliveriesQuery } from "./queries.ts";
import { deliveryStatuses, eventTypes } from "./words.ts";

const route = "/shell/organizations/$organizationId/webhooks/$endpointId";
const path = "/organizations/$organizationId/webhooks/$endpointId";

/** What was sent to an endpoint and what waits, with the last attempt of each. */
export function DeliveryLog({
  endpoint,
  onReplay,
}: {
  readonly endpoint: AdminWebhook;
  /** Absent for those who may not. */
  readonly onReplay: (() => void) | undefined;
}): ReactNode {
  const organizationId = useOrganizationId();
  const { endpointId } = endpoint;
  const { status, type, customer, cursor, from, to } = useSearch({ from: route });
  const navigate = useNavigate({ from: path });
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
    <section className="section" aria-labelledby="log">
      <header>
        <h2 id="log">Deliveries</h2>
        {onReplay !== undefined && endpoint.status === "enabled" && (
          <Button className="btn sm end" onPress={onReplay}>
            Send events again
          </Button>
        )}
      </header>
      <LogToolbar />
      <Listing
        query={deliveries}
        rowsOf={(answer) => answer.deliveries}
        failure="The deliveries could not be loaded."
        empty={
          <Empty title={isFiltered ? "No such delivery" : "Nothing was sent yet"}>
            <p>
              {isFiltered
                ? "No delivery passes these filters. The ID of a customer must be whole."
                : "What happens comes here as it is sent, with what the endpoint answered. Send a test to see it."}
            </p>
          </Empty>
        }
        cursor={cursor}
        onMove={(next) => void navigate({ search: (before) => atPart(before, next) })}
      >
        {(rows, isOld) => <Table deliveries={rows} isOld={isOld} onOpen={setOpenId} />}
      </Listing>
      {open !== undefined && (
        <DeliveryDialog endpoint={endpoint} delivery={open} onClose={() => setOpenId(undefined)} />
      )}
    </section>
  );
}

function LogToolbar(): ReactNode {
  const { status, type, customer, from, to } = useSearch({ from: route });
  const navigate = useNavigate({ from: path });
  const set = useCallback(
    (change: Readonly<Record<string, string | undefined>>) =>
      void navigate({ search: (before) => filtered(before, change), replace: true, resetScroll: false }),
    [navigate],
  );
  const find = useCallback((text: string) => set({ customer: text.trim() }), [set]);
  return (
    <div className="toolbar">
      <SearchBox label="Customer ID" value={customer ?? ""} onChange={find} />
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
  );
}

function Table({
  deliveries,
  isOld,
  onOpen,
}: {
  readonly deliveries: readonly AdminWebhookDelivery[];
  readonly isOld: boolean;
  readonly onOpen: (eventId: string) => void;
}): ReactNode {
  return (
    <table className="rows" aria-busy={isOld}>
      <caption className="unseen">Deliveries, those of the newest events first</caption>
      <thead>
        <tr>
          <th scope="col">Event</th>
          <th scope="col" className="p2">
            Customer
          </th>
          <th scope="col" className="p1">
            Happened
          </th>
          <th scope="col" className="r p1">
            Attempts
          </th>
          <th scope="col" className="p2">
            Answer
          </th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <tr key={delivery.eventId}>
            <th scope="row">
              <button type="button" className="cover mono" onClick={() => onOpen(delivery.eventId)}>
                {delivery.type}
              </button>
              <span className="sub phone">
                {delivery.customer_id !== null && <span className="mono">{delivery.customer_id}, </span>}
                {formatTime(delivery.createdAt)}
              </span>
            </th>
            <td className="p2 mono">{delivery.customer_id}</td>
            <td className="quiet p1">
              <time dateTime={delivery.createdAt} title={formatExact(delivery.createdAt)}>
                {formatTime(delivery.createdAt)}
              </time>
            </td>
            <td className="r p1">{formatCount(delivery.attempts)}</td>
            <td className="p2 quiet">{answerOf(delivery)}</td>
            <td>
              <DeliveryBadge status={delivery.status} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
