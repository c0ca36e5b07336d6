import type { SettlementState } from "@creditgate/admin";
import { organizationQuery } from "../api/query.ts";
import { formatCount } from "../parts/amounts.ts";
import { formatDuration } from "../parts/time.tsx";

/** The spans of time that the overview can show. */
export type Period = "24h" | "7d" | "30d" | "90d";

interface PeriodTerms {
  readonly label: string;
  /** "vs. previous 30 days". */
  readonly before: string;
  readonly unit: "hour" | "day";
  readonly length: number;
}

export const periods: Readonly<Record<Period, PeriodTerms>> = {
  "24h": { label: "24 h", before: "vs. previous 24 hours", unit: "hour", length: 24 },
  "7d": { label: "7 d", before: "vs. previous 7 days", unit: "day", length: 7 },
  "30d": { label: "30 d", before: "vs. previous 30 days", unit: "day", length: 30 },
  "90d": { label: "90 d", before: "vs. previous 90 days", unit: "day", length: 90 },
};

export const usualPeriod: Period = "30d";

const unitMs = { hour: 3_600_000, day: 86_400_000 };

/** From and to of a period whose last hour or day is the running one, as the service takes them. */
function spanOf(period: Period, now: number): { readonly from: string; readonly to: string } {
  const { unit, length } = periods[period];
  const end = (Math.floor(now / unitMs[unit]) + 1) * unitMs[unit];
  return { from: new Date(end - length * unitMs[unit]).toISOString(), to: new Date(end).toISOString() };
}

const refetchInterval = 30_000;

/** Those that have a table of their own; of these the first ones have a band in the chart. */
const top = 5;

export const usageSeriesQuery = organizationQuery(
  "overview-usage",
  ({ overview }, options, by: "agent" | "customer", creditCurrencyKey: string, period: Period) =>
    overview.usage(
      { by, creditCurrencyKey, unit: periods[period].unit, ...spanOf(period, Date.now()), top },
      options,
    ),
  { keepsLast: true, refetchInterval },
);

export const refusalsQuery = organizationQuery(
  "overview-refusals",
  ({ overview }, options, period: Period) => overview.refusals(spanOf(period, Date.now()), options),
  { keepsLast: true, refetchInterval },
);

export const settlementAgesQuery = organizationQuery(
  "overview-ages",
  ({ overview }, options) => overview.settlementAges(options),
  { refetchInterval },
);

export const attentionQuery = organizationQuery(
  "overview-attention",
  ({ overview }, options) => overview.attention(options),
  { refetchInterval },
);

/** How the gates are, and how they have decided in a day. */
export const gateStatesQuery = organizationQuery(
  "overview-gates",
  ({ gates }, options) => gates.list({ minutes: 1_440 }, options),
  { refetchInterval },
);

/** The wallets that came last to their end, or near it. */
export const urgentWalletsQuery = organizationQuery(
  "overview-urgent",
  ({ overview }, options, urgency: "exhausted" | "low") =>
    overview.urgentWallets.list({ urgency, limit: 3 }, options),
  { refetchInterval },
);

/** What is accepted and not settled yet; shown on each page. */
export const settlementQuery = organizationQuery(
  "settlement",
  ({ overview }, options) => overview.settlement(options),
  { refetchInterval: 10_000 },
);

/** "127 reports unsettled, oldest 41 s". */
export function describeWaiting({ waiting, more, dueSince }: SettlementState, now: number): string {
  if (waiting === 0 || dueSince === null) return "All usage settled";
  const number = `${formatCount(waiting)}${more ? " or more" : ""}`;
  const words = waiting === 1 ? "report unsettled" : "reports unsettled";
  const age = now - Date.parse(dueSince);
  return `${number} ${words}${age >= 1_000 ? `, oldest ${formatDuration(age)}` : ""}`;
}
