import type { Awaitable } from "@creditgate/core";
import { createRandom, type Random } from "@creditgate/core/testing";
import type { TestRunner } from "../ledger/contract.ts";
import { outboxStoreBehaviours } from "./behaviours.ts";
import { Life } from "./life.ts";
import { type OutboxStoreOnTrial, TwinStores } from "./twin-stores.ts";

/** How the contract tries an outbox store. */
export interface OutboxStoreTrials {
  /** An empty store for one test. */
  readonly create: () => Awaitable<OutboxStoreOnTrial>;
  /** How many schedules of random processes there are. @default 3 */
  readonly seeds?: number;
}

/**
 * The contract of {@link OutboxStore}, which every implementation must pass: declares a suite of tests with the runner. Each answer of
 * the store is held against the one in memory.
 */
export function testOutboxStore(
  name: string,
  { create, seeds = 3 }: OutboxStoreTrials,
  runner: TestRunner,
): void {
  const run = async (check: (stores: TwinStores) => Promise<void>) => {
    const trial = await create();
    try {
      await check(new TwinStores(trial));
    } finally {
      await trial.close?.();
    }
  };
  runner.describe(`the contract of outbox stores: ${name}`, () => {
    for (const [behaviour, check] of Object.entries(outboxStoreBehaviours)) {
      runner.it(behaviour, () => run(check));
    }
    for (let seed = 1; seed <= seeds; seed++) {
      runner.it(`answers random processes as the store in memory does: seed ${seed}`, () =>
        run((stores) => liveAtRandom(stores, seed)),
      );
    }
  });
}

const steps = 150;

/** Random processes that join, write, fall silent, leave and are taken over. */
async function liveAtRandom(stores: TwinStores, seed: number): Promise<void> {
  const random = createRandom(seed);
  const lives: Life[] = [];
  for (let step = 0; step < steps; step++) {
    if (random.chance(0.5))
      await stores.pass(random.chance(0.1) ? random.integer(3, 15) : random.integer(0, 1));
    if (random.chance(0.01)) await stores.pass(-random.integer(1, 40));
    await liveOn(random, stores, lives, step);
  }
  await stores.list();
}

async function liveOn(random: Random, stores: TwinStores, lives: Life[], step: number): Promise<void> {
  const one = lives[random.integer(0, lives.length - 1)];
  if (one === undefined || random.chance(0.08)) {
    const process = `p${step}`;
    const life = new Life(stores, process, random.chance(0.5) ? process : "named");
    lives.push(life);
    await life.join();
    return;
  }
  if (random.chance(0.35)) {
    const seq = one.seq + (random.chance(0.05) ? 1 : 0);
    await one.heartbeat({ seq, joining: random.chance(0.1), leaving: random.chance(0.08) });
    for (const lane of one.lanes) await stores.read(one.process, lane);
    await stores.takeRequests(one.process);
    return;
  }
  const some = (): number[] => {
    const rows = stores.rowsOf(one.lanes);
    const count = rows.length === 0 ? 0 : random.integer(0, 2);
    return Array.from({ length: count }, () => rows[random.integer(0, rows.length - 1)] ?? 0);
  };
  const ledgers = () => (random.chance(0.2) ? [`ledger ${random.integer(0, 3)}`] : []);
  await stores.request(some().map((row) => ({ row, text: `request ${step}` })));
  const changes = {
    endedLanes: one.lanes.filter((lane) => lane !== one.process && random.chance(0.2)),
    added: Array.from({ length: random.integer(0, 3) }, (_, at) => ({
      text: `${step}.${at} \\u0000 "'💶`,
      note: random.chance(0.5) ? "" : "noted",
    })),
    noted: [...new Set(some())].map((row) => ({ place: String(row), note: `note ${step}` })),
    dropped: some().map(String),
    set: random.chance(0.1) ? { [`name ${random.integer(0, 1)}`]: `value ${step}` } : {},
    begunLedgers: ledgers(),
    endedLedgers: ledgers(),
  };
  await one.write(changes, one.seq + (random.chance(0.9) ? 1 : random.integer(0, 2)));
}
