import { useSearch } from "@tanstack/react-router";
import { useOrganizationId } from "../api/account.ts";
import { instantsOf } from "../parts/address.ts";
import { CsvLink, DaySpanFilter, Filter, optionsOf, SearchBox, useFilters } from "../parts/toolbar.tsx";
import { invoiceStatuses, invoiceTypes, orderStatuses, orderTypes } from "./words.ts";

const route = "/shell/organizations/$organizationId/orders";

/** The part of a list that the page's address names. */
export function useRecordsPart() {
  const organizationId = useOrganizationId();
  const search = useSearch({ from: route });
  const { customer, cursor, from, to } = search;
  const part = { organizationId, customer, cursor, from, to };
  return { part, search, isFiltered: Object.keys(search).some((name) => name !== "show") };
}

/** Filters of the list, which hold for its file, too. */
export function RecordToolbar() {
  const { show, status, type, customer, from, to } = useSearch({ from: route });
  const { set } = useFilters();
  const list = show ?? "invoices";
  const statuses = list === "invoices" ? invoiceStatuses : orderStatuses;
  const types = list === "invoices" ? invoiceTypes : orderTypes;
  return (
    <div className="toolbar">
      <SearchBox label="Customer ID" value={customer} onChange={(text) => set({ customer: text.trim() })} />
      {list !== "credit-notes" && (
        <>
          <Filter
            label="State"
            value={status ?? ""}
            options={optionsOf("Any state", statuses)}
            onChange={(chosen) => set({ status: chosen })}
          />
          <Filter
            label="Type"
            value={type ?? ""}
            options={optionsOf("Any type", types)}
            onChange={(chosen) => set({ type: chosen })}
          />
        </>
      )}
      <DaySpanFilter label="Made" span={{ from, to }} onChange={(span) => set({ ...span })} />
      <div className="end">
        <CsvLink list={list} query={{ customer_id: customer, status, type, ...instantsOf({ from, to }) }} />
      </div>
    </div>
  );
}
