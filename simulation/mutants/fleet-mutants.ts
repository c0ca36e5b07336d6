import type { FleetFaults } from "../src/fleet/fleet-scenario.ts";
import type { FleetOptions } from "../src/fleet/fleet-world.ts";
import { patch } from "./mutant.ts";
import type { Patch } from "./mutated-core.ts";

/** A store or a process that looks right and is not. */
export interface FleetMutant {
  readonly name: string;
  readonly patches: readonly Patch[];
  /** What the simulator does otherwise: a mistake that is not the source's, or faults that are rare. */
  readonly options?: Partial<FleetOptions>;
  /** Random schedules catch it too seldom: the directed schedule of this name does, or the contract of shared stores. */
  readonly directed?: string;
}

const step = "wallet/lease/exchange.ts";
const epoch = "wallet/lease/epoch.ts";
const time = "wallet/lease/account-time.ts";
const account = "wallet/lease/leased-account.ts";
const conversation = "wallet/lease/conversation.ts";
const block = "wallet/lease/leased-block.ts";
const word = "wallet/lease/composed-word.ts";
const waiting = "wallet/lease/waiting-holds.ts";
const lastWord = "wallet/lease/last-word.ts";
const predecessors = "wallet/lease/predecessors.ts";
const ledger = "wallet/lease/leased-ledger.ts";

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
const killed = { scenario: { faults: { ...none, kills: 3 }, lasting: [true, true, true, true] } };
const busyAndKilled: Partial<FleetOptions> = {
  scenario: { ...killed.scenario, outboxes: "named", isBusy: true, requests: 60, netMs: 40 },
};
const lossy = { scenario: { faults: { ...none, isLossy: true } } };
const stopped = { scenario: { faults: { ...none, pauses: 3 } } };
const older: Partial<FleetOptions> = { scenario: { faults: { ...none, loss: "older" } } };
const figuresLost: Partial<FleetOptions> = { scenario: { faults: { ...none, loss: "figures" } } };
const olderAndKilled: Partial<FleetOptions> = {
  scenario: { faults: { ...none, kills: 3, loss: "older" }, lasting: [true, true, true, true] },
};
const asleep = { scenario: { faults: { ...none, sleeps: 3, areLong: true } } };
const abandoned = {
  scenario: {
    faults: { ...none, pauses: 3, kills: 3, areLong: true },
    lasting: [false, false, false, false],
  },
};

const due = "const at = block.amount > 0 ? block.goneAt : block.expiresAt;";
const spent = "addUsage(account, at, tickMs, block.amount);";

/** Mistakes in the step of a shared store. */
export const stepMutants: readonly FleetMutant[] = [
  {
    name: "acknowledged usage leaves the block and counts nowhere",
    patches: [patch(step, "addUsage(account, now, terms.tickMs, word.acked, word.queued);", "")],
  },
  {
    name: "usage is forgotten by the next balance, without its lag",
    patches: [patch(step, "if (end + account.lagMs < stamp) {", "if (end < stamp) {")],
    options: { scenario: { tells: false } },
  },
  {
    name: "a service that tells is taken to have counted all usage",
    patches: [patch(step, "else if (end < stamp) told", "else told")],
    options: { scenario: { tells: true } },
  },
  {
    name: "no quarantine",
    patches: [
      patch(step, "if (now < born + terms.leaseMs) return false;", ""),
      patch(step, "return stamp > born + (tells ? 0 : lagMs);", "return true;"),
    ],
    options: older,
  },
  {
    name: "a quarantine without the lag",
    patches: [patch(step, "return stamp > born + (tells ? 0 : lagMs);", "return true;")],
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
    name: "a repeated word has an effect again",
    patches: [patch(step, "word.seq <= own.seq", "word.seq < 0")],
    options: lossy,
  },
  {
    name: "nothing is asked to register",
    patches: [
      patch(
        step,
        "if (word.epoch !== null && word.epoch !== epoch) return true;",
        "if (word.seq > 0) return false;",
      ),
    ],
    options: older,
    directed: "the contract of shared stores",
  },
  {
    name: "a block is free when its lease is over",
    patches: [patch(step, due, "const at = block.expiresAt;"), patch(step, spent, "")],
    options: stopped,
  },
  {
    name: "what a process does not use is free when its lease is over",
    patches: [
      patch(step, due, "const at = block.expiresAt;"),
      patch(step, spent, "addUsage(account, at, tickMs, block.amount - block.free);"),
    ],
    directed: "the contract of shared stores",
  },
  {
    name: "an abandoned block is free and not spent",
    patches: [patch(step, spent, "")],
    options: abandoned,
    directed: "the contract of shared stores",
  },
  {
    name: "a block of 0 is forgotten at once",
    patches: [
      patch(
        step,
        "if (!denied) return { calm, denied, waiting: 0 };",
        "if (amount === 0) setBlock(account, id, undefined); if (!denied) return { calm, denied, waiting: 0 };",
      ),
    ],
    directed: "the contract of shared stores",
  },
  {
    name: "a retired process is forgotten at once",
    patches: [
      patch(
        step,
        "setBlock(account, id, { amount: 0, free: 0, seq: most, expiresAt, goneAt: null, recalls: 0 });",
        "setBlock(account, id, undefined);",
      ),
    ],
    directed: "the contract of shared stores",
  },
  {
    name: "a balance of another epoch is taken",
    patches: [patch(step, "word.snapshot?.epoch === epoch", "word.snapshot !== undefined")],
    directed: "the contract of shared stores",
  },
  {
    name: "a copy of a word that comes when its block is forgotten brings that back",
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
    name: "a first word is taken for one that is new",
    patches: [patch(step, "at === null ||", "at !== null &&")],
    directed: "the contract of shared stores",
  },
  {
    name: "a late word that says nothing makes an older one look like news",
    patches: [patch(step, "own !== undefined || !isLate(now, word)", "true")],
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
    name: "figures that are lost are those of a wallet without blocks",
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
    name: "a block grows into the blocks of others",
    patches: [patch(step, "capacity - others - (account.used - shown)", "capacity - (account.used - shown)")],
  },
];

