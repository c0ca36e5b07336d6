import { clampMicro, exactMicro, isAmount, toMicro } from "../values/micro.ts";

/** How a wallet pays: from credits bought before, or against a limit that is invoiced at period end (API 2.1). */
export type WalletKind = "prepaid" | "postpaid";

/** Why a wallet's capacity is not a number. */
export type WalletProblem = "customer_unknown" | "wallet_missing" | "wallet_mismatch" | "upstream_invalid";

/** What a wallet can pay, in micro-credits (`Infinity`: no limit), or why that is unknown. */
export type Capacity = number | WalletProblem;

/** One wallet read both ways. An all-zero entry looks the same for either kind, so a gate must name its kind. */
export type Capacities = { readonly [Kind in WalletKind]: Capacity };

/** What a balance answer contains for one wallet. */
export interface BalanceUpdate extends Capacities {
  /** Micro-credits of unsettled usage; `undefined` if the service is not extended. */
  readonly unsettled?: number | undefined;
  /** Of a budget: the instant at which its present period began; 0 where it has none. */
  readonly period?: number | undefined;
}

/** The same problem, whatever the kind of the wallet. */
export function bothWays(problem: WalletProblem): Capacities {
  return { prepaid: problem, postpaid: problem };
}

const amountFields = [
  "available",
  "pending",
  "overage_used",
  "overage_limit",
  "postpaid_used",
  "postpaid_limit",
] as const;

export type WalletFigures = { readonly [Field in (typeof amountFields)[number]]: number };

/** Reads one untrusted entry of `balances` (API 2.1). A doubtful entry is `upstream_invalid`, never "unlimited". */
export function capacitiesOf(entry: unknown): Capacities {
  if (!isWallet(entry)) return bothWays("upstream_invalid");
  return { prepaid: prepaidCapacity(entry), postpaid: postpaidCapacity(entry) };
}

/** What a service reports of a wallet besides its figures; each is `undefined` if it does not. */
export interface ReportedWallet {
  readonly kind: WalletKind | undefined;
  /** Micro-credits of usage that it has accepted and not debited yet. */
  readonly unsettled: number | undefined;
}

/** Reads an untrusted entry of `balances`; `undefined` if it makes no sense. */
export function reportedOf(entry: unknown): ReportedWallet | undefined {
  const { kind, unsettled } = entry as { readonly kind?: unknown; readonly unsettled?: unknown };
  if (!isKindOrAbsent(kind)) return undefined;
  if (unsettled === undefined) return { kind, unsettled };
  if (!isAmount(unsettled)) return undefined;
  return { kind, unsettled: toMicro(unsettled, "ceil") };
}

/**
 * What falls with every debit and rises with every payment, whatever the kind of the wallet, in micro-credits; limits
 * are no part of it. `undefined` for a doubtful entry.
 */
export function fundsOf(entry: unknown): number | undefined {
  if (!isWallet(entry)) return undefined;
  const used = exactMicro(entry.overage_used, "floor") + exactMicro(entry.postpaid_used, "floor");
  return clampMicro(exactMicro(entry.available, "floor") - used);
}

function isWallet(entry: unknown): entry is WalletFigures {
  if (typeof entry !== "object" || entry === null) return false;
  return amountFields.every((field) => isFigure(entry, field));
}

function isKindOrAbsent(kind: unknown): kind is WalletKind | undefined {
  return kind === undefined || kind === "prepaid" || kind === "postpaid";
}

function isFigure(entry: object, field: string): boolean {
  const figure: unknown = Object.hasOwn(entry, field) && entry[field as keyof typeof entry];
  // Only `available` may be negative: that is debt. A negative limit or use would raise the capacity.
  return field === "available" ? Number.isFinite(figure) : isAmount(figure);
}

/** The first field of an entry that makes no sense, and what was expected of it. */
export function wrongField(
  entry: Readonly<Record<string, unknown>>,
): readonly [name: string, expected: string] | undefined {
  const { kind, unsettled } = entry;
  if (!isKindOrAbsent(kind)) return ["kind", '"prepaid" or "postpaid"'];
  const wrong = amountFields.find((field) => !isFigure(entry, field));
  if (wrong === "available") return [wrong, "a number"];
  const name = wrong ?? (unsettled === undefined || isAmount(unsettled) ? undefined : "unsettled");
  return name && [name, "a number, 0 or more"];
}

function prepaidCapacity(wallet: WalletFigures): Capacity {
  if (wallet.postpaid_used !== 0 || wallet.postpaid_limit !== 0) return "wallet_mismatch";
  // `pending` never counts: it is not paid for yet.
  const funds = exactMicro(wallet.available, "floor") + exactMicro(wallet.overage_limit, "floor");
  return clampMicro(funds - exactMicro(wallet.overage_used, "ceil"));
}

function postpaidCapacity(wallet: WalletFigures): Capacity {
  if (wallet.available !== 0 || wallet.overage_used !== 0 || wallet.overage_limit !== 0) {
    return "wallet_mismatch";
  }
  if (wallet.postpaid_limit === 0) return Number.POSITIVE_INFINITY;
  return clampMicro(exactMicro(wallet.postpaid_limit, "floor") - exactMicro(wallet.postpaid_used, "ceil"));
}
