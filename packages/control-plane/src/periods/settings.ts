import { type RawBuilder, sql } from "kysely";
import type { BillingPeriod } from "../database/tables.ts";

export const billingPeriods: readonly ["daily", "weekly", "monthly"] = ["daily", "weekly", "monthly"];

/** When periods end. An organisation may have settings of its own; the server's hold for what it leaves open. */
export interface PeriodSettings {
  readonly period: BillingPeriod;
  /** The day on which periods begin: of the month, 1 to 28, or of the week, 1 for Monday to 7. */
  readonly anchor: number;
  /** An IANA name, such as `Europe/Amsterdam`. */
  readonly timeZone: string;
}

export const defaultPeriodSettings: PeriodSettings = { period: "monthly", anchor: 1, timeZone: "UTC" };

const shortNames = /^(?:UTC|UCT|GMT|WET|CET|MET|EET|EST|MST|HST|PRC|ROC|ROK)$/i;

/** Whether the name is one of a time zone, for JavaScript; PostgreSQL knows the same ones. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    // Offsets are no names: their sign is read the other way round by PostgreSQL. It does not know most short names, or takes
    // them for others, as IST, which is India's here and Israel's there.
    return /^[A-Za-z]/.test(name) && (!/^[A-Za-z]{3}$/.test(name) || shortNames.test(name));
  } catch {
    return false;
  }
}

/**
 * When the period of an organisation began that the instant is in. PostgreSQL computes it, by its calendar.
 */
export function periodStart(defaults: PeriodSettings, at: Date): RawBuilder<Date> {
  return boundary(defaults, at, 0);
}

/** When the period after it begins. */
export function nextPeriodStart(defaults: PeriodSettings, at: Date): RawBuilder<Date> {
  return boundary(defaults, at, 1);
}

function boundary(defaults: PeriodSettings, at: Date, periodsLater: 0 | 1): RawBuilder<Date> {
  return sql<Date>`period_start(
    case coalesce(organizations.billing_period, ${defaults.period}::text)
      when 'daily' then 'day' when 'weekly' then 'week' else 'month' end,
    coalesce(organizations.billing_anchor, ${defaults.anchor}::integer),
    coalesce(organizations.time_zone, ${defaults.timeZone}::text), ${at}::timestamptz, ${periodsLater}::integer)`;
}
