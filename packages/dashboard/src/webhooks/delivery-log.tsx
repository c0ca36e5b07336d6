import type { AdminWebhook } from "@creditgate/admin";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { Closing } from "../api/edit.ts";
import { useAnswer } from "../api/query.ts";
import { instantsOf, keyOf } from "../parts/address.ts";
import { formatCount } from "../parts/amounts.ts";
import { DialogButton } from "../parts/dialog-button.tsx";
import { Empty, Listing } from "../parts/listing.tsx";
import { Section } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";
import { formatTime, Time } from "../parts/time.tsx";
import { AddressDays, AddressFilter, optionsOf, SearchBox } from "../parts/toolbar.tsx";
import { ReplayDialog } from "./action-dialogs.tsx";
import { answerOf, DeliveryBadge, DeliveryDialog } from "./delivery-dialog.tsx";
import { deliveriesQuery } from "./queries.ts";
import { deliveryStatuses, eventTypes } from "./words.ts";

/** What was sent to an endpoint and what waits, with the last attempt of each. */
export function DeliveryLog({ endpoint, mayReplay }: { endpoint: AdminWebhook; mayReplay: boolean }) {
  const { status, type, customer, cursor, from, to } = useSearch({
    from: "/shell/organizations/$organizationId/webhooks/$endpointId",
  });
  const [openId, setOpenId] = useState<string>();
  const deliveries = useAnswer(deliveriesQuery, {
    ...{ endpointId: endpoint.endpointId, customerId: customer, cursor, limit: 25 },
    ...{ status: keyOf(deliveryStatuses, status), type: keyOf(eventTypes, type) },
    ...instantsOf({ from, to }),
  });
  const isFiltered = [status, type, customer, from, to].some((value) => value !== undefined);
  const open = deliveries.data?.deliveries.find(({ eventId }) => eventId === openId);
  return (
    <Section
      id="log"
      title="Deliveries"
      end={
        <DialogButton
          text="Send events again"
          look="sm end"
          isShown={mayReplay && endpoint.status === "enabled"}
        >
          <ReplayDialog endpoint={endpoint} />
        </DialogButton>
      }
    >
      <div className="toolbar">
        <SearchBox label="Customer ID" />
        <AddressFilter label="State" name="status" options={optionsOf("Any state", deliveryStatuses)} />
        <AddressFilter
          label="Event"
          name="type"
          options={[
            { value: "", label: "Any event" },
            ...Object.keys(eventTypes).map((value) => ({ value, label: value })),
          ]}
        />
        <AddressDays label="Happened" />
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
              column("Happened", { from: 1, look: "quiet" }, ({ createdAt }) => <Time at={createdAt} />),
              column("Attempts", { isNumber: true, from: 1 }, ({ attempts }) => formatCount(attempts)),
              column("Answer", { from: 2, look: "quiet" }, answerOf),
              column("State", {}, (delivery) => <DeliveryBadge status={delivery.status} />),
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
