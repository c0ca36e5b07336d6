import type { SeparateLedgers } from "@creditgate/client";
import { verbose } from "#verbosity";
import { isObject } from "../values/object.ts";
import {
  type BalanceUpdate,
  bothWays,
  type Capacities,
  capacitiesOf,
  fundsOf,
  reportedOf,
  type WalletKind,
} from "./capacity.ts";
import type { ExpiringByCurrency } from "./expiring.ts";

/** What a balance answer contains for one wallet. */
export interface WalletReading extends BalanceUpdate {
  /** As the service reports it. */
  readonly kind: WalletKind | undefined;
  /** Micro-credits that fall with every debit: see {@link fundsOf}. */
  readonly funds: number | undefined;
}

/** What a balance answer contains for one budget, in micro-credits. */
export interface BudgetReading {
  /** `Infinity` of one that only warns. */
  readonly limit: number;
  /** Debited in this period and later ones. */
  readonly used: number;
  /** Accepted in this period and later ones, and not debited yet. */
  readonly unsettled: number;
  /** The instants at which this period began and the next one begins, in ISO 8601; `undefined` for a budget without periods. */
  readonly period: string | undefined;
  readonly resetsAt: string | undefined;
}

/** Reads an answer for a budget: `unknown` if the service has none of this key, `unread` if its entry makes no sense. */
export type ReadBudget = (currency: string, key: string) => BudgetReading | "unknown" | "unread";

/** All the wallets of a customer. */
export interface KnownReading {
  readonly known: true;
  /** Of the wallets that there are. */
  readonly currencies: readonly string[];
  readonly separateLedgers?: SeparateLedgers | undefined;
  wallet(currency: string): WalletReading;
  /** Absent if the answer says nothing of budgets. */
  readonly budget?: ReadBudget | undefined;
  /** Absent if nothing expires, or that is not read. */
  readonly expiring?: ExpiringByCurrency | undefined;
}

/** What one balance request taught: all the wallets of a customer, or why they could not be read. */
export type BalanceReading =
  | KnownReading
  | {
      readonly known: false;
      readonly code: "upstream_unavailable" | "upstream_invalid" | "ledger_unavailable";
      readonly error: unknown;
    };

/** The service answered that there is no such customer. */
export const unknownCustomer: BalanceReading = {
  known: true,
  currencies: [],
  wallet: () => unreported(bothWays("customer_unknown")),
};

/** The answer to a balance request. */
export function parseBalances(body: unknown, isFresh: boolean): BalanceReading {
  const balances = isObject(body) && Object.hasOwn(body, "balances") ? body.balances : undefined;
  if (!isObject(balances)) {
    const error = new TypeError(
      verbose ? "the balance answer has no object `balances` (API 4.1)" : "balances",
    );
    return { known: false, code: "upstream_invalid", error };
  }
  // Once: many requests may wait for this answer, and each asks.
  const read = new Map<string, WalletReading>();
  const wallet = (currency: string) => {
    // Only own keys: a currency may well be called `constructor`.
    const reading =
      read.get(currency) ??
      (Object.hasOwn(balances, currency) ? readWallet(balances[currency], isFresh) : missingWallet);
    read.set(currency, reading);
    return reading;
  };
  return { known: true, currencies: Object.keys(balances), wallet };
}

/** An answer that a cache may have stored has no value here: usage accepted since would count nowhere. */
export function readWallet(entry: unknown, isFresh: boolean): WalletReading {
  const capacities = capacitiesOf(entry);
  if (capacities.prepaid === "upstream_invalid") return unreported(capacities);
  const funds = fundsOf(entry);
  if (!isFresh) return { ...unreported(capacities), funds };
  const reported = reportedOf(entry);
  if (reported === undefined) return unreported(bothWays("upstream_invalid"));
  return { ...ofKind(capacities, reported.kind), ...reported, funds };
}

/** A wallet of this kind is a mistake for a gate that expects the other. */
function ofKind(capacities: Capacities, kind: WalletKind | undefined): Capacities {
  if (kind === "prepaid") return { prepaid: capacities.prepaid, postpaid: "wallet_mismatch" };
  if (kind === "postpaid") return { prepaid: "wallet_mismatch", postpaid: capacities.postpaid };
  return capacities;
}

function unreported(capacities: Capacities): WalletReading {
  return { ...capacities, kind: undefined, unsettled: undefined, funds: undefined };
}

/** The customer has none in this currency. */
export const missingWallet: WalletReading = unreported(bothWays("wallet_missing"));
