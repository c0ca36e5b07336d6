import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useCallback } from "react";
import { CsvLink } from "../parts/csv-link.tsx";
import { DaySpanFilter, instantsOf } from "../parts/day-span.tsx";
import { Filter, optionsOf } from "../parts/filter.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { filtered } from "../parts/search-change.ts";
import { invoiceStatuses, invoiceTypes, orderStatuses, orderTypes } from "./words.ts";

const route = "/shell/organizations/$organizationId/orders";

/** What is listed: whose, in which state, of which kind, of which days. The same goes into the file. */
export function RecordToolbar(): ReactNode {
  const search = useSearch({ from: route });
  const { show, status, type, customer, from, to } = search;
  const navigate = useNavigate({ from: "/organizations/$organizationId/orders" });
  const set = useCallback(
    (change: Readonly<Record<string, string | undefined>>) =>
      void navigate({ search: (before) => filtered(before, change), replace: true }),
    [navigate],
  );
  const find = useCallback((text: string) => set({ customer: text.trim() }), [set]);
  const list = show ?? "invoices";
  const statuses = list === "invoices" ? invoiceStatuses : orderStatuses;
  const types = list === "invoices" ? invoiceTypes : orderTypes;
  return (
    <div className="toolbar">
      <SearchBox label="Customer ID" value={customer ?? ""} onChange={find} />
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
