import { KnownService } from "../delivery/known-service.ts";
import { Recoveries } from "../delivery/recoveries.ts";
import { type Clock, systemClock } from "../values/clock.ts";
import { invalidOption } from "../values/option.ts";
import { processWide } from "../values/process-wide.ts";
import { Customers } from "./customers.ts";
import { type Guard, guardedPart } from "./guard.ts";
import type { Ledger, LedgerTerms } from "./ledger.ts";
import { createMemoryLedger } from "./memory-ledger.ts";

const defaultMaxCustomers = 10_000;

/** The state of all wallets, by service and key: gates that share a registry share one truth about each wallet. */
export interface Registry {
  readonly customers: Map<string, Customers>;
  readonly recoveries: Recoveries;
}

/** A registry of its own, for tests; gates otherwise share the one of the process. */
export function createRegistry(): Registry {
  return { customers: new Map(), recoveries: new Recoveries() };
}

/** The registry of the process: a wallet must have one ledger, however often this module is evaluated. */
export function processRegistry(): Registry {
  return processWide("registry@3", createRegistry);
}

/** What the first gate on a service and key decides for all of them. */
interface CustomersOptions {
  /** Customers in memory; `undefined` leaves it to the first gate that says it, or else to the default. */
  readonly maxCustomers?: number | undefined;
  readonly ledger?: Ledger | undefined;
  readonly guard?: Guard | undefined;
  readonly clock?: Clock | undefined;
  /** Of the gate, for the ledger. */
  readonly terms?: LedgerTerms | undefined;
}

/**
 * The cache of this service and key, for this gate. The first gate decides its bound, its ledger, its guard and
 * its clock; a later one that says otherwise is refused. Caches that are no longer used are forgotten on the way.
 */
export function customersOf(
  registry: Registry,
  service: string,
  gate: object,
  options: CustomersOptions,
): Customers {
  const cache = registry.customers.get(service) ?? createCache(registry, service, options);
  checkAgreement(cache, options);
  if (options.terms !== undefined) cache.ledger.join?.(options.terms);
  cache.gates.add(gate);
  return cache;
}

function createCache(registry: Registry, service: string, options: CustomersOptions): Customers {
  for (const [other, cache] of registry.customers) if (cache.idle) registry.customers.delete(other);
  const { clock = systemClock, guard, maxCustomers = defaultMaxCustomers } = options;
  const ledger = options.ledger ?? createMemoryLedger(clock, guard && guardedPart(guard));
  const cache = new Customers({ service: new KnownService(service), ledger, guard, clock, maxCustomers });
  registry.customers.set(service, cache);
  return cache;
}

/** Where a bundler evaluates this module twice there are two `systemClock`, so clocks are not compared. */
function checkAgreement(cache: Customers, { ledger, guard, maxCustomers }: CustomersOptions): void {
  const first = "of the first gate on this service and key";
  if (ledger !== undefined && cache.ledger !== ledger) {
    invalidOption("ledger", `the ledger ${first}`, "another one");
  }
  if (shownGuard(cache.guard) !== shownGuard(guard)) {
    invalidOption("guard", `that ${first} (${shownGuard(cache.guard)})`, shownGuard(guard));
  }
  if (maxCustomers !== undefined && cache.maxCustomers !== maxCustomers) {
    invalidOption("maxCustomers", `that ${first} (${cache.maxCustomers})`, maxCustomers);
  }
}

function shownGuard(guard: Guard | undefined): string {
  if (guard === undefined) return "none";
  return `maxOutstanding ${guard.maxOutstanding}, minCapacity ${guard.minCapacity}`;
}
