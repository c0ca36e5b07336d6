const micro = 1_000_000;

/** Credits as a whole number of micro-credits: sums of them are exact. */
export function toMicro(credits: number): number {
  return Math.round(credits * micro);
}

export function fromMicro(amount: number): number {
  return amount / micro;
}

/** Two decimals, and more only where the amount has more: nothing is rounded to 0.00. */
const format = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 6 });

export function formatCredits(credits: number): string {
  return format.format(credits === 0 ? 0 : credits).replace("-", "−");
}

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 6 });

/** A limit, beside an amount that has decimals: whole credits without. */
export function formatLimit(credits: number): string {
  return Number.isInteger(credits) ? whole.format(credits) : formatCredits(credits);
}

/** A change: with its sign, but for 0. */
export function formatChange(credits: number): string {
  return credits > 0 ? `+${formatCredits(credits)}` : formatCredits(credits);
}

const large = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** For a figure that is read at a glance: from a thousand on without decimals. */
export function formatGlance(credits: number): string {
  return Math.abs(credits) < 1_000 ? formatCredits(credits) : large.format(credits).replace("-", "−");
}

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** For the axis of a chart: 200k. */
export function formatCompact(number: number): string {
  return compact.format(number).replace("K", "k");
}

const percent = new Intl.NumberFormat("en", { maximumFractionDigits: 1, minimumFractionDigits: 1 });

/** A share, or a change, of 1: "12.4 %". */
export function formatPercent(share: number): string {
  return `${percent.format(share * 100).replace("-", "−")} %`;
}

export function formatCount(count: number): string {
  return whole.format(count);
}

/** What a person writes: `5,000.5`. `undefined` for what is no amount, or has more than six decimals. */
export function parseCredits(text: string): number | undefined {
  const plain = text.trim();
  if (!/^(\d{1,3}(,\d{3})+|\d+)(\.\d{1,6})?$/.test(plain)) return undefined;
  const credits = Number(plain.replaceAll(",", ""));
  return credits <= 1_000_000_000 ? credits : undefined;
}
