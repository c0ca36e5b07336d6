import { describe, expect, it } from "vitest";
import { formatGiven, formatTerms, type OrderBenefit, secondPeriod } from "../src/orders/benefit-terms.ts";

/** A day as the dashboard writes it. */
function shown(at: Date): string {
  const isThisYear = at.getUTCFullYear() === new Date().getUTCFullYear();
  const year = isThisYear ? {} : ({ year: "numeric" } as const);
  return at.toLocaleDateString("en-GB", { day: "numeric", month: "short", ...year, timeZone: "UTC" });
}

describe("the credits of an order", () => {
  it.each([
    ["day", "UTC", "2026-12-31T12:00:00Z", "2027-01-01"],
    ["day", "Asia/Tokyo", "2026-12-31T15:00:00Z", "2027-01-02"],
    ["week", "UTC", "2026-02-25T12:00:00Z", "2026-03-04"],
    ["month", "UTC", "2026-11-15T12:00:00Z", "2026-12-15"],
    ["month", "UTC", "2026-01-31T12:00:00Z", "2026-02-28"],
    ["month", "America/New_York", "2027-01-01T04:59:00Z", "2027-01-28"],
  ] as const)("recur each %s in %s after %s on %s", (every, timeZone, now, day) => {
    expect(secondPeriod(every, timeZone, new Date(now)).toISOString()).toBe(`${day}T00:00:00.000Z`);
  });

  const benefit = { credit_currency_key: "ai_credits", credits: 100 };
  const inUtc = { isPaid: true, timeZone: "UTC" };
  const unpaid = { isPaid: false, timeZone: "UTC" };
  const next = shown(secondPeriod("month", "UTC"));
  const later = shown(new Date(Date.now() + 30 * 24 * 60 * 60 * 1_000));

  it.each<[OrderBenefit, typeof inUtc, string]>([
    [benefit, inUtc, "100.00 ai_credits are available immediately."],
    [benefit, unpaid, "100.00 ai_credits are pending until payment."],
    [
      { ...benefit, expiresInDays: 30 },
      inUtc,
      `100.00 ai_credits are available immediately and expire on ${later}.`,
    ],
    [
      { ...benefit, expiresInDays: 1 },
      unpaid,
      "100.00 ai_credits are pending until payment and expire 1 day later.",
    ],
    [
      { ...benefit, every: "month", rollover: 50 },
      inUtc,
      `100.00 ai_credits are available immediately, then 100.00 each month from ${next} on; up to 50.00 unused credits roll over for one month.`,
    ],
    [
      { ...benefit, every: "week" },
      unpaid,
      "100.00 ai_credits are pending until payment, then 100.00 each week; unused credits expire.",
    ],
  ])("%j are given as a sentence", (given, when, sentence) => {
    expect(formatGiven(given, when)).toBe(sentence);
  });

  it("have terms where they have an end", () => {
    expect(formatTerms({})).toBeUndefined();
    expect(formatTerms({ expiresInDays: 30 })).toBe("for 30 days");
    expect(formatTerms({ every: "month", rollover: 0 })).toBe("each month");
    expect(formatTerms({ every: "day", rollover: 5 })).toBe("each day, up to 5.00 roll over");
  });
});
