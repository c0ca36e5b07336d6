import type { FleetFaults } from "../src/fleet/fleet-scenario.ts";
import type { FleetOptions } from "../src/fleet/fleet-world.ts";
import { type Patch, patch } from "./mutant.ts";

/** A store or a process that looks right and is not. */
export interface FleetMutant {
  readonly name: string;
  readonly patches: readonly Patch[];
  /** What the simulator does otherwise: a mistake that is not the source's, or faults that are rare. */
  readonly options?: Partial<FleetOptions>;
  /** Random schedules catch it too seldom: the directed schedule of this name does, or the contract of shared stores. */
  readonly directed?: string;
  /** A random schedule that catches it, where few do: the search begins there. */
  readonly seed?: number;
}

const step = "fleet/src/lease/exchange.ts";
const epoch = "fleet/src/lease/epoch.ts";
const time = "fleet/src/lease/exchange.ts";
const account = "fleet/src/lease/leased-account.ts";
const syncLoop = "fleet/src/lease/sync-loop.ts";
const reservation = "fleet/src/lease/leased-reservation.ts";
const composed = "fleet/src/lease/composed-request.ts";
const waiting = "fleet/src/lease/waiting-holds.ts";
const finalSync = "fleet/src/lease/final-sync.ts";
const predecessors = "fleet/src/lease/predecessors.ts";
const ledger = "fleet/src/lease/leased-ledger.ts";

const none: FleetFaults = {
  kills: 0,
  pauses: 0,
  sleeps: 0,
  cuts: 0,
  outages: 0,
  areLong: false,
  isLossy: false,
  aheadMs: 0,
  loss: undefined,
};
const killed = { scenario: { faults: { ...none, kills: 3 }, durable: [true, true, true, true] } };
const busyAndKilled: Partial<FleetOptions> = {
  scenario: { ...killed.scenario, outboxes: "named", isBusy: true, requests: 60, netMs: 40 },
};
const lossy = { scenario: { faults: { ...none, isLossy: true } } };
const stopped = { scenario: { faults: { ...none, pauses: 3 } } };
const older: Partial<FleetOptions> = { scenario: { faults: { ...none, loss: "older" } } };
const figuresLost: Partial<FleetOptions> = { scenario: { faults: { ...none, loss: "figures" } } };
const olderAndKilled: Partial<FleetOptions> = {
  scenario: { faults: { ...none, kills: 3, loss: "older" }, durable: [true, true, true, true] },
};
const asleep = { scenario: { faults: { ...none, sleeps: 3, areLong: true } } };
const abandoned = {
  scenario: {
    faults: { ...none, pauses: 3, kills: 3, areLong: true },
    durable: [false, false, false, false],
  },
};

const due = "const at = reservation.amount > 0 ? reservation.goneAt : reservation.expiresAt;";
const spent = "addUsage(account, at, windowMs, reservation.amount);";

