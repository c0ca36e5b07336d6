import type { Selectable } from "kysely";
import type { DocumentNames, InvoicesTable } from "../database/order-tables.ts";
import { formatCredits, formatMoney, formatPrice, grouped } from "../money/decimal.ts";
import type { Benefit } from "../orders/record.ts";

/** A row of a document's table, as it is read. */
export interface DocumentLine {
  readonly description: string;
  readonly detail?: string;
  readonly quantity: string;
  /** Of one, in the money of the document. */
  readonly price?: string;
  readonly amount?: string;
}

/** What is ordered, as it is read. */
export interface OrderedItem {
  /** `null` for credits alone. */
  readonly agentId: string | null;
  /** Minor units. */
  readonly fee: bigint | null;
  readonly credits: readonly Benefit[];
}

export function orderLines(
  items: readonly OrderedItem[],
  { currency, names }: Pick<Selectable<InvoicesTable>, "currency" | "names">,
): readonly DocumentLine[] {
  return items.map(({ agentId, fee, credits }) => {
    const included = creditsText(credits, names);
    const price = fee === null || currency === null ? undefined : formatMoney(fee, currency);
    if (agentId === null) return { description: included, quantity: "1", ...priced(price) };
    const description = names.agents[agentId] ?? agentId;
    const detail = credits.length === 0 ? {} : { detail: `includes ${included}` };
    return { description, ...detail, quantity: "1", ...priced(price) };
  });
}

function priced(price: string | undefined): Pick<DocumentLine, "price" | "amount"> {
  return price === undefined ? {} : { price, amount: price };
}

/** What was used in a period: a line for each span that had a price of its own. */
export function periodLines(invoice: Selectable<InvoicesTable>, timeZone: string): readonly DocumentLine[] {
  const { credit_currency, credits, currency, amount, names, parts, period_start, period_end } = invoice;
  if (credit_currency === null || credits === null || period_start === null || period_end === null)
    throw new TypeError(`Invoice ${invoice.invoice_id} is of no period.`);
  const description = `Use of ${names.currencies[credit_currency] ?? credit_currency}`;
  if (currency === null || amount === null || parts === null) {
    const quantity = quantityOf(credits);
    const money = currency === null || amount === null ? {} : { amount: formatMoney(amount, currency) };
    return [{ description, detail: spanOf(period_start, period_end, timeZone), quantity, ...money }];
  }
  return parts.map((part, index) => {
    const next = parts[index + 1];
    const until = next === undefined ? period_end : new Date(next.since);
    return {
      description,
      detail: spanOf(new Date(part.since), until, timeZone),
      quantity: quantityOf(BigInt(part.credits)),
      price: formatPrice(part.unitAmount, currency),
      amount: formatMoney(BigInt(part.amount), currency),
    };
  });
}

/** Credits in words: `100 AI credits each month, 20 voice_credits`. */
export function creditsText(credits: readonly Benefit[], names: DocumentNames): string {
  return credits
    .map((benefit) => {
      const { currency, amount } = benefit;
      return `${quantityOf(amount)} ${names.currencies[currency] ?? currency}${termsOf(benefit)}`;
    })
    .join(", ");
}

function termsOf({ every, expires_in_days: days }: Benefit): string {
  if (every != null) return ` each ${every}`;
  return days == null ? "" : ` for ${days} ${days === 1 ? "day" : "days"}`;
}

function quantityOf(credits: bigint): string {
  return grouped(formatCredits(credits));
}

/** An instant as the day that it is in a time zone: `1 January 2026`. */
export function dayOf(instant: Date, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone }).format(instant);
}

/**
 * A span as the days from its first to its last: its end is not in it. Where it does not begin or end at midnight, as a
 * period that was closed by hand, it says when.
 */
export function spanOf(start: Date, end: Date, timeZone: string): string {
  const last = new Date(end.getTime() - 1);
  const from = momentOf(start, start, timeZone);
  const to = momentOf(end, last, timeZone);
  return from === to ? from : `${from} to ${to}`;
}

function momentOf(instant: Date, day: Date, timeZone: string): string {
  if (isMidnight(instant, timeZone)) return dayOf(day, timeZone);
  return `${dayOf(instant, timeZone)}, ${timeOf(instant, timeZone)}`;
}

function isMidnight(instant: Date, timeZone: string): boolean {
  return timeOf(instant, timeZone) === "00:00" && instant.getTime() % 60_000 === 0;
}

function timeOf(instant: Date, timeZone: string): string {
  const format = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone } as const;
  return new Intl.DateTimeFormat("en-GB", format).format(instant);
}
