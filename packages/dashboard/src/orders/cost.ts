import type { AdminCurrency } from "@creditgate/client/admin";
import { fromMicro } from "../parts/credits.ts";
import { formatMoney } from "../parts/money.ts";

/** What credits cost now: each invoice is rounded by itself. */
export function costOf(
  micro: number,
  currencies: readonly AdminCurrency[],
  currency: string,
): string | undefined {
  const price = currencies.find((one) => one.credit_currency_key === currency)?.unitPrice;
  if (price === undefined || price === null) return undefined;
  return formatMoney(Math.round(fromMicro(micro) * Number(price.amount)), price.currency);
}
