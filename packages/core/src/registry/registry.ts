import { verbose } from "#verbosity";
import { KnownService } from "../service/known-service.ts";
import { type Clock, systemClock } from "../values/clock.ts";
import { invalidOption } from "../values/option.ts";
import { processWide } from "../values/process-wide.ts";
import { type Guard, guardedPart } from "../wallet/guard.ts";
import type { Ledger, LedgerTerms } from "../wallet/ledger.ts";
import { createMemoryLedger } from "../wallet/memory-ledger.ts";
import { Customers } from "./customers.ts";
import type { Recoveries } from "./recoveries.ts";

const defaultMaxCustomers = 10_000;

/** The state of all wallets, by service and key: gates that share a registry share one truth about each wallet. */
export interface Registry {
  readonly customers: Map<string, Customers>;
  /** `undefined` until the first gate with a durable outbox: bundles without one do not have the class. */
  recoveries: Recoveries | undefined;
  /** By a service and key, what a shared ledger calls the service: a gate without a ledger shares that one too. */
  readonly sharedNames: Map<string, string>;
}

/** A registry of its own, for tests; gates otherwise share the one of the process. */
export function createRegistry(): Registry {
  return { customers: new Map(), recoveries: undefined, sharedNames: new Map() };
}

/** The registry of the process: a wallet must have one ledger, however often this module is evaluated. */
export function processRegistry(): Registry {
  return processWide("registry@4", createRegistry);
}

/** What the first gate on a service and key decides for all of them. */
interface CustomersOptions {
  /** Customers in memory; `undefined`: as the first gate that sets it, or else the default. */
  readonly maxCustomers?: number | undefined;
  readonly ledger?: Ledger | undefined;
  readonly guard?: Guard | undefined;
  readonly clock?: Clock | undefined;
  /** The service and key, where a shared ledger calls them otherwise. */
  readonly ownName?: string | undefined;
  /** Of the gate, for the ledger. */
  readonly terms?: LedgerTerms | undefined;
}

/**
 * The cache of this service and key, for this gate. The first gate decides its bound, its ledger, its guard and its
 * clock; a later one with other options is refused. Unused caches are dropped here.
 */
export function customersOf(
  registry: Registry,
  name: string,
  gate: object,
  options: CustomersOptions,
): Customers {
  const service = nameInUse(registry, name, options.ownName);
  const cache = registry.customers.get(service) ?? createCache(registry, service, options);
  checkAgreement(cache, options);
  if (options.terms !== undefined) cache.ledger.join?.(options.terms);
  cache.gates.add(gate);
  return cache;
}

/** Two ledgers of one process would each give out the whole wallet. */
function nameInUse({ customers, sharedNames }: Registry, name: string, ownName: string | undefined): string {
  if (ownName === undefined || ownName === name) {
    const shared = sharedNames.get(name);
    return shared !== undefined && customers.get(shared)?.idle === false ? shared : name;
  }
  if (customers.get(ownName)?.idle === false) {
    invalidOption("ledger", verbose && `the ledger ${ofFirst}`, "a later, shared one");
  }
  sharedNames.set(ownName, name);
  return name;
}

const ofFirst = verbose && "of the first gate on this service and key";

function createCache(registry: Registry, service: string, options: CustomersOptions): Customers {
  for (const [other, cache] of registry.customers) if (cache.idle) registry.customers.delete(other);
  const { clock = systemClock, guard, maxCustomers = defaultMaxCustomers } = options;
  const ledger = options.ledger ?? createMemoryLedger(clock, guard && guardedPart(guard));
  const kind = ledger.flush !== undefined ? "shared" : guard ? "guard" : "memory";
  const known = new KnownService(service, { id: crypto.randomUUID(), ledger: kind });
  const cache = new Customers({ service: known, ledger, guard, clock, maxCustomers });
  registry.customers.set(service, cache);
  return cache;
}

/** Where a bundler evaluates this module twice there are two `systemClock`, so clocks are not compared. */
function checkAgreement(cache: Customers, { ledger, guard, maxCustomers }: CustomersOptions): void {
  if (ledger !== undefined && cache.ledger !== ledger) {
    invalidOption("ledger", verbose && `the ledger ${ofFirst}`, "another one");
  }
  if (shownGuard(cache.guard) !== shownGuard(guard)) {
    invalidOption("guard", verbose && `that ${ofFirst} (${shownGuard(cache.guard)})`, shownGuard(guard));
  }
  if (maxCustomers !== undefined && cache.maxCustomers !== maxCustomers) {
    invalidOption("maxCustomers", verbose && `that ${ofFirst} (${cache.maxCustomers})`, maxCustomers);
  }
}

function shownGuard(guard: Guard | undefined): string {
  if (guard === undefined) return "none";
  return `maxOutstanding ${guard.maxOutstanding}, minCapacity ${guard.minCapacity}`;
}
