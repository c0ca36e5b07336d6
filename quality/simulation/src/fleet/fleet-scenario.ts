import type { Random } from "@creditgate/core/testing";

/** What a seed draws for a fleet. Times are milliseconds. */
export interface FleetScenario {
  /** Micro-credits in the wallet at first. */
  readonly funds: number;
  /** For each process, whether its outbox outlasts it. */
  readonly durable: readonly boolean[];
  /** How many gates the first process has, each with an outbox of its own, if its outboxes outlast it. */
  readonly gates: number;
  /** Whether each outbox that lasts has a store of its own, as a file is; or all share one, and a process has the name of its successor or none. */
  readonly outboxes: "own" | "named" | "unnamed";
  /** Whether the outboxes that share a store are busy with the work of other customers: a step is on its way nearly all the time. */
  readonly isBusy: boolean;
  readonly leases: boolean;
  readonly leaseMs: number;
  readonly abandonMs: number;
  readonly windowMs: number;
  /** Within this time the service debits what it has accepted. */
  readonly lagMs: number;
  readonly maxStaleMs: number;
  readonly ttlMs: number;
  /** The most that one way of a message takes. */
  readonly netMs: number;
  /** Whether the service is extended, at first; and when that changes. */
  readonly extended: boolean;
  readonly switchesAt: number;
  /** Whether the store may have been used before. */
  readonly isNew: boolean;
  /** When many requests come at once. */
  readonly bursts: readonly [number, ...number[]];
  readonly requests: number;
  readonly topUps: readonly number[];
  readonly faults: FleetFaults;
}

/** What goes wrong. */
export interface FleetFaults {
  /** How many processes die, and start again. */
  readonly kills: number;
  /** How many stop for a while. Of these some sleep with their machine, whose clock stands still. */
  readonly pauses: number;
  readonly sleeps: number;
  /** How many cannot reach the store for a while. */
  readonly cuts: number;
  /** How often the service takes no reports for a while. */
  readonly outages: number;
  /** Whether pauses and cuts are longer than `abandonMs`. */
  readonly areLong: boolean;
  /** Whether syncs, answers and posts are lost and doubled. */
  readonly isLossy: boolean;
  /** How far ahead the clock of the store is, until it is set back in the midst of all. */
  readonly aheadMs: number;
  /** The store is emptied, or replaced by an older one with another clock, or loses this part of the account. */
  readonly loss: "emptied" | "older" | "figures" | "reservations" | "windows" | undefined;
}

/** Time of faults; what comes after is quiet, until all of it has been forgotten. */
export const unrestMs = 12_000;

export function drawFleet(random: Random): FleetScenario {
  const bursts = (): number => random.integer(200, unrestMs);
  return {
    funds: random.integer(60, random.chance(0.3) ? 3_000 : 600),
    durable: [0, 1, 2, 3].map(() => random.chance(0.6)),
    leases: random.chance(0.85),
    leaseMs: 2_000,
    abandonMs: random.integer(2_500, 5_000),
    windowMs: random.integer(1, 100),
    lagMs: random.integer(20, random.pick([300, 300, 1_500, 6_000])),
    maxStaleMs: 6_000,
    ttlMs: random.integer(200, 1_500),
    netMs: random.integer(1, 40),
    extended: random.chance(0.4),
    switchesAt: random.chance(0.2) ? random.integer(2_000, unrestMs - 2_000) : Number.POSITIVE_INFINITY,
    isNew: random.chance(0.5),
    bursts: [bursts(), bursts(), bursts(), bursts(), bursts(), bursts()],
    requests: random.integer(100, 450),
    topUps: random.chance(0.5) ? [bursts(), bursts()] : [],
    faults: {
      kills: random.chance(0.6) ? random.integer(1, 3) : 0,
      pauses: random.chance(0.5) ? random.integer(1, 3) : 0,
      sleeps: random.chance(0.2) ? random.integer(1, 2) : 0,
      cuts: random.chance(0.4) ? random.integer(1, 2) : 0,
      outages: random.chance(0.3) ? random.integer(1, 2) : 0,
      areLong: random.chance(0.25),
      isLossy: random.chance(0.4),
      aheadMs: random.chance(0.2) ? 3_600_000 : 0,
      loss: random.chance(0.5)
        ? random.pick(["emptied", "older", "older", "figures", "reservations", "windows"])
        : undefined,
    },
    gates: random.chance(0.3) ? 2 : 1,
    outboxes: random.pick(["own", "named", "unnamed"]),
    isBusy: random.chance(0.15),
  };
}
