import { MemoryOutboxStore } from "@creditgate/conformance";
import {
  type Clock,
  createGate,
  createRegistry,
  type Gate,
  type Ledger,
  type Outbox,
} from "@creditgate/core";
import type { Random } from "@creditgate/core/testing";
import { FleetClock } from "../fleet/fleet-clock.ts";
import { OutboxFile } from "../outbox-file.ts";
import { createSlowOutbox } from "../slow-outbox.ts";
import { clientOf, type Faults } from "./budget-client.ts";
import { type BudgetFleet, openOutbox } from "./budget-fleet.ts";
import type { BudgetService } from "./budget-service.ts";

/** A process with two gates on one wallet. */
export interface Process {
  readonly clock: FleetClock;
  readonly gates: readonly [Gate, Gate];
  /** How old a balance may be that lets work in. */
  readonly maxStaleMs: number;
  /** How much of its work pauses. */
  pauses: number;
}

/** Where a process keeps its outboxes, and what it shares with others: the same for its successor. */
export interface Home {
  readonly ledger: ((clock: FleetClock) => Ledger) | undefined;
  readonly outboxes: readonly ((clock: FleetClock) => Outbox)[];
  /** Its process dies: what is not on the disk is gone. */
  lose(): void;
}

export function homeIn(clock: Clock, fleet: BudgetFleet | undefined, random: Random, faults: Faults): Home {
  if (fleet !== undefined) {
    const stores = [new MemoryOutboxStore(() => clock.now()), new MemoryOutboxStore(() => clock.now())];
    return {
      ledger: (processClock) => fleet.ledger(processClock),
      outboxes: stores.map((store) => (processClock: FleetClock) => openOutbox(store, processClock)),
      lose() {},
    };
  }
  const files = [new OutboxFile(clock), new OutboxFile(clock)];
  const nextAppend = () => ({
    delayMs: random.chance(faults.disk) ? random.integer(1, 3_000) : 0,
    fails: random.chance(faults.disk),
  });
  return {
    ledger: undefined,
    outboxes: files.map((file) => (processClock: FleetClock) => {
      return createSlowOutbox({ clock: processClock, file, durable: true, nextAppend });
    }),
    lose() {
      for (const file of files) file.lose();
    },
  };
}

export function start(
  home: Home,
  clock: Clock,
  service: BudgetService,
  random: Random,
  faults: Faults,
): Process {
  const maxStaleMs = random.integer(3_000, 20_000);
  const resumesPerSecond = random.pick([1, 50]);
  const processClock = new FleetClock(clock);
  const registry = createRegistry();
  const client = clientOf(service, processClock, random, faults);
  const ledger = home.ledger?.(processClock);
  const [first, second] = home.outboxes.map((open) =>
    createGate({
      client,
      currency: "ai_credits",
      registry,
      clock: processClock,
      random: () => random.next(),
      outbox: open(processClock),
      ...(ledger && { ledger }),
      actionTimeoutMs: 0,
      lagWatch: false,
      check: false,
      openTelemetry: false,
      logger: false,
      settlementLagMs: 5_000,
      ttlMs: random.integer(100, 3_000),
      maxStaleMs,
      resumesPerSecond,
      minRefreshMs: random.integer(0, 250),
    }),
  );
  if (first === undefined || second === undefined) throw new Error("two gates");
  return { clock: processClock, gates: [first, second], maxStaleMs, pauses: 0 };
}
