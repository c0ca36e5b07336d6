import { useSearch } from "@tanstack/react-router";
import { CustomerFilter } from "../customers/customer-picker.tsx";
import { instantsOf } from "../parts/address.ts";
import { AddressDays, AddressFilter, CsvLink, optionsOf } from "../parts/toolbar.tsx";
import { invoiceStatuses, invoiceTypes, orderStatuses, orderTypes } from "./words.ts";

const route = "/shell/organizations/$organizationId/orders";

/** The part of a list that the page's address names. */
export function useRecordsPart() {
  const search = useSearch({ from: route });
  const { customer, cursor, from, to } = search;
  return { part: { customer, cursor, from, to }, search };
}

/** Filters of the list, which hold for its file, too. */
export function RecordToolbar() {
  const { show, status, type, customer, from, to } = useSearch({ from: route });
  const list = show ?? "invoices";
  const statuses = list === "invoices" ? invoiceStatuses : orderStatuses;
  const types = list === "invoices" ? invoiceTypes : orderTypes;
  return (
    <div className="toolbar">
      <CustomerFilter />
      {list !== "credit-notes" && (
        <>
          <AddressFilter label="Status" name="status" options={optionsOf("Any status", statuses)} />
          <AddressFilter label="Type" name="type" options={optionsOf("Any type", types)} />
        </>
      )}
      <AddressDays label={list === "orders" ? "Created" : "Issued"} />
      <div className="end">
        <CsvLink list={list} query={{ customerId: customer, status, type, ...instantsOf({ from, to }) }} />
      </div>
    </div>
  );
}
