import type {
  AdminCustomer,
  AdminLedgerEntry,
  CustomerListAnswer,
  UsageListAnswer,
  UsageSum,
  VoiceSessionListAnswer,
} from "@creditgate/client/admin";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { admin } from "../api/client.ts";
import type { Month } from "./month.ts";

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

/** What a customer has used of a currency this month. */
export const monthSumsQuery = ({
  organizationId,
  customerId,
  currency,
  month: { from, to },
  by,
}: {
  readonly organizationId: string;
  readonly customerId: string;
  readonly currency: string;
  readonly month: Month;
  readonly by: "day" | "indicator";
}) =>
  queryOptions({
    queryKey: ["usage-sums", organizationId, customerId, currency, by, to],
    async queryFn({ signal }): Promise<readonly UsageSum[]> {
      const query = { by, from, to, customer_id: customerId, credit_currency_key: currency };
      const { sums } = await admin.organization(organizationId).usage.sums.list(query, { signal });
      return sums;
    },
    refetchInterval: 10_000,
  });

/** A part of what belongs to a customer. */
interface CustomerPart {
  readonly organizationId: string;
  readonly customerId: string;
  readonly cursor: string | undefined;
}

export const usageQuery = ({ organizationId, customerId, cursor }: CustomerPart) =>
  queryOptions({
    queryKey: ["usage", organizationId, customerId, cursor ?? ""],
    queryFn: ({ signal }): Promise<UsageListAnswer> =>
      admin
        .organization(organizationId)
        .usage.list({ customer_id: customerId, cursor, limit: pageSize }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  });

export const voiceSessionsQuery = ({ organizationId, customerId, cursor }: CustomerPart) =>
  queryOptions({
    queryKey: ["voice-sessions", organizationId, customerId, cursor ?? ""],
    queryFn: ({ signal }): Promise<VoiceSessionListAnswer> =>
      admin
        .organization(organizationId)
        .voiceSessions.list({ customer_id: customerId, cursor, limit: pageSize }, { signal }),
    placeholderData: keepPreviousData,
  });

/** What a change of money makes untrue: all that shows this customer. */
export function customerKeys(organizationId: string, customerId: string): readonly (readonly string[])[] {
  return [
    ["customer", organizationId, customerId],
    ["customers", organizationId],
    ["ledger", organizationId, customerId],
    ["usage", organizationId, customerId],
    ["usage-sums", organizationId, customerId],
  ];
}
