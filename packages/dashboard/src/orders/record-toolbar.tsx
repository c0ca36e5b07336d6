import { useSearch } from "@tanstack/react-router";
import { instantsOf } from "../parts/address.ts";
import { AddressDays, AddressFilter, CsvLink, optionsOf, SearchBox } from "../parts/toolbar.tsx";
import { invoiceStatuses, invoiceTypes, orderStatuses, orderTypes } from "./words.ts";

const route = "/shell/organizations/$organizationId/orders";

/** The part of a list that the page's address names. */
export function useRecordsPart() {
  const search = useSearch({ from: route });
  const { customer, cursor, from, to } = search;
  const part = { customer, cursor, from, to };
  return { part, search, isFiltered: Object.keys(search).some((name) => name !== "show") };
}

/** Filters of the list, which hold for its file, too. */
export function RecordToolbar() {
  const { show, status, type, customer, from, to } = useSearch({ from: route });
  const list = show ?? "invoices";
  const statuses = list === "invoices" ? invoiceStatuses : orderStatuses;
  const types = list === "invoices" ? invoiceTypes : orderTypes;
  return (
    <div className="toolbar">
      <SearchBox label="Customer ID" />
      {list !== "credit-notes" && (
        <>
          <AddressFilter label="State" name="status" options={optionsOf("Any state", statuses)} />
          <AddressFilter label="Type" name="type" options={optionsOf("Any type", types)} />
        </>
      )}
      <AddressDays label="Made" />
      <div className="end">
        <CsvLink list={list} query={{ customerId: customer, status, type, ...instantsOf({ from, to }) }} />
      </div>
    </div>
  );
}
