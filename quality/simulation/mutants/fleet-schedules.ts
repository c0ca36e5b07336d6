import { createTrialStore, testSharedStore } from "@creditgate/conformance";
import type { Account } from "@creditgate/core/adapter";
import type { SharedStore } from "@creditgate/fleet";
import type { Core } from "./mutated-core.ts";

/** The behaviours of the contract of shared stores that a store on this step does not show. */
export async function brokenStoreBehaviours(step: Core): Promise<readonly string[]> {
  const broken: string[] = [];
  const tests: Promise<unknown>[] = [];
  testSharedStore(
    "mutant",
    {
      create: () => createTrialStore(step),
      restarts: true,
      stepsBack: true,
      loses: ["figures", "reservations", "windows", "account"],
      seeds: 20,
    },
    {
      describe: (_name, body) => body(),
      it: (name, body) => tests.push(body().catch(() => broken.push(name))),
    },
  );
  await Promise.all(tests);
  return broken;
}

/** A process needs what another one has and does not use: it must get it within 300 ms. */
async function recalled(core: Core): Promise<string | undefined> {
  const clock = core.createManualClock();
  const store = core.createMemoryStore({ clock });
  const [one, two] = [1, 2].map(() =>
    core.createLeasedLedger(store, { clock }).account("service", "ada", "credits"),
  );
  if (one === undefined || two === undefined) return "no accounts";
  const permit = await one.beginRefresh(clock.now());
  if (!("go" in permit)) return "a balance request must leave";
  await one.install(permit.go, { prepaid: 1_000, postpaid: 1_000 }, 60_000);
  let held = 0;
  for (let turn = 0; turn < 15; turn++) {
    const hold = await one.hold(10, "prepaid", 0);
    if (hold.admitted) held += 10;
    await clock.advance(10);
  }
  const asked = clock.now();
  let answered: number | undefined;
  const hold = two.hold(1_000 - held, "prepaid", 0);
  const result = Promise.resolve(hold).then(({ admitted }) => {
    answered = clock.now();
    return admitted;
  });
  // The first one is busy meanwhile: it gives nothing back for want of traffic.
  for (let turn = 0; turn < 100; turn++) {
    const busy = one.hold(1, "prepaid", 0);
    if (!(busy instanceof Promise) && busy.admitted) one.release(busy);
    await clock.advance(20);
  }
  if (answered === undefined) return "no answer in 2 s";
  if (!(await result)) return "denied what another process did not use";
  return answered - asked > 300 ? `admitted after ${answered - asked} ms` : undefined;
}

/** What a busy process gives back goes to the one that asked for it, although the busy one needs some again before that one looks. */
async function recalledFromBusy(core: Core): Promise<string | undefined> {
  const clock = core.createManualClock();
  const store = core.createMemoryStore({ clock });
  const [one, two] = [1, 2].map(() =>
    core.createLeasedLedger(store, { clock }).account("service", "ada", "credits"),
  );
  if (one === undefined || two === undefined) return "no accounts";
  await read(one, clock.now(), 1_000);
  // With work in hand all the time it does not forget how busy it is.
  await one.hold(10, "prepaid", 0);
  const beBusy = async () => {
    for (let turn = 0; turn < 100; turn++) {
      void Promise.resolve(one.hold(30, "prepaid", 0)).then((hold) => {
        if (hold.admitted) one.release(hold);
      });
      await clock.advance(5);
    }
  };
  await beBusy();
  // Else it looks again in the very instant in which the other one gives back.
  await clock.advance(7);
  const asked = Promise.resolve(two.hold(600, "prepaid", 0));
  await beBusy();
  return (await asked).admitted ? undefined : "denied what another process did not use";
}

/** A store under a clock, which answers when the schedule says so, and can be put back to what it was. */
function heldStore(core: Core) {
  const clock = core.createManualClock();
  let state = core.createAccountState();
  let copy = core.createAccountState();
  let run = 1;
  let born = Number.MIN_SAFE_INTEGER;
  let delayMs = 0;
  let losesAnswers = false;
  let aheadMs = 0;
  const store: SharedStore = {
    exchange: (_account, request) =>
      new Promise((resolve, reject) => {
        const step = () => {
          const answer = core.exchange(state, request, {
            clock: clock.now() + aheadMs,
            epoch: String(run),
            born,
          });
          if (losesAnswers) reject(new Error("the answer was lost"));
          else resolve(answer);
        };
        if (delayMs === 0) step();
        else clock.schedule(delayMs, step);
      }),
  };
  return {
    clock,
    store,
    delay(ms: number) {
      delayMs = ms;
    },
    setAhead(ms: number) {
      aheadMs = ms;
    },
    loseAnswers(loses: boolean) {
      losesAnswers = loses;
    },
    copy() {
      copy = { ...state, reservations: new Map(state.reservations), windows: new Map(state.windows) };
    },
    fallBack() {
      state = copy;
      run++;
      born = clock.now();
    },
    get out() {
      return state.out;
    },
  };
}

async function read(account: Account, now: number, capacity: number): Promise<void> {
  const permit = await account.beginRefresh(now);
  if (!("go" in permit)) throw new Error("a balance request must leave");
  await account.install(permit.go, { prepaid: capacity, postpaid: capacity }, 60_000);
}

const leaseMs = 3_000;

