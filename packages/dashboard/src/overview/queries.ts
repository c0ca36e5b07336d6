import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { admin } from "../api/client.ts";
import { type Period, periods, spanOf } from "./period.ts";

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
