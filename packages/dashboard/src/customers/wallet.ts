import type { AdminWallet } from "@creditgate/client/admin";
import { formatCredits, formatLimit, fromMicro, toMicro } from "../parts/credits.ts";

/** How near a wallet is to its end. */
export type Nearness = "fine" | "soon" | "now";

/** A wallet read for people: what stands in large, beside it, and how urgent it is. Amounts are credits. */
export interface WalletReading {
  /** What is available less what is owed; of a postpaid wallet what is used. */
  readonly figure: number;
  /** What can still be spent; `undefined` where nothing bounds it. */
  readonly left: number | undefined;
  readonly nearness: Nearness;
  /** What the figure means, in a few words. */
  readonly words: string;
}

/** Below a tenth of its limit a wallet is near its end. */
const near = 0.1;

export function readWallet(wallet: AdminWallet): WalletReading {
  return wallet.kind === "prepaid" ? readPrepaid(wallet) : readPostpaid(wallet);
}

function readPrepaid(wallet: AdminWallet): WalletReading {
  const { available, overage_used, overage_limit, low_threshold, state } = wallet;
  const figure = fromMicro(toMicro(available) - toMicro(overage_used));
  const left = Math.max(0, fromMicro(toMicro(available) + toMicro(overage_limit) - toMicro(overage_used)));
  const isSoon = overage_used > 0 || (low_threshold !== null && available < low_threshold);
  const words = overage_limit > 0 ? `${formatLimit(overage_limit)} overage line` : "no overage line";
  return { figure, left, nearness: state === "exhausted" ? "now" : isSoon ? "soon" : "fine", words };
}

function readPostpaid({ postpaid_used, postpaid_limit, low_threshold, state }: AdminWallet): WalletReading {
  if (postpaid_limit === 0) {
    return { figure: postpaid_used, left: undefined, nearness: "fine", words: "used, no limit" };
  }
  const left = Math.max(0, fromMicro(toMicro(postpaid_limit) - toMicro(postpaid_used)));
  const isSoon = left < postpaid_limit * near || (low_threshold !== null && left < low_threshold);
  return {
    figure: postpaid_used,
    left,
    nearness: state === "exhausted" ? "now" : isSoon ? "soon" : "fine",
    words: `used of ${formatLimit(postpaid_limit)}${isSoon ? `, ${Math.floor((100 * postpaid_used) / postpaid_limit)} %` : ""}`,
  };
}

/** The class of the figure. */
export const tones: Readonly<Record<Nearness, string>> = { fine: "", soon: "warn", now: "bad" };

/** The wallet in a sentence, for those who do not see the line. */
export function describeWallet(wallet: AdminWallet): string {
  const { available, overage_used, overage_limit, pending, postpaid_used, postpaid_limit } = wallet;
  if (wallet.kind === "postpaid") {
    const limit = postpaid_limit === 0 ? ", without a limit" : ` of ${formatCredits(postpaid_limit)}`;
    return `${formatCredits(postpaid_used)} used${limit}`;
  }
  const overage =
    overage_limit + overage_used === 0
      ? ""
      : `, ${formatCredits(overage_used)} of ${formatCredits(overage_limit)} overage used`;
  return `${formatCredits(available)} available${overage}${pending === 0 ? "" : `, ${formatCredits(pending)} pending`}`;
}

/** What the forms call the fields of a wallet. */
export const walletLabels = {
  overage_limit: "Overage line",
  postpaid_limit: "Limit of a period",
  low_threshold: "Low below",
  auto_top_up: "Auto top-up",
} as const;
