import { useNavigate, useSearch } from "@tanstack/react-router";
import { useOrganizationId } from "../api/account.ts";
import { atPart } from "../parts/search-change.ts";

/** Which part of a list of this page, as its address says. */
export function useRecordsPart() {
  const organizationId = useOrganizationId();
  const search = useSearch({ from: "/shell/organizations/$organizationId/orders" });
  const { customer, cursor, from, to } = search;
  const part = { organizationId, customer, cursor, from, to };
  return { part, search, isFiltered: Object.keys(search).some((name) => name !== "show") };
}

/** Leads to another part of the list. */
export function useMove(): (cursor: string | undefined) => void {
  const navigate = useNavigate({ from: "/organizations/$organizationId/orders" });
  return (to) => void navigate({ search: (before) => atPart(before, to) });
}
