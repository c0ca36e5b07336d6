import { checkIdentifier, checkInteger, checkNames, checkShape, systemClock } from "@creditgate/core/adapter";
import { type FleetOutbox, type FleetOutboxOptions, fleetOutboxOptionNames } from "./fleet-outbox-options.ts";
import type { OutboxStore } from "./outbox-store.ts";
import { StoredOutbox } from "./stored-outbox.ts";

/** An outbox for one gate over a store that other processes use too. Throws `invalid_option`. */
export function createFleetOutbox(store: OutboxStore, options: FleetOutboxOptions = {}): FleetOutbox {
  checkNames(options, fleetOutboxOptionNames);
  const { process, clock = systemClock } = options;
  checkShape("clock", clock, "a clock", ["now"]);
  return new StoredOutbox(store, {
    process: process === undefined ? undefined : checkIdentifier("process", process),
    maxReports: checkInteger("maxReports", options.maxReports ?? 100_000, 1, 10_000_000),
    maxBytes: checkInteger("maxBytes", options.maxBytes ?? 64 * 2 ** 20, 1, Number.MAX_SAFE_INTEGER),
    abandonMs: checkInteger("abandonMs", options.abandonMs ?? 60_000, 1_000, 86_400_000),
    clock,
  });
}
