import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { admin } from "../api/client.ts";

/** The spans of time that the overview can show. */
export type Period = "24h" | "7d" | "30d" | "90d";

interface PeriodTerms {
  readonly label: string;
  /** "on the 30 days before". */
  readonly before: string;
  readonly unit: "hour" | "day";
  readonly length: number;
}

export const periods: Readonly<Record<Period, PeriodTerms>> = {
  "24h": { label: "24 h", before: "on the 24 hours before", unit: "hour", length: 24 },
  "7d": { label: "7 d", before: "on the 7 days before", unit: "day", length: 7 },
  "30d": { label: "30 d", before: "on the 30 days before", unit: "day", length: 30 },
  "90d": { label: "90 d", before: "on the 90 days before", unit: "day", length: 90 },
};

export const usualPeriod: Period = "30d";

export function isPeriod(value: unknown): value is Period {
  return typeof value === "string" && Object.hasOwn(periods, value);
}

const unitMs = { hour: 3_600_000, day: 86_400_000 };

/** From and to of a period whose last hour or day is the running one, as the service takes them. */
function spanOf(period: Period, now: number): { readonly from: string; readonly to: string } {
  const { unit, length } = periods[period];
  const end = (Math.floor(now / unitMs[unit]) + 1) * unitMs[unit];
  return {
    from: new Date(end - length * unitMs[unit]).toISOString(),
    to: new Date(end).toISOString(),
  };
}

const refreshMs = 30_000;

/** Those that have a table of their own; of these the first ones have a band in the chart. */
const top = 5;

export const usageSeriesQuery = (
  organizationId: string,
  {
    by,
    currency,
    period,
  }: { readonly by: "agent" | "customer"; readonly currency: string; readonly period: Period },
) =>
  queryOptions({
    queryKey: ["overview", organizationId, "usage", by, currency, period],
    queryFn: ({ signal }) =>
      admin.organization(organizationId).overview.usage(
        {
          by,
          credit_currency_key: currency,
          unit: periods[period].unit,
          ...spanOf(period, Date.now()),
          top,
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });

export const refusalsQuery = (organizationId: string, period: Period) =>
  queryOptions({
    queryKey: ["overview", organizationId, "refusals", period],
    queryFn: ({ signal }) =>
      admin.organization(organizationId).overview.refusals(spanOf(period, Date.now()), { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });

export const settlementAgesQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["overview", organizationId, "ages"],
    queryFn: ({ signal }) => admin.organization(organizationId).overview.settlementAges({ signal }),
    refetchInterval: refreshMs,
  });

export const attentionQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["overview", organizationId, "attention"],
    queryFn: ({ signal }) => admin.organization(organizationId).overview.attention({ signal }),
    refetchInterval: refreshMs,
  });

/** How the gates are, and how they have decided in a day. */
export const gateStatesQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["overview", organizationId, "gates"],
    queryFn: ({ signal }) => admin.organization(organizationId).gates.list({ minutes: 1_440 }, { signal }),
    refetchInterval: refreshMs,
  });

/** The wallets that came last to their end, or near it. */
export const urgentWalletsQuery = (organizationId: string, urgency: "exhausted" | "low") =>
  queryOptions({
    queryKey: ["overview", organizationId, "urgent", urgency],
    queryFn: ({ signal }) =>
      admin.organization(organizationId).overview.urgentWallets.list({ urgency, limit: 3 }, { signal }),
    refetchInterval: refreshMs,
  });
