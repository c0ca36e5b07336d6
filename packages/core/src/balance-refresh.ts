import { CreditgateError, type Transport } from "@creditgate/client";
import { readBalances } from "./balance-reading.ts";
import type { Capacities, WalletKind } from "./capacity.ts";
import type { CustomerBalance, Refresh } from "./customer-balance.ts";
import type { GateEvents } from "./events.ts";

interface RefreshOptions {
  readonly client: Pick<Transport, "send">;
  readonly currency: string;
  readonly minRefreshMs: number;
  readonly maxStaleMs: number;
}

/** How a gate asks for a customer's balance: what fails, or makes no sense for its wallet, is told. */
export function balanceRefresh(
  { client, currency, minRefreshMs, maxStaleMs }: RefreshOptions,
  events: GateEvents,
  customer: CustomerBalance,
  kind?: WalletKind,
): Refresh {
  return {
    minRefreshMs,
    maxStaleMs,
    async read() {
      const reading = await readBalances(client, customer.id);
      const error = reading.known ? doubtOf(reading.wallet(currency), currency, kind) : reading.error;
      if (error !== undefined) events.emit("degraded", { what: "balance", error, customerId: customer.id });
      return reading;
    },
  };
}

function doubtOf(wallet: Capacities, currency: string, kind: WalletKind | undefined): Error | undefined {
  const name = JSON.stringify(currency);
  if (kind !== undefined && wallet[kind] === "wallet_mismatch") {
    const other = kind === "prepaid" ? "postpaid" : "prepaid";
    const fix = `set wallet: "${other}" in createGate(), or open a ${kind} one at the service`;
    return new CreditgateError(
      "invalid_option",
      `wallet: expected a ${kind} one in ${name}, received one of the other kind; ${fix}`,
    );
  }
  if (wallet.prepaid !== "upstream_invalid") return undefined;
  return new TypeError(`the balance answer, wallet ${name}: expected the six figures of API 2.1`);
}
