import type { AdminOrderCreateRequest } from "@creditgate/admin";
import { formatCredits } from "../parts/amounts.ts";
import { daysFromNow, formatDay } from "../parts/time.tsx";

/** Credits of an order, as they are sent. */
export type OrderBenefit = NonNullable<
  AdminOrderCreateRequest["lineItems"][number]["creditBenefits"]
>[number];

/** How long the credits of an order last. */
export const validities = {
  forever: "Never expire",
  days: "Expire",
  day: "Renew daily",
  week: "Renew weekly",
  month: "Renew monthly",
} as const;

export type Validity = keyof typeof validities;

/** How often credits recur that are of this validity. */
export function periodOf(validity: Validity): OrderBenefit["every"] {
  return validity === "forever" || validity === "days" ? undefined : validity;
}

/** What of its terms an order shows. */
interface Terms {
  readonly expiresInDays?: number | undefined;
  readonly every?: string | undefined;
  readonly rollover?: number | undefined;
}

/** How long credits last: "for 30 days", or "each month, up to 50.00 stay for one more". Without an end `undefined`. */
export function formatTerms({ expiresInDays: days, every, rollover = 0 }: Terms): string | undefined {
  if (every !== undefined)
    return `each ${every}${rollover > 0 ? `, up to ${formatCredits(rollover)} roll over` : ""}`;
  return days === undefined ? undefined : `for ${daysOf(days)}`;
}

/** What of credits a customer gets, and when: in a sentence. Days of periods are those of the time zone. */
export function formatGiven(
  { credits, credit_currency_key: currency, expiresInDays: days, every, rollover = 0 }: OrderBenefit,
  { isPaid, timeZone }: { readonly isPaid: boolean; readonly timeZone: string },
): string {
  const amount = formatCredits(credits);
  const first = `${amount} ${currency} ${isPaid ? "are available immediately" : "are pending until payment"}`;
  if (days !== undefined)
    return `${first} and expire ${isPaid ? `on ${formatDay(daysFromNow(days))}` : `${daysOf(days)} later`}.`;
  if (every === undefined) return `${first}.`;
  const from = isPaid ? ` from ${formatDay(secondPeriod(every, timeZone).toISOString())} on` : "";
  const left =
    rollover > 0
      ? `up to ${formatCredits(rollover)} unused credits roll over for one ${every}`
      : "unused credits expire";
  return `${first}, then ${amount} each ${every}${from}; ${left}.`;
}

function daysOf(days: number): string {
  return days === 1 ? "1 day" : `${days} days`;
}

/** The day on which the second period begins of credits that recur from now on: at most the 28th, as the control plane has it. */
export function secondPeriod(
  every: NonNullable<OrderBenefit["every"]>,
  timeZone: string,
  now: Date = new Date(),
): Date {
  // In Swedish a day is written as in ISO 8601.
  const today = new Intl.DateTimeFormat("sv", { dateStyle: "short", timeZone }).format(now);
  const [year = 0, month = 0, day = 0] = today.split("-").map(Number);
  if (every === "month") return new Date(Date.UTC(year, month, Math.min(day, 28)));
  return new Date(Date.UTC(year, month - 1, day + (every === "week" ? 7 : 1)));
}
