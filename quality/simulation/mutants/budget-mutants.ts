import type { BudgetSimulationOptions } from "../src/budgets/budget-simulation.ts";
import { type Patch, patch } from "./mutant.ts";

/** A mistake with budgets: of the gate, or of the service. */
export interface BudgetMutant {
  readonly name: string;
  readonly patches: readonly Patch[];
  readonly options?: Partial<BudgetSimulationOptions>;
  /** A random schedule that catches it, where few do: the search begins there. */
  readonly seed?: number;
}

const capped = "core/src/wallet/budgets/capped-account.ts";
const named = "core/src/wallet/budgets/named-budget.ts";
const run = "core/src/wallet/budgets/run-budget.ts";
const part = "fleet/src/lease/lease-part.ts";
const fleet = { processes: 3 } as const;
/** Periods that begin anew while work goes on, by replicas whose clocks differ. */
const periods = { processes: 3, resets: true, skewMs: -2_500 } as const;
/** Replicas of two versions, and one process that sees it all. */
const mixed = { oldReplica: true, restarts: false, skewMs: 0 } as const;

export const budgetMutants: readonly BudgetMutant[] = [
  {
    name: "a budget is not asked for its room",
    patches: [
      patch(capped, "if (!own.admitted) return refusedBy(this.#cap, own);", ""),
      patch(capped, "hold(own.amount, kind", "hold(own.amount ?? least, kind"),
    ],
  },
  {
    name: "a budget that has not been read is no limit",
    patches: [
      patch(capped, "if (!own.admitted) return", "if (!own.admitted && own.capacity !== undefined) return"),
      patch(capped, "hold(own.amount, kind", "hold(own.amount ?? least, kind"),
    ],
  },
  {
    name: "a hold is in the wallet alone",
    patches: [
      patch(
        capped,
        "if (under.amount < own.amount) void account.release(own, under.amount);",
        "void account.release(own);",
      ),
    ],
  },
  {
    name: "a cost that the service returned is corrected in the wallet alone, beyond the hold",
    patches: [
      patch(
        capped,
        "this.#cap.account.settle(pair?.own, amounts)",
        "this.#cap.account.settle(pair?.own, amounts.map(() => 0))",
      ),
    ],
  },
  {
    name: "what was stored without a budget counts as stored with it",
    patches: [patch(capped, "key === undefined || budgets.includes(key)", "true")],
    options: mixed,
  },
  {
    name: "a report names no period",
    patches: [patch(capped, "period === undefined ? { key } : { key, period }", "{ key }")],
    options: { skewMs: 2_500 },
  },
  {
    name: "the service counts by receipt alone",
    patches: [],
    options: { byReceiptOnly: true, skewMs: 2_500 },
  },
  {
    name: "the period may go back",
    seed: 11,
    patches: [patch(named, "periodAt <= this.#periodAt", "periodAt === Number.NEGATIVE_INFINITY")],
    options: { skewMs: -2_500 },
  },
  {
    name: "what is not settled is not counted",
    patches: [patch(named, "unsettled: reading.unsettled", "unsettled: 0")],
  },
  {
    name: "an answer that a cache may have kept is believed",
    patches: [patch("core/src/service/control-plane.ts", "answer.isFresh === true", "true")],
  },
  {
    name: "a restart forgets the budgets of what waits",
    patches: [
      patch(
        "core/src/delivery/recovery.ts",
        "this.#settings.outbox.reservations, budgets)",
        "this.#settings.outbox.reservations)",
      ),
    ],
  },
  {
    name: "a run forgets what it has spent",
    patches: [
      patch(
        run,
        "const share = this.end(usage);",
        "const share = this.end(usage);\n    if (share !== undefined) this.used -= share.amount;",
      ),
    ],
  },
];

const edits = { edits: true } as const;

/** Mistakes with budgets whose limits change, or that are deleted and created again. */
export const editMutants: readonly BudgetMutant[] = [
  {
    name: "a limit stays as it was read first",
    patches: [
      patch(named, "this.limit = limit;", "this.limit ??= limit;"),
      patch(named, "const left = reading.limit - reading.used;", "const left = this.limit - reading.used;"),
    ],
    options: edits,
  },
  {
    name: "a lower limit is not believed",
    patches: [
      patch(named, "this.limit = limit;", "this.limit = limit && Math.max(limit, this.limit ?? 0);"),
      patch(named, "const left = reading.limit - reading.used;", "const left = this.limit - reading.used;"),
    ],
    options: edits,
    seed: 59,
  },
  {
    name: "a budget that is deleted is none",
    patches: [
      patch(
        named,
        'if (reading === "unknown") return none;',
        'if (reading === "unknown") return { prepaid: Number.POSITIVE_INFINITY, postpaid: 0, unsettled: 0 };',
      ),
    ],
    options: edits,
  },
  {
    name: "what a budget holds is forgotten when it is deleted",
    patches: [
      patch(
        named,
        "this.#learn(reading, request.stamp);",
        'this.#learn(reading, request.stamp);\n    if (reading === "unknown") this.account.held = this.account.used = 0;',
      ),
    ],
    options: edits,
    seed: 241,
  },
];

const customers = "core/src/wallet/budgets/customer-budgets.ts";

/** Memory that has room for some of the budgets only. */
export const fewBudgets: readonly Patch[] = [
  patch(customers, "const mostBudgets = 100_000;", "const mostBudgets = 5;"),
  patch(customers, "const searchPauseMs = 1_000;", "const searchPauseMs = 100;"),
];

