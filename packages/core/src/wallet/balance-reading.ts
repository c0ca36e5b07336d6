import { gateEndpoints, isCreditgateError, type SeparateLedgers, type Transport } from "@creditgate/client";
import type { KnownService } from "../delivery/known-service.ts";
import { bothWays, type Capacities, capacitiesOf, fundsOf, reportedOf, type WalletKind } from "./capacity.ts";
import type { BalanceUpdate } from "./ledger.ts";

/** What a balance answer contains for one wallet. */
export interface WalletReading extends BalanceUpdate {
  /** As the service reports it. */
  readonly kind: WalletKind | undefined;
  /** Micro-credits that fall with every debit: see {@link fundsOf}. */
  readonly funds: number | undefined;
}

/** What one balance request taught: all the wallets of a customer, or why they could not be read. */
export type BalanceReading =
  | {
      readonly known: true;
      /** Of the wallets that there are. */
      readonly currencies: readonly string[];
      readonly separateLedgers?: SeparateLedgers | undefined;
      wallet(currency: string): WalletReading;
    }
  | {
      readonly known: false;
      readonly code: "upstream_unavailable" | "upstream_invalid" | "ledger_unavailable";
      readonly error: unknown;
    };

/** Asks the service for the balances of a customer (API 4.1). Never rejects. */
export async function readBalances(
  client: Pick<Transport, "send">,
  service: KnownService,
  customerId: string,
): Promise<BalanceReading> {
  try {
    const answer = await client.send(
      gateEndpoints.walletBalance,
      { query: { customer_id: customerId } },
      // The next request tries again: a second try here would only return an older balance.
      { retries: 0, fresh: true, gate: service.gate },
    );
    service.learnFrom(answer);
    const isFresh = answer.isFresh === true;
    const reading = parseBalances(answer.body, isFresh);
    // A cache may have kept an answer that was another process's.
    return isFresh && reading.known ? { ...reading, separateLedgers: answer.separateLedgers } : reading;
  } catch (error) {
    service.learnFromError(error);
    if (service.doesNotKnow(error)) return unknownCustomer;
    const invalid =
      isCreditgateError(error) && (error.code === "answer_too_large" || error.code === "answer_invalid");
    return { known: false, code: invalid ? "upstream_invalid" : "upstream_unavailable", error };
  }
}

/** The service answered that there is no such customer. */
export const unknownCustomer: BalanceReading = {
  known: true,
  currencies: [],
  wallet: () => unreported(bothWays("customer_unknown")),
};

function parseBalances(body: unknown, isFresh: boolean): BalanceReading {
  const balances = isObject(body) && Object.hasOwn(body, "balances") ? body.balances : undefined;
  if (!isObject(balances)) {
    const error = new TypeError("the balance answer has no object `balances` (API 4.1)");
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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
