import { CreditgateError, type GateIdentity, type SeparateLedgers } from "@creditgate/client";
import { faultOf, keepExpiring } from "#budgets";
import { nearestAdvice, verbose } from "#verbosity";
import type { GateEvents } from "../events/events.ts";
import type { Clock } from "../values/clock.ts";
import type { WalletReading } from "../wallet/balance-reading.ts";
import type { WalletKind } from "../wallet/capacity.ts";
import type { BalanceSource, Customer } from "../wallet/customer.ts";
import type { ServiceWallets } from "./known-service.ts";
import type { Upstream } from "./upstream.ts";

interface SourceOptions {
  readonly upstream: Pick<Upstream, "balances">;
  readonly wallets: ServiceWallets;
  readonly currency: string;
  readonly minRefreshMs: number;
  readonly maxStaleMs: number;
  readonly warnOfReplicas?: WarnOfReplicas | undefined;
}

/** How a gate requests a customer's balance. Emits failures, and answers that make no sense for its wallet. */
export function balanceSource(
  { upstream, wallets, currency, minRefreshMs, maxStaleMs, warnOfReplicas }: SourceOptions,
  events: Pick<GateEvents, "emit">,
  customer: Pick<Customer, "id">,
  kind?: WalletKind,
): BalanceSource {
  const customerId = customer.id;
  return {
    minRefreshMs,
    maxStaleMs,
    kind,
    async read(budgets) {
      const reading = await upstream.balances(customerId, wallets.open.service, budgets);
      if (!reading.known) {
        events.emit("degraded", { what: "balance", error: reading.error, customerId });
        return reading;
      }
      if (reading.separateLedgers !== undefined)
        warnOfReplicas?.(reading.separateLedgers, wallets.open.service.gate);
      keepExpiring(customer, reading);
      const fault = faultOf(budgets, reading.budget);
      if (fault !== undefined) events.emit("degraded", { what: "budget", error: fault, customerId });
      const wallet = reading.wallet(currency);
      const error = doubtOf(wallet, currency, kind);
      if (error !== undefined) events.emit("degraded", { what: "balance", error, customerId });
      const strange =
        wallet.prepaid === "wallet_missing" ? strangeCurrency(currency, reading.currencies) : undefined;
      if (strange) events.emit("degraded", { what: "currency", error: strange, customerId });
      return reading;
    },
  };
}
const mostNamed = 10;

/** A misspelled currency denies every customer. A customer without any wallet does not indicate that. */
function strangeCurrency(currency: string, known: readonly string[]): CreditgateError | undefined {
  if (known.length === 0) return undefined;
  const names = verbose && known.slice(0, mostNamed).map((name) => JSON.stringify(name));
  const more = verbose && known.length > mostNamed ? ", …" : "";
  const expected = verbose ? `expected one of the customer's wallets, ${names}${more}, received ` : "";
  const advice = nearestAdvice(currency, known);
  return new CreditgateError("invalid_option", `currency: ${expected}${JSON.stringify(currency)}${advice}`);
}

function doubtOf(wallet: WalletReading, currency: string, kind: WalletKind | undefined): Error | undefined {
  const name = JSON.stringify(currency);
  if (kind !== undefined && wallet[kind] === "wallet_mismatch") {
    const other = verbose && (kind === "prepaid" ? "postpaid" : "prepaid");
    const message = verbose
      ? `expected a ${kind} one in ${name}, received one of the other kind; set wallet: "${other}" in createGate(), or open a ${kind} one at the service`
      : kind;
    return new CreditgateError("invalid_option", `wallet: ${message}`);
  }
  if (wallet.prepaid !== "upstream_invalid") return undefined;
  return new TypeError(
    verbose ? `the balance answer, wallet ${name}: expected the six figures of API 2.1` : name,
  );
}

const hourMs = 3_600_000;

/** Takes what the service reports with a balance. */
export type WarnOfReplicas = (ledgers: SeparateLedgers, gate: GateIdentity | undefined) => void;

/** Emits, at once and then at most hourly, that other processes spend the same wallets by ledgers of their own. */
export function replicaWarning(clock: Clock, events: Pick<GateEvents, "emit">): WarnOfReplicas {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return (ledgers, gate) => {
    const now = clock.now();
    // Isolates within a guard overspend by no more than it allows, as their operator has decided.
    if (ledgers === "guarded" || now - warnedAt < hourMs) return;
    warnedAt = now;
    const what = verbose ? " separate ledgers spend the same wallets; this process is" : ",";
    const error = new Error(`${ledgers}${what} ${gate?.id}`);
    events.emit("degraded", { what: "replicas", error });
  };
}
