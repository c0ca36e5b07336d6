import type { AdminLedgerEntry, UsageSum } from "@creditgate/admin";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { admin } from "../api/client.ts";
import type { QueryKeys } from "../api/edit.ts";

/** The running month, by UTC, whose usage is summed. */
export interface Month {
  /** "November". */
  readonly name: string;
  /** Its first instant, and that of tomorrow: sums are of whole days. */
  readonly from: string;
  readonly to: string;
  /** Its days up to today, as `2026-11-01`. */
  readonly days: readonly string[];
}

const dayMs = 24 * 60 * 60 * 1_000;
const names = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" });

export function monthOf(now: Date): Month {
  const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  const today = now.getUTCDate();
  return {
    name: names.format(now),
    from: new Date(first).toISOString(),
    to: new Date(first + today * dayMs).toISOString(),
    days: Array.from({ length: today }, (_, day) => new Date(first + day * dayMs).toISOString().slice(0, 10)),
  };
}

const pageSize = 25;

export interface CustomersPart {
  readonly organizationId: string;
  readonly search?: string | undefined;
  readonly cursor?: string | undefined;
}

export const customersQuery = ({ organizationId, search, cursor }: CustomersPart) =>
  queryOptions({
    queryKey: ["customers", organizationId, search ?? "", cursor ?? ""],
    queryFn: ({ signal }) =>
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
    queryFn: ({ signal }) => admin.organization(organizationId).customers.get(customerId, { signal }),
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
    queryFn: ({ signal }) =>
      admin
        .organization(organizationId)
        .usage.list({ customer_id: customerId, cursor, limit: pageSize }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  });

export const voiceSessionsQuery = ({ organizationId, customerId, cursor }: CustomerPart) =>
  queryOptions({
    queryKey: ["voice-sessions", organizationId, customerId, cursor ?? ""],
    queryFn: ({ signal }) =>
      admin
        .organization(organizationId)
        .voiceSessions.list({ customer_id: customerId, cursor, limit: pageSize }, { signal }),
    placeholderData: keepPreviousData,
  });

/** What a change of money makes untrue: all that shows this customer. */
export function customerKeys(organizationId: string, customerId: string): QueryKeys {
  return [
    ["customer", organizationId, customerId],
    ["customers", organizationId],
    ["ledger", organizationId, customerId],
    ["usage", organizationId, customerId],
    ["usage-sums", organizationId, customerId],
  ];
}
