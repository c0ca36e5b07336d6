import type { AdminCreditNote, AdminInvoice, AdminOrderDetails, AdminWallet } from "@creditgate/admin";
import { topUpRows } from "../customers/wallet.ts";
import { type Credits, toMicro } from "../parts/amounts.ts";
import type { EffectRow } from "../parts/form-dialog.tsx";

/** Credits of one currency, in micro-credits. */
export interface Benefit {
  readonly currency: string;
  readonly micro: bigint;
}

/** The credits that come with an order, one amount for each currency. */
export function benefitsOf({ lineItems }: Pick<AdminOrderDetails, "lineItems">): readonly Benefit[] {
  return summed(
    lineItems
      .flatMap(({ creditBenefits }) => creditBenefits)
      .map(({ credit_currency_key: currency, credits }) => ({ currency, micro: toMicro(credits) })),
  );
}

function summed(benefits: readonly Benefit[]): readonly Benefit[] {
  const sums = new Map<string, bigint>();
  for (const { currency, micro } of benefits) sums.set(currency, (sums.get(currency) ?? 0n) + micro);
  return [...sums].map(([currency, micro]) => ({ currency, micro }));
}

/** What of an invoice no credit note has credited yet: minor units, and credits. */
export function restOf(
  invoice: AdminInvoice,
  order: AdminOrderDetails | undefined,
  notes: readonly AdminCreditNote[],
): { readonly amount: number; readonly benefits: readonly Benefit[] } {
  const { amount, creditedAmount, creditCurrencyKey, credits } = invoice;
  const billed =
    order !== undefined
      ? benefitsOf(order)
      : creditCurrencyKey === null || credits === null
        ? []
        : [{ currency: creditCurrencyKey, micro: toMicro(credits) }];
  const credited = summed(
    notes
      .flatMap((note) => note.credits)
      .map((part) => ({ currency: part.creditCurrencyKey, micro: toMicro(part.credits) })),
  );
  const benefits = billed.map(({ currency, micro }) => ({
    currency,
    micro: micro - (credited.find((one) => one.currency === currency)?.micro ?? 0n),
  }));
  return { amount: (amount ?? 0) - creditedAmount, benefits: benefits.filter(({ micro }) => micro > 0n) };
}

/** What of a wallet can be taken back: what is available and not used by reports that wait. In micro-credits. */
export function unspentOf({ available, unsettled = 0 }: AdminWallet): bigint {
  const unspent = toMicro(available) - toMicro(unsettled);
  return unspent < 0n ? 0n : unspent;
}

function walletOf(wallets: readonly AdminWallet[], currency: string): AdminWallet | undefined {
  return wallets.find(({ creditCurrencyKey }) => creditCurrencyKey === currency);
}

/** What an order's payment does to the wallets: pending credits come in. */
export function paymentRows(
  benefits: readonly Benefit[],
  wallets: readonly AdminWallet[],
): readonly EffectRow[] {
  return rowsOf(benefits, wallets, (wallet, micro) => [
    { name: "Pending", now: toMicro(wallet.pending), change: -micro },
    ...topUpRows(wallet, micro),
  ]);
}

/** What the end of an unpaid order does to the wallets. */
export function withdrawalRows(
  benefits: readonly Benefit[],
  wallets: readonly AdminWallet[],
): readonly EffectRow[] {
  return rowsOf(benefits, wallets, ({ pending }, micro) => [
    { name: "Pending", now: toMicro(pending), change: -micro },
  ]);
}

/** What an order's credit note takes out of the wallets. */
export function takeBackRows(
  benefits: readonly Benefit[],
  wallets: readonly AdminWallet[],
): readonly EffectRow[] {
  return rowsOf(benefits, wallets, ({ available }, micro) => [
    { name: "Available", now: toMicro(available), change: -micro },
  ]);
}

/** The rows of each wallet; with its currency, if there are several. */
function rowsOf(
  benefits: readonly Benefit[],
  wallets: readonly AdminWallet[],
  rowsFor: (wallet: AdminWallet, micro: bigint) => readonly EffectRow[],
): readonly EffectRow[] {
  return benefits.flatMap(({ currency, micro }) => {
    const wallet = walletOf(wallets, currency);
    const rows = wallet === undefined ? [] : rowsFor(wallet, micro);
    return benefits.length > 1 ? rows.map((row) => ({ ...row, name: `${row.name}, ${currency}` })) : rows;
  });
}

/** What a void invoice of a period does where its use is billed again. */
export function rebillRows(invoice: AdminInvoice, wallets: readonly AdminWallet[]): readonly EffectRow[] {
  const { creditCurrencyKey: currency, credits } = invoice;
  const wallet = currency === null ? undefined : walletOf(wallets, currency);
  if (wallet === undefined || credits === null) return [];
  return [{ name: "Used, not invoiced", now: toMicro(wallet.postpaidUsed), change: toMicro(credits) }];
}

/** Credits in words: "2,000.00 ai_credits and 10.00 voice_minutes". */
export function creditsOf(benefits: readonly Benefit[], format: (credits: Credits) => string): string {
  return benefits.map(({ currency, micro }) => `${format(micro)} ${currency}`).join(" and ");
}
