import type { AdminCustomer, AdminLedgerEntry, CustomerListAnswer } from "@creditgate/client/admin";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { admin } from "../api/client.ts";

const pageSize = 25;

export interface CustomersPart {
  readonly organizationId: string;
  readonly search?: string | undefined;
  readonly cursor?: string | undefined;
}

export const customersQuery = ({ organizationId, search, cursor }: CustomersPart) =>
  queryOptions({
    queryKey: ["customers", organizationId, search ?? "", cursor ?? ""],
    queryFn: ({ signal }): Promise<CustomerListAnswer> =>
      admin.organization(organizationId).customers.list({ search, cursor, limit: pageSize }, { signal }),
    placeholderData: keepPreviousData,
  });

export const currenciesQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["currencies", organizationId],
    queryFn: ({ signal }) => admin.organization(organizationId).currencies.list({ signal }),
    staleTime: 30_000,
  });

export const customerQuery = (organizationId: string, customerId: string) =>
  queryOptions({
    queryKey: ["customer", organizationId, customerId],
    queryFn: ({ signal }): Promise<AdminCustomer> =>
      admin.organization(organizationId).customers.get(customerId, { signal }),
    refetchInterval: 10_000,
  });

/** The entries of a wallet, the newest first, part by part. */
export const ledgerQuery = (organizationId: string, customerId: string, currency: string) =>
  infiniteQueryOptions({
    queryKey: ["ledger", organizationId, customerId, currency],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      admin.organization(organizationId).ledger.list(
        {
          customer_id: customerId,
          credit_currency_key: currency,
          limit: 100,
          ...(pageParam === undefined ? {} : { cursor: pageParam }),
        },
        { signal },
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
    select: ({ pages }): readonly AdminLedgerEntry[] => pages.flatMap(({ entries }) => entries),
  });

/** What a change of money makes untrue: all that shows this customer. */
export function customerKeys(organizationId: string, customerId: string): readonly (readonly string[])[] {
  return [
    ["customer", organizationId, customerId],
    ["customers", organizationId],
    ["ledger", organizationId, customerId],
  ];
}
