import type { Awaitable } from "@creditgate/core";
import { same } from "../ledger/bench.ts";
import type { TestRunner } from "../ledger/contract.ts";
import { answers, StoreBench, type StoreCases, terms } from "./bench.ts";
import { epochs } from "./epochs.ts";
import { grants } from "./grants.ts";
import type { AccountPart, SharedStoreOnTrial } from "./model.ts";
import { processes } from "./processes.ts";
import { sendRandomRequests } from "./random-requests.ts";
import { usage } from "./usage.ts";

/** The lines of the contract of shared stores on who reads the balance, and when. */
const refresh: StoreCases = {
  async "lets one process read the balance, and the others wait for it"(bench) {
    const { now, epoch, ...first } = await bench.sync("a", { refresh: "now" });
    answers({ now, epoch, ...first }, { refresh: "go" });
    answers(await bench.sync("b", { refresh: "now" }), { refresh: "wait" });
    answers(await bench.sync("b"), { refresh: null });
    const snapshot = { stamp: now, epoch, prepaid: 10, postpaid: 10, extended: false };
    answers(await bench.sync("a", { snapshot }), { stamp: now, prepaid: 10 });
    answers(await bench.sync("b", { refresh: now }), { refresh: "here", prepaid: 10 });
    await bench.advance(10);
    answers(await bench.sync("b", { refresh: "now" }), { refresh: "go" });
  },

  async "lets another one read it when the request has failed, or is not answered for long"(bench) {
    const first = await bench.sync("a", { refresh: "now" });
    await bench.advance(10);
    await bench.sync("a", { failed: first.now - 1 });
    answers(await bench.sync("b", { refresh: "now" }), { refresh: "wait" });
    await bench.sync("a", { failed: first.now });
    answers(await bench.sync("b", { refresh: "now" }), { refresh: "go" });
    answers(await bench.sync("c", { refresh: "now" }), { refresh: "wait" });
    await bench.advance(terms.requestMs);
    answers(await bench.sync("c", { refresh: "now" }), { refresh: "go" });
  },

  async "leaves a rest between two requests"(bench) {
    const slow = { ...terms, minRefreshMs: 100_000 };
    const { now, epoch } = await bench.sync("a", { refresh: "now", terms: slow });
    const snapshot = { stamp: now, epoch, prepaid: 10, postpaid: 10, extended: false };
    await bench.sync("a", { snapshot });
    await bench.advance(terms.requestMs + 1);
    answers(await bench.sync("b", { refresh: "now", terms: slow }), { refresh: "wait" });
    await bench.advance(100_000);
    answers(await bench.sync("b", { refresh: "now", terms: slow }), { refresh: "go" });
  },

  async "asks in the same step in which it takes a balance and denies"(bench) {
    await bench.begin(10);
    const { now, epoch } = await bench.leave();
    const snapshot = { stamp: now, epoch, prepaid: 3, postpaid: 3, extended: false };
    answers(await bench.sync("a", { snapshot, refresh: now, first: 4, need: 4 }), {
      refresh: "here",
      denied: true,
      prepaid: 3,
    });
  },
};

/** How the contract tries a store. */
export interface SharedStoreTrials {
  /** A store for one test. Accounts of earlier tests may be in it: each test has accounts of its own. */
  readonly create: () => Awaitable<SharedStoreOnTrial>;
  /** Whether the trials have `restart`; a store that cannot forget has no epochs. */
  readonly restarts: boolean;
  /** Whether the trials have `stepBack`. @default false */
  readonly stepsBack?: boolean;
  /** The parts of an account that the trials can {@link SharedStoreOnTrial.lose}. @default none */
  readonly loses?: readonly AccountPart[];
  /** How many schedules of random syncs there are. @default 60 */
  readonly seeds?: number;
  /** The first of them. @default 1 */
  readonly from?: number;
}

const directed = { ...grants, ...usage, ...processes, ...refresh };

/**
 * The contract of {@link SharedStore}, which every implementation must pass: declares a suite of tests with the
 * runner. Each answer of the store is compared with the step in TypeScript, at the time and in the epoch that the
 * store has returned.
 */
