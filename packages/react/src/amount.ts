/** Credits with two decimals, rounded down: what is shown can be spent. The same on a server as in every browser. */
export function formatCredits(credits: number): string {
  const hundredths = Math.floor(Math.round(credits * 1e6) / 1e4);
  return (hundredths / 100).toFixed(2);
}

const long = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** The day of an instant, in UTC: `3 December 2026`. */
export function formatDay(at: string): string {
  return long.format(new Date(at));
}

/** An instant to the minute, in UTC: the same on a server as in every browser. */
export function formatInstant(at: string): string {
  return `${at.slice(0, 16).replace("T", " ")} UTC`;
}
