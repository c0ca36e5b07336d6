import type { AdminCreditNote, AdminInvoice, AdminOrderDetails, AdminWallet } from "@creditgate/client/admin";
import { fromMicro, toMicro } from "../parts/credits.ts";
import type { EffectRow } from "../parts/effect.tsx";

/** Credits of one currency, in micro-credits. */
export interface Benefit {
  readonly currency: string;
  readonly micro: number;
}

/** The credits that come with an order, one amount for each currency. */
export function benefitsOf({ lineItems }: Pick<AdminOrderDetails, "lineItems">): readonly Benefit[] {
  return summed(
    lineItems
      .flatMap(({ creditBenefits }) => creditBenefits)
      .map(({ credit_currency_key, credits }) => ({
        currency: credit_currency_key,
        micro: toMicro(credits),
      })),
  );
}

function summed(benefits: readonly Benefit[]): readonly Benefit[] {
  const sums = new Map<string, number>();
  for (const { currency, micro } of benefits) sums.set(currency, (sums.get(currency) ?? 0) + micro);
  return [...sums].map(([currency, micro]) => ({ currency, micro }));
}

/** What of an invoice no credit note has credited yet: minor units, and credits. */
export function restOf(
  invoice: AdminInvoice,
  order: AdminOrderDetails | undefined,
  notes: readonly AdminCreditNote[],
): { readonly amount: number; readonly benefits: readonly Benefit[] } {
  const { amount, creditedAmount, credit_currency_key, credits } = invoice;
  const billed =
    order !== undefined
      ? benefitsOf(order)
      : credit_currency_key === null || credits === null
        ? []
        : [{ currency: credit_currency_key, micro: toMicro(credits) }];
  const credited = summed(
    notes
      .flatMap((note) => note.credits)
      .map((part) => ({ currency: part.credit_currency_key, micro: toMicro(part.credits) })),
  );
  const benefits = billed.map(({ currency, micro }) => ({
    currency,
    micro: micro - (credited.find((one) => one.currency === currency)?.micro ?? 0),
  }));
  return { amount: (amount ?? 0) - creditedAmount, benefits: benefits.filter(({ micro }) => micro > 0) };
}

/** What of a wallet can be taken back: what is available and not used by reports that wait. In micro-credits. */
export function unspentOf({ available, unsettled = 0 }: AdminWallet): number {
  return Math.max(0, toMicro(available) - toMicro(unsettled));
}

function walletOf(wallets: readonly AdminWallet[], currency: string): AdminWallet | undefined {
  return wallets.find(({ credit_currency_key }) => credit_currency_key === currency);
}

/** The name of a part of a wallet, where there are several with its currency. */
function namer(benefits: readonly Benefit[]): (part: string, currency: string) => string {
  return (part, currency) => (benefits.length > 1 ? `${part}, ${currency}` : part);
}

/** What the payment of an order does to the wallets: pending credits clear the overage first, the rest becomes available. */
export function paymentRows(
  benefits: readonly Benefit[],
  wallets: readonly AdminWallet[],
): readonly EffectRow[] {
  const name = namer(benefits);
  return benefits.flatMap(({ currency, micro }) => {
    const wallet = walletOf(wallets, currency);
    if (wallet === undefined) return [];
    const owed = toMicro(wallet.overage_used);
    const cleared = Math.min(owed, micro);
    const available = toMicro(wallet.available);
    return [
      { name: name("Pending", currency), now: toMicro(wallet.pending), change: -micro },
      ...(owed > 0 ? [{ name: name("Overage used", currency), now: owed, change: -cleared }] : []),
      { name: name("Available", currency), now: available, change: micro - cleared },
    ];
  });
}

/** What the end of an order that is not paid does to the wallets. */
export function withdrawalRows(
  benefits: readonly Benefit[],
  wallets: readonly AdminWallet[],
): readonly EffectRow[] {
  const name = namer(benefits);
  return benefits.flatMap(({ currency, micro }) => {
    const wallet = walletOf(wallets, currency);
    return wallet === undefined
      ? []
      : [{ name: name("Pending", currency), now: toMicro(wallet.pending), change: -micro }];
  });
}

/** What a credit note of an order takes out of the wallets. */
export function takeBackRows(
  benefits: readonly Benefit[],
  wallets: readonly AdminWallet[],
): readonly EffectRow[] {
  const name = namer(benefits);
  return benefits.flatMap(({ currency, micro }) => {
    const wallet = walletOf(wallets, currency);
    return wallet === undefined
      ? []
      : [{ name: name("Available", currency), now: toMicro(wallet.available), change: -micro }];
  });
}

/** What a void invoice of a period does where its use is billed again. */
export function rebillRows(invoice: AdminInvoice, wallets: readonly AdminWallet[]): readonly EffectRow[] {
  const { credit_currency_key: currency, credits } = invoice;
  const wallet = currency === null ? undefined : walletOf(wallets, currency);
  if (wallet === undefined || credits === null) return [];
  return [{ name: "Used, not invoiced", now: toMicro(wallet.postpaid_used), change: toMicro(credits) }];
}

/** Credits in words: "2,000.00 ai_credits and 10.00 voice_minutes". */
export function creditsOf(benefits: readonly Benefit[], format: (credits: number) => string): string {
  return benefits.map(({ currency, micro }) => `${format(fromMicro(micro))} ${currency}`).join(" and ");
}
