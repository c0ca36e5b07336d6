/** Currencies of ISO 4217 whose minor unit is not a hundredth. JavaScript's own table follows what is used in cash. */
const digitsOf: Readonly<Record<string, number>> = {
  ...digits(0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"),
  ...digits(3, "BHD IQD JOD KWD LYD OMR TND"),
  ...digits(4, "CLF UYW"),
};

function digits(count: number, currencies: string): Readonly<Record<string, number>> {
  return Object.fromEntries(currencies.split(" ").map((currency) => [currency, count]));
}

/** How many decimals amounts of a currency have (ISO 4217): 0 for JPY, 3 for KWD, 2 for most. Money is in these minor units. */
export function minorDigits(currency: string): number {
  return digitsOf[currency] ?? 2;
}
