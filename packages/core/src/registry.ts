import { BalanceCache } from "./balance-cache.ts";
import { type Clock, systemClock } from "./clock.ts";
import { type Guard, guardedSnapshot } from "./guard.ts";
import type { Ledger } from "./ledger.ts";
import { createMemoryLedger } from "./memory-ledger.ts";
import { invalidOption } from "./option.ts";

/** The state of all wallets, by service and key: gates that share a registry share one truth about each wallet. */
export interface Registry {
  readonly caches: Map<string, BalanceCache>;
}

/** A registry of its own, for tests; gates otherwise share the one of the process. */
export function createRegistry(): Registry {
  return { caches: new Map() };
}

/**
 * The registry of the process. It lives on `globalThis` because a bundler may evaluate this module many times
 * (Next.js: once for each bundle), and a wallet must still have one ledger.
 */
export function processRegistry(): Registry {
  const shared = globalThis as { [key: symbol]: Registry | undefined };
  const key = Symbol.for("@creditgate/core/registry@1");
  const registry = shared[key] ?? createRegistry();
  shared[key] = registry;
  return registry;
}

/** The cache of this service and key. The first gate that asks decides its bound, its ledger and its clock. */
export function balanceCache(
  registry: Registry,
  service: string,
  options: {
    readonly max: number;
    readonly ledger?: Ledger | undefined;
    readonly guard?: Guard | undefined;
    readonly clock?: Clock | undefined;
  },
): BalanceCache {
  let cache = registry.caches.get(service);
  if (cache !== undefined && options.ledger !== undefined && cache.ledger !== options.ledger) {
    invalidOption("ledger", "the ledger of the first gate on this service and key", "another one");
  }
  if (cache === undefined) {
    const clock = options.clock ?? systemClock;
    const ledger =
      options.ledger ?? createMemoryLedger(clock, options.guard && guardedSnapshot(options.guard));
    cache = new BalanceCache({ service, ledger, clock, max: options.max });
    registry.caches.set(service, cache);
  }
  return cache;
}
