import type { Clock, OutboxReport } from "@creditgate/core";
import {
  checkFunction,
  checkNames,
  checkNumber,
  checkShape,
  type DeliveringLedger,
  day,
  invalidOption,
  type LedgerTerms,
  systemClock,
  useBudgets,
} from "@creditgate/core/adapter";
import type { MessageTerms } from "../object/messages.ts";
import { DurableAccount } from "./durable-account.ts";
import type { FindObject, ObjectNamespace } from "./namespace.ts";

/** Options of {@link fromDurableObjects}. */
export interface DurableObjectsOptions {
  /**
   * A hold counts as spent, and is free again a settlement lag later, when its request has been silent for so long: it has been broken
   * off. A request that goes on renews its hold. Milliseconds, from 1_000. @default 60_000
   */
  readonly abandonMs?: number;
  /** Time, for tests. @default the clock of the machine */
  readonly clock?: Clock;
  /** Chance, for tests: a number from 0 up to 1. @default Math.random */
  readonly random?: () => number;
}

const optionNames: Readonly<Record<keyof DurableObjectsOptions, true>> = {
  abandonMs: true,
  clock: true,
  random: true,
};

/** Until a gate has joined; the gate's own defaults. */
const defaultTerms: LedgerTerms = {
  settlementLagMs: 10_000,
  maxStaleMs: 60_000,
  minRefreshMs: 250,
  checkTimeoutMs: 1_000,
};

/**
 * A ledger of wallets that Durable Objects keep, whose class extends `CreditWallets`: give it to `createGate` as `ledger`, one for the isolate.
 * What all isolates together admit never costs more than the wallet can pay, and the objects deliver the usage, so that the gate needs
 * neither `queue` nor `onUndelivered`. Throws an `invalid_option` error for options that make no sense.
 */
export function fromDurableObjects<Id>(
  namespace: ObjectNamespace<Id>,
  options: DurableObjectsOptions = {},
): DeliveringLedger {
  useBudgets();
  checkNames(options, optionNames);
  if (typeof Object(namespace).idFromName !== "function") {
    invalidOption("namespace", "the binding of a Durable Object namespace, such as env.WALLETS", namespace);
  }
  const { clock = systemClock } = options;
  checkShape("clock", clock, "a Clock", ["now", "schedule"]);
  const random = checkFunction("random", options.random ?? Math.random);
  const abandonMs = checkNumber("abandonMs", options.abandonMs ?? 60_000, 1_000, day);
  let joined = defaultTerms;
  const terms = (): MessageTerms => {
    const { settlementLagMs, maxStaleMs, minRefreshMs, checkTimeoutMs, ttlMs = 5_000 } = joined;
    return { settlementLagMs, maxStaleMs, minRefreshMs, checkTimeoutMs, ttlMs, abandonMs };
  };
  // No text can stand for two wallets. The service is that of the class: a rotated key must not give a wallet a second object.
  const finder =
    (customerId: string, currency: string): FindObject =>
    () =>
      namespace.get(namespace.idFromName(JSON.stringify([customerId, currency])));
  return {
    id: "durable objects",
    queue: {
      async send(reports, workId) {
        const [first] = reports;
        if (first === undefined) return;
        // All reports of a piece of work are of one wallet. What fails is sent once more by the gate.
        const { customerId, currency } = first;
        const message = { customerId, currency, terms: terms(), reports: reports.map(plain) };
        await finder(customerId, currency)().done({ ...message, workId: workId ?? null });
      },
      async flush() {},
    },
    account: (_service, customerId, currency) =>
      new DurableAccount({ customerId, currency, find: finder(customerId, currency), terms, clock, random }),
    join(given) {
      joined = given;
    },
    close() {},
  };
}

/** As data, which is what a call can carry. */
function plain({
  id,
  customerId,
  agentId,
  indicator,
  rawUsage,
  currency,
  budgets,
  entry,
}: OutboxReport): OutboxReport {
  const { id: entryId, amount } = entry;
  return {
    id,
    customerId,
    agentId,
    indicator,
    rawUsage: { ...rawUsage },
    currency,
    ...(budgets && { budgets: budgets.map(({ key }) => ({ key })) }),
    entry: { id: entryId, amount },
  };
}
