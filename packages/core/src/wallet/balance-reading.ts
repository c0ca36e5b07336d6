import { gateEndpoints, isCreditgateError, type Transport } from "@creditgate/client";
import { isNotFound, type KnownService, learnFrom } from "../delivery/known-service.ts";
import { bothWays, type Capacities, capacitiesOf, fundsOf } from "./capacity.ts";

/** What one balance request taught: all the wallets of a customer, or why they could not be read. */
export type BalanceReading =
  | {
      readonly known: true;
      /** Of the wallets that there are. */
      readonly currencies: readonly string[];
      wallet(currency: string): Capacities;
      /** Micro-credits that fall with every debit: see {@link fundsOf}. */
      funds(currency: string): number | undefined;
    }
  | {
      readonly known: false;
      readonly code: "upstream_unavailable" | "upstream_invalid";
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
      // A second try is the next request's business: it would only make this one's news older.
      { retries: 0 },
    );
    return parseBalances(answer.body);
  } catch (error) {
    learnFrom(error, service);
    if (isNotFound(error, service)) {
      return {
        known: true,
        currencies: [],
        wallet: () => bothWays("customer_unknown"),
        funds: () => undefined,
      };
    }
    const invalid =
      isCreditgateError(error) && (error.code === "answer_too_large" || error.code === "answer_invalid");
    return { known: false, code: invalid ? "upstream_invalid" : "upstream_unavailable", error };
  }
}

function parseBalances(body: unknown): BalanceReading {
  const balances = isObject(body) && Object.hasOwn(body, "balances") ? body.balances : undefined;
  if (!isObject(balances)) {
    const error = new TypeError("the balance answer has no object `balances` (API 4.1)");
    return { known: false, code: "upstream_invalid", error };
  }
  return {
    known: true,
    currencies: Object.keys(balances),
    // Only own keys: a currency may well be called `constructor`.
    wallet: (currency) =>
      Object.hasOwn(balances, currency) ? capacitiesOf(balances[currency]) : bothWays("wallet_missing"),
    funds: (currency) => (Object.hasOwn(balances, currency) ? fundsOf(balances[currency]) : undefined),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
