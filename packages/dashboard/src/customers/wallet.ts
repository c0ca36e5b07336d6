import type { AdminWallet } from "@creditgate/admin";
import { type Credits, formatCredits, formatLimit, toMicro } from "../parts/amounts.ts";
import type { EffectRow } from "../parts/form-dialog.tsx";

/** How near a wallet is to its end. */
export type Nearness = "fine" | "soon" | "now";

/** A wallet read for people: what stands in large, beside it, and how urgent it is. Amounts are credits. */
interface WalletReading {
  /** What is available less what is owed; of a postpaid wallet what is used. */
  readonly figure: Credits;
  /** What can still be spent; `undefined` where nothing bounds it. */
  readonly left: number | undefined;
  readonly nearness: Nearness;
  /** What the figure means, in a few words. */
  readonly words: string;
}

/** What credits do that come into a prepaid wallet, in micro-credits: they clear the overage first. */
export function topUpRows(wallet: AdminWallet, micro: bigint): readonly EffectRow[] {
  const owed = toMicro(wallet.overageUsed);
  const cleared = owed < micro ? owed : micro;
  return [
    ...(owed > 0n ? [{ name: "Overage used", now: owed, change: -cleared }] : []),
    { name: "Available", now: toMicro(wallet.available), change: micro - cleared },
  ];
}

export function readWallet(wallet: AdminWallet): WalletReading {
  const { available, overageUsed, overageLimit, postpaidUsed, postpaidLimit } = wallet;
  const nearness = nearnessOf[wallet.urgency ?? "none"];
  const left = wallet.capacity == null ? undefined : Math.max(0, wallet.capacity);
  if (wallet.kind === "prepaid") {
    const figure = toMicro(available) - toMicro(overageUsed);
    const words = overageLimit > 0 ? `${formatLimit(overageLimit)} overage limit` : "no overage limit";
    return { figure, left, nearness, words };
  }
  if (left === undefined) return { figure: postpaidUsed, left, nearness, words: "used, no limit" };
  const share = nearness === "fine" ? "" : `, ${Math.floor((100 * postpaidUsed) / postpaidLimit)} %`;
  return { figure: postpaidUsed, left, nearness, words: `used of ${formatLimit(postpaidLimit)}${share}` };
}

const nearnessOf = { none: "fine", low: "soon", exhausted: "now" } as const;

/** The class of the figure. */
export const tones: Readonly<Record<Nearness, string>> = { fine: "", soon: "warn", now: "bad" };

/** The wallet in a sentence, for those who do not see the line. */
export function describeWallet(wallet: AdminWallet): string {
  const { available, overageUsed, overageLimit, pending, postpaidUsed, postpaidLimit } = wallet;
  if (wallet.kind === "postpaid") {
    const limit = postpaidLimit === 0 ? ", without a limit" : ` of ${formatCredits(postpaidLimit)}`;
    return `${formatCredits(postpaidUsed)} used${limit}`;
  }
  const overage =
    overageLimit + overageUsed === 0
      ? ""
      : `, ${formatCredits(overageUsed)} of ${formatCredits(overageLimit)} overage used`;
  return `${formatCredits(available)} available${overage}${pending === 0 ? "" : `, ${formatCredits(pending)} pending`}`;
}

/** The kinds of wallets, as forms offer them. */
export const walletKinds = [
  { value: "prepaid", label: "Prepaid: paid in advance" },
  { value: "postpaid", label: "Postpaid: invoiced after each period" },
] as const;

/** What the forms call the fields of a wallet. */
export const walletLabels = {
  overageLimit: "Overage limit",
  postpaidLimit: "Limit per period",
  lowThreshold: "Low-balance threshold",
  autoTopUp: "Auto top-up",
} as const;