/** Nothing is admitted when a lease has ended, by either clock, counted from when its sync was sent. */
async function endedLease(core: Core): Promise<string | undefined> {
  for (const sleptMs of [0, 10_000]) {
    const held = heldStore(core);
    let slept = 0;
    const clock = {
      now: held.clock.now,
      schedule: held.clock.schedule,
      wall: () => held.clock.now() + slept,
    };
    const account = core
      .createLeasedLedger(held.store, { clock, leaseMs })
      .account("service", "ada", "credits");
    await read(account, clock.now(), 1_000);
    await account.hold(10, "prepaid", 0);
    held.delay(800);
    const sentAt = clock.now();
    const asked = account.hold(100, "prepaid", 0);
    await held.clock.advance(900);
    if (!(await asked).admitted) return "100 of 1,000 are denied";
    // From here on no sync is answered.
    held.delay(1_000_000);
    await held.clock.advance(sleptMs > 0 ? 100 : sentAt + leaseMs - 30 - clock.now());
    slept = sleptMs;
    const later = account.hold(1, "prepaid", 0);
    if (!(later instanceof Promise))
      return `admitted ${clock.now() - sentAt + slept} ms after its sync was sent`;
    await held.clock.advance(2_000);
    if ((await later).admitted) return "admitted by a store that does not answer";
  }
  return undefined;
}

/** A balance from before the machine slept is not fresh after it, whatever its monotonic clock shows. */
async function refreshAfterSleep(core: Core): Promise<string | undefined> {
  const { clock: world, store } = heldStore(core);
  let slept = 0;
  const sleeper = { now: () => world.now() - slept, schedule: world.schedule, wall: world.now };
  const account = core.createLeasedLedger(store, { clock: sleeper }).account("service", "ada", "credits");
  const other = core.createLeasedLedger(store, { clock: world }).account("service", "ada", "credits");
  await read(account, sleeper.now(), 10);
  await world.advance(5_000);
  await read(other, world.now(), 20);
  await world.advance(5_000);
  slept = 9_900;
  const permit = await account.beginRefresh(sleeper.now());
  return "here" in permit ? "a balance of before the sleep is taken for news" : undefined;
}

/** The clock of the store has been an hour ahead, and is corrected: what was read before is not fresh. */
async function refreshAfterStepBack(core: Core): Promise<string | undefined> {
  const { clock, store, setAhead } = heldStore(core);
  setAhead(3_600_000);
  const [one, two] = [1, 2].map(() =>
    core.createLeasedLedger(store, { clock }).account("service", "ada", "credits"),
  );
  if (one === undefined || two === undefined) return "no accounts";
  await read(one, clock.now(), 10);
  setAhead(0);
  for (const waitMs of [1, 400, 400]) {
    await clock.advance(waitMs);
    const asked = Promise.resolve(two.hold(11, "prepaid", 0));
    await clock.advance(20);
    if ((await asked).admitted) return "11 of 10 are admitted";
    const permit = await two.beginRefresh(clock.now() - 20);
    if ("here" in permit) return `a balance of ${waitMs} ms before is taken for news`;
    if ("go" in permit) await two.install(permit.go, { prepaid: 10, postpaid: 10 }, 60_000);
  }
  return two.stamp === undefined || two.stamp < clock.now() - 20 ? "no balance is read" : undefined;
}

/** A reservation has gone back; then an older store takes the place of this one, which has it still. */
async function finalSync(core: Core): Promise<string | undefined> {
  const held = heldStore(core);
  const { clock, store } = held;
  const ledger = core.createLeasedLedger(store, { clock, leaseMs });
  const account = ledger.account("service", "ada", "credits");
  await read(account, clock.now(), 1_000);
  const hold = await account.hold(10, "prepaid", 0);
  if (!hold.admitted) return "10 of 1,000 are denied";
  held.copy();
  account.release(hold);
  await account.flush(true);
  if (held.out > 0) return "a reservation is not given back";
  held.fallBack();
  await clock.advance(2 * leaseMs);
  return held.out > 0 ? `${held.out} stay with a process that has given them back` : undefined;
}

/** A reservation goes back, another process gets it; the answer is lost, and then the store's memory. */
async function lostGift(core: Core): Promise<string | undefined> {
  for (const isUsed of [false, true]) {
    const held = heldStore(core);
    const { clock, store } = held;
    const [one, two] = [1, 2].map(() =>
      core.createLeasedLedger(store, { clock, leaseMs }).account("service", "ada", "credits"),
    );
    if (one === undefined || two === undefined) return "no accounts";
    held.copy();
    await read(one, clock.now(), 40);
    const hold = await one.hold(15, "prepaid", 0);
    if (!hold.admitted) return "15 of 40 are denied";
    const [usage] = one.settle(hold, isUsed ? [15] : []);
    held.loseAnswers(true);
    const givenBack = one.flush(true);
    await clock.advance(1);
    held.loseAnswers(false);
    const left = isUsed ? 25 : 40;
    if (!(await two.hold(left, "prepaid", 0)).admitted) return `${left} of ${left} are denied`;
    // What is acknowledged after the sync is not in it.
    if (usage !== undefined) one.acknowledge(usage, 0);
    held.fallBack();
    await clock.advance(1);
    await read(two, clock.now(), left);
    const again = Promise.resolve(one.hold(10, "prepaid", 0));
    await clock.advance(100);
    await givenBack;
    if ((await again).admitted) return "what was given back is used by both";
  }
  return undefined;
}

/** Schedules that chance does not find, or seldom. Each resolves with what is wrong, or with `undefined`. */
export const fleetSchedules: Readonly<Record<string, (core: Core) => Promise<string | undefined>>> = {
  "a recall": recalled,
  "a recall from a busy process": recalledFromBusy,
  "a lease that ends": endedLease,
  "news after a sleep": refreshAfterSleep,
  "news after the store's clock has stepped back": refreshAfterStepBack,
  "the last sync to an older store": finalSync,
  "a reservation that was given back to a store that lost it": lostGift,
};