/** Mistakes in the step of a shared store. */
export const stepMutants: readonly FleetMutant[] = [
  {
    name: "acknowledged usage leaves the reservation and counts nowhere",
    patches: [patch(step, "addUsage(account, now, terms.windowMs, request.acked, request.queued);", "")],
  },
  {
    name: "usage is forgotten by the next balance, without its lag",
    patches: [patch(step, "if (end + account.lagMs < stamp) {", "if (end < stamp) {")],
    options: { scenario: { extended: false } },
  },
  {
    name: "an extended service is taken to have counted all usage",
    patches: [patch(step, "else if (end < stamp) counted", "else counted")],
    options: { scenario: { extended: true } },
  },
  {
    name: "no quarantine",
    seed: 63,
    patches: [
      patch(step, "if (now < born + terms.leaseMs) return false;", ""),
      patch(step, "return stamp > born + (extended ? 0 : lagMs);", "return true;"),
    ],
    options: older,
  },
  {
    name: "a quarantine without the lag",
    patches: [patch(step, "return stamp > born + (extended ? 0 : lagMs);", "return true;")],
    directed: "the contract of shared stores",
  },
  {
    name: "a fall of the balance is taken for usage although an earlier epoch had spent it",
    patches: [
      patch(
        step,
        "account.stamp !== null && account.stamp > born + account.lagMs;",
        "account.stamp !== null;",
      ),
    ],
    directed: "the contract of shared stores",
  },
  {
    name: "a repeated request has an effect again",
    patches: [patch(step, "request.seq <= own.seq", "request.seq < 0")],
    options: lossy,
  },
  {
    name: "nothing is asked to register",
    patches: [
      patch(
        step,
        "if (request.epoch !== null && request.epoch !== epoch) return true;",
        "if (request.seq > 0) return false;",
      ),
    ],
    options: older,
    directed: "the contract of shared stores",
  },
  {
    name: "a reservation is free when its lease is over",
    seed: 9,
    patches: [patch(step, due, "const at = reservation.expiresAt;"), patch(step, spent, "")],
    options: stopped,
  },
  {
    name: "what a process does not use is free when its lease is over",
    patches: [
      patch(step, due, "const at = reservation.expiresAt;"),
      patch(step, spent, "addUsage(account, at, windowMs, reservation.amount - reservation.free);"),
    ],
    directed: "the contract of shared stores",
  },
  {
    name: "an abandoned reservation is free and not spent",
    patches: [patch(step, spent, "")],
    options: abandoned,
    directed: "the contract of shared stores",
  },
  {
    name: "a reservation of 0 is forgotten at once",
    patches: [
      patch(
        step,
        "if (!denied) return { calm, denied, waiting: 0 };",
        "if (amount === 0) setReservation(account, id, undefined); if (!denied) return { calm, denied, waiting: 0 };",
      ),
    ],
    directed: "the contract of shared stores",
  },
  {
    name: "a retired process is forgotten at once",
    patches: [
      patch(
        step,
        "setReservation(account, id, { amount: 0, free: 0, seq: most, expiresAt, goneAt: null, recalls: 0 });",
        "setReservation(account, id, undefined);",
      ),
    ],
    directed: "the contract of shared stores",
  },
  {
    name: "a balance of another epoch is taken",
    patches: [patch(step, "request.snapshot?.epoch === epoch", "request.snapshot !== undefined")],
    directed: "the contract of shared stores",
  },
  {
    name: "a copy of a request that comes when its reservation is forgotten brings that back",
    seed: 24,
    patches: [patch(step, "now >= at + terms.leaseMs", "false")],
    options: {
      scenario: {
        ...killed.scenario,
        faults: { ...none, kills: 3, isLossy: true },
        outboxes: "own",
        requests: 30,
      },
    },
  },
  {
    name: "a first request is taken for one that is new",
    patches: [patch(step, "at === null ||", "at !== null &&")],
    directed: "the contract of shared stores",
  },
  {
    name: "a late request that says nothing makes an older one look like news",
    patches: [patch(step, "own !== undefined || !isLate(now, request)", "true")],
    directed: "the contract of shared stores",
  },
  {
    name: "time stands still until the clock has caught up",
    patches: [patch(time, "now + Math.max(0, present - clock)", "now")],
    directed: "news after the store's clock has stepped back",
  },
  {
    name: "the step by which a clock is put right counts as time",
    patches: [patch(time, "present >= now ?", "present >= now && clock >= now ?")],
    directed: "the contract of shared stores",
  },
  {
    name: "time steps back with the clock",
    patches: [patch(time, "present >= now ? present :", "present === present ? present :")],
    options: { scenario: { faults: { ...none, aheadMs: 3_600_000 } } },
  },
  {
    name: "figures that are lost are those of a wallet without reservations",
    patches: [
      patch(epoch, "account.inForce++;", ""),
      patch(epoch, "account.out = plus(account.out, amount);", ""),
    ],
    options: figuresLost,
  },
  {
    name: "usage whose sum is lost is forgotten",
    patches: [patch(epoch, "amount = Math.max(amount, account.used);", "amount = account.used;")],
    directed: "the contract of shared stores",
  },
  {
    name: "usage is forgotten of which only the sum is left",
    patches: [patch(epoch, "amount = Math.max(amount, account.used);", "")],
    directed: "the contract of shared stores",
  },
  {
    name: "a reservation grows into the reservations of others",
    patches: [patch(step, "capacity - others - (account.used - shown)", "capacity - (account.used - shown)")],
  },
];

