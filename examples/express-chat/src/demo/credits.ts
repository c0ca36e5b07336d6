/** Sums are made in micro-credits, which are whole numbers; credits are for the API and for people. */
export function toMicro(credits: number): number {
  return Math.round(credits * 1e6);
}

const format = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 6 });

/** Micro-credits as credits for people: two decimals, more where there are more. */
export function inCredits(micro: number): string {
  return format.format(micro / 1e6);
}