export function testSharedStore(name: string, trials: SharedStoreTrials, runner: TestRunner): void {
  const { create, restarts, stepsBack = false, loses = [], seeds = 60, from = 1 } = trials;
  const run = async (check: (trial: SharedStoreOnTrial) => Promise<void>) => {
    const trial = await create();
    try {
      await check(trial);
    } finally {
      await trial.store.close?.();
      await trial.close?.();
    }
  };
  runner.describe(`the contract of shared stores: ${name}`, () => {
    const cases = { ...directed, ...(restarts ? epochs : {}), ...(stepsBack ? clocks : {}) };
    for (const [behaviour, check] of Object.entries(cases)) {
      runner.it(behaviour, () => run((trial) => check(new StoreBench(trial, crypto.randomUUID()))));
    }
    for (const part of loses) {
      runner.it(`begins another epoch where an account has lost its ${part}, and counts what is left`, () =>
        run((trial) => losing(part)(new StoreBench(trial, crypto.randomUUID()))),
      );
    }
    runner.it(`answers ${seeds} schedules of random syncs as the step in TypeScript does`, () =>
      run(async (trial) => {
        for (let seed = from; seed < from + seeds; seed++) {
          const account = `${crypto.randomUUID()}:${seed}`;
          await sendRandomRequests(trial, account, seed).catch((error: unknown) => {
            throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
          });
        }
      }),
    );
  });
}

/** A line of the contract of shared stores on one that has lost a part of an account. */
export function losing(part: AccountPart): (bench: StoreBench) => Promise<void> {
  const hasReservations = part === "figures" || part === "windows";
  return async (bench) => {
    await bench.begin(100);
    const { epoch } = await bench.hold("a", 40, { want: 20, recall: true });
    await bench.sync("b", { acked: 10, queued: 4 });
    await bench.lose(part);
    const first = await bench.sync("c", { first: 1, need: 1 });
    same("another epoch", first.epoch === epoch, false);
    answers(first, {
      calm: false,
      denied: false,
      stamp: null,
      out: hasReservations ? 60 : 0,
      used: part === "account" ? 0 : 10,
    });
    answers(await bench.sync("a", { base: 40 }), { status: "register" });
    answers(await bench.sync("a", { base: 40, claim: 60, register: true }), { reservation: 60, out: 60 });
    await bench.advance(terms.leaseMs + terms.lagMs + 2 * terms.windowMs);
    answers(await bench.read(90), { calm: true, used: 0 });
    answers(await bench.sync("d", { first: 31, need: 31, recall: true }), { denied: true, waiting: 0 });
    answers(await bench.sync("a", { base: 40 }), { reservation: 40, out: 40 });
    answers(await bench.sync("d", { first: 50, need: 50 }), { denied: false, out: 90 });
  };
}

const hour = 3_600_000;

/** The lines of the contract of shared stores on one whose clock is set back. */
const clocks: StoreCases = {
  async "lets time go on where its clock has stepped back"(bench) {
    await bench.begin(10);
    await bench.hold("a", 6, { abandonMs: 5_000 });
    await bench.stepBack(hour);
    const { now: before } = await bench.sync("b");
    await bench.advance(2_500);
    await bench.sync("b");
    await bench.advance(2_500);
    const { now, used } = await bench.sync("b");
    same("used", used, 6);
    same("has gone on", now - before >= 5_000, true);
    same("has jumped ahead", now - before >= hour, false);
  },

  async "takes no earlier balance for fresh while its clock is behind"(bench) {
    await bench.begin(10);
    await bench.stepBack(hour);
    await bench.sync("a");
    await bench.advance(10);
    answers(await bench.read(5), { prepaid: 5 });
    await bench.advance(10);
    answers(await bench.sync("b", { refresh: "now" }), { refresh: "go" });
  },

  async "goes by its clock again once that has caught up, and counts no time twice"(bench) {
    await bench.begin(10);
    const { now } = await bench.sync("a");
    await bench.stepBack(hour);
    await bench.sync("a");
    await bench.advance(2 * hour);
    const { now: later } = await bench.sync("a");
    same("has caught up", later - now >= hour, true);
    same("has counted an hour twice", later - now >= 2 * hour, false);
  },
};
