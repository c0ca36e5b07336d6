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
export function spanOf(period: Period, now: number): { readonly from: string; readonly to: string } {
  const { unit, length } = periods[period];
  const end = (Math.floor(now / unitMs[unit]) + 1) * unitMs[unit];
  return {
    from: new Date(end - length * unitMs[unit]).toISOString(),
    to: new Date(end).toISOString(),
  };
}