/** Mistakes of a process. */
export const processMutants: readonly FleetMutant[] = [
  {
    name: "a word that is not answered is said again under another number",
    patches: [
      patch(
        "wallet/lease/store-words.ts",
        "await this.#exchange(account, saying.word);",
        "await this.#exchange(account, { ...saying.word, seq: saying.word.seq + failures });",
      ),
    ],
    options: lossy,
  },
  {
    name: "the whole block may be used while a word gives some of it back",
    patches: [patch(word, "block.send(keep, moving);", "")],
  },
  {
    name: "a lease is counted from its answer",
    patches: [
      patch(
        block,
        "this.#validUntil = sentAt + validMs;",
        "this.#validUntil = this.#context.clock.now() + validMs;",
      ),
      patch(
        block,
        "this.#validUntilWall = sentWall + validMs;",
        "this.#validUntilWall = this.#context.wallClock() + validMs;",
      ),
    ],
    directed: "a lease that ends",
  },
  {
    name: "a block may be used for ever",
    patches: [
      patch(
        block,
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
        block,
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
    patches: [],
    options: { ...killed, forgetsAtOnce: true },
  },
  {
    name: "half of the lag",
    patches: [],
    options: { lagFactor: 0.5, scenario: { tells: false, lagMs: 5_000 } },
  },
  {
    name: "an older store takes the place of this one, and is no other epoch",
    patches: [],
    options: { ...older, tellsRuns: false },
  },
  {
    name: "blocks are lost, and that is no other epoch",
    patches: [],
    options: { scenario: { faults: { ...none, loss: "blocks" } }, tellsRuns: false },
  },
  {
    name: "earlier lives are not retired",
    patches: [patch(predecessors, "return this.#due.size > 0 ?", "return this.#due.size < 0 ?")],
    options: killed,
  },
  {
    name: "earlier lives are not retired again by an older store",
    patches: [patch(predecessors, "for (const id of this.#retired) this.#due.add(id);", "")],
    options: olderAndKilled,
  },
  {
    name: "the gates of a process have one block, whichever outbox they use",
    patches: [
      patch(ledger, "this.#parts.get(journal);", "this.#parts.get(journal) ?? [...this.#parts.values()][0];"),
    ],
    options: { scenario: { ...killed.scenario, faults: { ...none, kills: 3, outages: 2 }, gates: 2 } },
  },
  {
    name: "the last word is the one that gives the block back",
    patches: [patch(lastWord, "this.#isDue = true;", "return;")],
    directed: "the last word to an older store",
  },
  {
    name: "a process is not noted before its first word",
    patches: [
      patch(conversation, "if (speaker.mayGet() && !this.#isNoted && !(await this.#note())) break;", ""),
    ],
    options: killed,
  },
  {
    name: "the note of a block ends and begins in one step of the outbox, and is gone",
    patches: [
      patch(
        "delivery/fleet-outbox/step-plan.ts",
        "if (claimed === undefined || items.some((item) => claimed.has(item))) return false;",
        "if (claimed === undefined) return false;",
      ),
    ],
    options: busyAndKilled,
  },
  {
    name: "usage that was on its way when the store asked to register is forgotten there",
    patches: [
      patch(
        account,
        "this.#acknowledged.putBack(moving);\n    this.#conversation.speak();",
        "this.#conversation.speak();",
      ),
    ],
    options: older,
  },
  {
    name: "what was given back to a store that lost it is registered again",
    patches: [
      patch(block, "isOther ? Math.min(this.#amount, keep + acked) : 0", "isOther ? this.#amount : 0"),
    ],
    directed: "a block that was given back to a store that lost it",
  },
  {
    name: "a request is denied by a balance of before it came",
    patches: [patch("wallet/lease/stored-balance.ts", "return storeTimeOf(", "return 0 * storeTimeOf(")],
  },
  {
    name: "a balance is taken for news by a clock that stood still",
    patches: [
      patch(
        "wallet/lease/lease-context.ts",
        "Math.max(0, clock.now() - heard.sentAt, wallClock() - heard.sentWall)",
        "Math.max(0, clock.now() - heard.sentAt)",
      ),
    ],
    options: asleep,
    directed: "news after a sleep",
  },
  {
    name: "what is left is held as if it were all, in a fleet",
    patches: [
      patch("wallet/headroom.ts", "const taken = least === amount ? amount :", "const taken = amount ||"),
    ],
  },
  {
    name: "denied although others have something left",
    patches: [patch(waiting, "if (denied && waiting > 0)", "if (denied && waiting < 0)")],
    directed: "a recall",
  },
  {
    name: "what was given back to another process is asked for again at once",
    patches: [patch(word, "givesBack || block.isYielding ? 0", "givesBack ? 0")],
    directed: "a recall from a busy process",
  },
  {
    name: "a recall is not heard",
    patches: [patch(block, "return this.#recallsSeen > this.#recallsAnswered;", "return false;")],
    directed: "a recall",
  },
];