/** Mistakes of a process. */
export const processMutants: readonly FleetMutant[] = [
  {
    name: "a request that is not answered is said again under another number",
    patches: [
      patch(
        "fleet/src/lease/sync-queue.ts",
        "await this.#exchange(account, sent.request);",
        "await this.#exchange(account, { ...sent.request, seq: sent.request.seq + failures });",
      ),
    ],
    options: lossy,
  },
  {
    name: "the whole reservation may be used while a request gives some of it back",
    seed: 78,
    patches: [patch(composed, "reservation.send(keep, moving);", "")],
  },
  {
    name: "a lease is counted from its answer",
    patches: [
      patch(
        reservation,
        "this.#validUntil = sentAt + validMs;",
        "this.#validUntil = this.#context.clock.now() + validMs;",
      ),
      patch(
        reservation,
        "this.#validUntilWall = sentWall + validMs;",
        "this.#validUntilWall = this.#context.wallClock() + validMs;",
      ),
    ],
    directed: "a lease that ends",
  },
  {
    name: "a reservation may be used for ever",
    patches: [
      patch(
        reservation,
        "return clock.now() < this.#validUntil && wallClock() < this.#validUntilWall;",
        "return true;",
      ),
    ],
    options: abandoned,
    directed: "a lease that ends",
  },
  {
    name: "a lease is counted by a clock that stands still in sleep",
    patches: [
      patch(
        reservation,
        "return clock.now() < this.#validUntil && wallClock() < this.#validUntilWall;",
        "return clock.now() < this.#validUntil;",
      ),
    ],
    directed: "a lease that ends",
  },
  {
    name: "unacknowledged usage is not in the base",
    patches: [patch(account, "Math.max(0, this.#outstanding - moving.amount)", "this.held")],
  },
  {
    name: "a report leaves its outbox before the store has counted it",
    seed: 28,
    patches: [],
    options: { ...killed, forgetsAtOnce: true },
  },
  {
    name: "half of the lag",
    patches: [],
    options: { lagFactor: 0.5, scenario: { extended: false, lagMs: 5_000 } },
  },
  {
    name: "an older store takes the place of this one, and is no other epoch",
    patches: [],
    options: { ...older, detectsRestarts: false },
  },
  {
    name: "reservations are lost, and that is no other epoch",
    patches: [],
    options: { scenario: { faults: { ...none, loss: "reservations" } }, detectsRestarts: false },
  },
  {
    name: "earlier lives are not retired",
    patches: [patch(predecessors, "return this.#due.size > 0 ?", "return this.#due.size < 0 ?")],
    options: killed,
  },
  {
    name: "earlier lives are not retired again by an older store",
    seed: 202,
    patches: [patch(predecessors, "for (const id of this.#retired) this.#due.add(id);", "")],
    options: olderAndKilled,
  },
  {
    name: "the gates of a process have one reservation, whichever outbox they use",
    seed: 28,
    patches: [
      patch(ledger, "this.#parts.get(journal);", "this.#parts.get(journal) ?? [...this.#parts.values()][0];"),
    ],
    options: { scenario: { ...killed.scenario, faults: { ...none, kills: 3, outages: 2 }, gates: 2 } },
  },
  {
    name: "the last request is the one that gives the reservation back",
    patches: [patch(finalSync, "this.#isDue = true;", "return;")],
    directed: "the last sync to an older store",
  },
  {
    name: "a process is not noted before its first request",
    patches: [patch(syncLoop, "return this.#owner.mayGet() && !this.#isNoted;", "return false;")],
    options: killed,
  },
  {
    name: "the note of a reservation ends and begins in one step of the outbox, and is gone",
    seed: 120,
    patches: [
      patch(
        "fleet/src/outbox/step-plan.ts",
        "if (claimed === undefined || items.some((item) => claimed.has(item))) return false;",
        "if (claimed === undefined) return false;",
      ),
    ],
    options: busyAndKilled,
  },
  {
    name: "usage that was on its way when the store asked to register is forgotten there",
    patches: [
      patch(account, "this.#acknowledged.putBack(moving);\n    // Twice in a row", "// Twice in a row"),
    ],
    options: older,
  },
  {
    name: "what was given back to a store that lost it is registered again",
    patches: [
      patch(reservation, "isOther ? Math.min(this.#amount, keep + acked) : 0", "isOther ? this.#amount : 0"),
    ],
    directed: "a reservation that was given back to a store that lost it",
  },
  {
    name: "a request is denied by a balance of before it came",
    patches: [patch("fleet/src/lease/stored-balance.ts", "return storeTimeOf(", "return 0 * storeTimeOf(")],
  },
  {
    name: "a balance is taken for news by a clock that stood still",
    patches: [
      patch(
        "fleet/src/lease/lease-context.ts",
        "Math.max(0, clock.now() - received.sentAt, wallClock() - received.sentWall)",
        "Math.max(0, clock.now() - received.sentAt)",
      ),
    ],
    options: asleep,
    directed: "news after a sleep",
  },
  {
    name: "what is left is held as if it were all, in a fleet",
    patches: [
      patch(
        "core/src/wallet/headroom.ts",
        "const taken = least === amount ? amount :",
        "const taken = amount ||",
      ),
    ],
  },
  {
    name: "denied although others have something left",
    patches: [patch(waiting, "if (denied && waiting > 0)", "if (denied && waiting < 0)")],
    directed: "a recall",
  },
  {
    name: "what was given back to another process is asked for again at once",
    patches: [patch(composed, "givesBack || reservation.isYielding ? 0", "givesBack ? 0")],
    directed: "a recall from a busy process",
  },
  {
    name: "a recall is not received",
    patches: [patch(reservation, "return this.#recallsSeen > this.#recallsAnswered;", "return false;")],
    directed: "a recall",
  },
];