/** Mistakes where budgets are forgotten. */
export const forgettingMutants: readonly BudgetMutant[] = [
  {
    name: "a budget is forgotten although it holds something",
    patches: [
      ...fewBudgets,
      patch(
        "core/src/wallet/budgets/named-budgets.ts",
        "if (budget.idle(now)) budgets.delete(key)",
        "budgets.delete(key)",
      ),
    ],
  },
  {
    name: "a budget is forgotten although a decision waits for it",
    patches: [...fewBudgets, patch(customers, "|| customer.isActive", "")],
  },
];

const pauses = "core/src/charge/pauses.ts";
/** What it forgets to give back is not given back by its end. */
const stays = { restarts: false } as const;

/** Mistakes with work that pauses. */
export const pauseMutants: readonly BudgetMutant[] = [
  {
    name: "work that pauses keeps what it holds",
    patches: [patch("core/src/charge/pause.ts", "inside.billSoFar()", "undefined")],
  },
  {
    name: "what goes on after a pause is billed by the ID of what was billed before",
    patches: [
      patch(
        "core/src/charge/admitted-work.ts",
        "this.work = { ...work, id: this.nextId() };",
        "this.work = { ...work };",
      ),
      patch("core/src/charge/admitted-work.ts", "      this.work = work;\n      this", "      this"),
    ],
  },
  {
    name: "work holds while it waits for its turn",
    seed: 40,
    patches: [
      patch(
        pauses,
        "await judged.account?.release(judged.hold);\n      if (!(await this.#turns",
        "if (!(await this.#turns",
      ),
    ],
    options: stays,
  },
  {
    name: "what is held for work whose wait is over stays held",
    seed: 10,
    patches: [patch(pauses, "hold && account?.release(hold)", "undefined")],
    options: stays,
  },
  {
    name: "work pauses for longer than it was told to",
    seed: 2,
    patches: [patch(pauses, "clock.schedule(Math.max(0, until - clock.now()), end)", "() => {}")],
  },
];

/** Mistakes of the service with credits that expire. */
export const expiryMutants: readonly BudgetMutant[] = [
  {
    name: "work that was let in before credits expired is not paid from them",
    patches: [],
    options: { expired: "gone" },
  },
  {
    name: "credits that have expired are offered until all is paid",
    patches: [],
    options: { expired: "offered" },
  },
  {
    name: "credits that have expired are the first to pay",
    patches: [],
    options: { expired: "first" },
  },
  {
    name: "credits lapse before all usage is settled that was received before",
    patches: [],
    options: { expired: "hurried", lateMs: 2_000 },
    seed: 75,
  },
];

/** Mistakes with budgets in a fleet. */
export const fleetBudgetMutants: readonly BudgetMutant[] = [
  {
    name: "each process has a budget of its own",
    patches: [
      patch(
        "fleet/src/lease/leased-ledger.ts",
        "nameOf({ service, customerId, currency, budget })",
        "nameOf({ service: service + this.id, customerId, currency, budget })",
      ),
    ],
    options: fleet,
  },
  {
    name: "a budget is taken for its wallet",
    patches: [patch(part, "...(budget === undefined ? [] : [budget])", "")],
    options: fleet,
  },
  {
    name: "what is held in budgets is given back while the next account is waited for",
    patches: [
      patch(
        capped,
        "return isThenable(under)",
        "if (isThenable(under)) void this.#cap.account.release(own);\n    return isThenable(under)",
      ),
    ],
    options: fleet,
  },
  {
    name: "a refusal by one account leaves what is held in those before it",
    patches: [patch(capped, "void account.release(own);\n    return under;", "return under;")],
    options: fleet,
  },
  {
    name: "a recovered report enters the wallet alone",
    seed: 17,
    patches: [
      patch(
        capped,
        "this.#cap.account.recover(amounts, predecessors)",
        "this.#cap.account.settle(undefined, amounts.map(() => 0))",
      ),
    ],
    options: fleet,
  },
  {
    name: "the successor of a process frees what it had of the wallet alone",
    patches: [
      patch(
        "core/src/delivery/recovery.ts",
        "await account?.recover([], [process]);",
        "if (budget === undefined) await account?.recover([], [process]);",
      ),
    ],
    options: fleet,
  },
  {
    name: "the outbox does not keep of which budget a reservation is",
    patches: [patch("fleet/src/outbox/stored-item.ts", "...(budget !== undefined && { budget }),", "")],
    options: fleet,
  },
  {
    name: "a report in a fleet names the period that its process has read itself",
    seed: 12,
    patches: [patch(named, "shared > this.#periodAt ?", "shared > Number.POSITIVE_INFINITY ?")],
    options: periods,
  },
  {
    name: "a report in a fleet names the period of the last balance in the store",
    seed: 10,
    patches: [
      patch(
        "fleet/src/lease/stored-balance.ts",
        "postpaid > (period ?? 0) ? postpaid : period",
        "postpaid > 0 ? postpaid : period",
      ),
      patch(named, "shared > this.#periodAt ?", "shared > Number.NEGATIVE_INFINITY ?"),
    ],
    options: periods,
  },
  {
    name: "no period is written to the store",
    seed: 62,
    patches: [patch(named, "period: period === undefined ? 0 : Date.parse(period),", "period: 0,")],
    options: periods,
  },
  {
    name: "a report in a fleet names no period",
    patches: [patch(capped, "period === undefined ? { key } : { key, period }", "{ key }")],
    options: periods,
  },
];
