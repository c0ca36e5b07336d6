import type { Awaitable } from "@creditgate/core";
import { same } from "../ledger/bench.ts";
import type { TestRunner } from "../ledger/contract.ts";
import { answers, StoreBench, terms } from "./bench.ts";
import { clocks } from "./clocks.ts";
import { epochs } from "./epochs.ts";
import { grants } from "./grants.ts";
import { processes } from "./processes.ts";
import { sendRandomRequests } from "./random-requests.ts";
import { refresh } from "./refresh.ts";
import type { AccountPart, SharedStoreOnTrial } from "./trial.ts";
import { usage } from "./usage.ts";

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
