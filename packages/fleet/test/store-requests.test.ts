import { createManualClock } from "@creditgate/core/testing";
import { createLeasedLedger, createMemoryStore, type SharedStore } from "@creditgate/fleet";
import { expect, it } from "vitest";

const terms = { settlementLagMs: 1_000, maxStaleMs: 60_000, minRefreshMs: 0, checkTimeoutMs: 1_000 };

/** A store that counts what it is asked, and fails where a process asks without end. */
function countedStore(clock: ReturnType<typeof createManualClock>) {
  const store = createMemoryStore({ clock });
  const counted = {
    asked: 0,
    exchange(...asked: Parameters<SharedStore["exchange"]>) {
      if (++counted.asked > 1_000) throw new Error("the store is asked without end");
      return store.exchange(...asked);
    },
  };
  return counted;
}

it("asks the store in pauses where a successor has retired a process that lives, and denies its work", async () => {
  const clock = createManualClock();
  const store = countedStore(clock);
  const [retired, successor] = [1, 2].map(() => {
    const ledger = createLeasedLedger(store, { clock, random: () => 0.5 });
    ledger.join?.(terms);
    return ledger;
  });
  const processes: string[] = [];
  const own = { begin: async ({ process }: { process: string }) => void processes.push(process), end() {} };
  const account = retired?.account("service", "alice", "ai_credits", own);
  const other = successor?.account("service", "alice", "ai_credits", { begin: async () => {}, end() {} });
  const first = account?.hold(5, "prepaid", Number.NEGATIVE_INFINITY);
  await clock.advance(2_000);
  expect(await first).toMatchObject({ admitted: false });
  void other?.recover([], processes);
  await clock.advance(250);
  store.asked = 0;
  const second = account?.hold(5, "prepaid", Number.NEGATIVE_INFINITY);
  await clock.advance(2_000);
  expect(await second).toMatchObject({ admitted: false });
  expect(store.asked).toBeLessThan(200);
});

it("asks the store for nothing once it has closed, though a note comes late", async () => {
  const clock = createManualClock();
  const store = countedStore(clock);
  const ledger = createLeasedLedger(store, { clock, random: () => 0.5 });
  ledger.join?.(terms);
  let noted = () => {};
  const begin = () =>
    new Promise<void>((resolve) => {
      noted = resolve;
    });
  const account = ledger.account("service", "alice", "ai_credits", { begin, end() {} });
  void account.hold(5, "prepaid", Number.NEGATIVE_INFINITY);
  await clock.advance(10);
  const closed = ledger.close();
  await clock.advance(2_000);
  await closed;
  noted();
  await clock.advance(2_000);
  expect(store.asked).toBe(0);
});

it("asks in pauses where two stores answer in turns, and each has it register", async () => {
  const clock = createManualClock();
  const stores = [countedStore(clock), countedStore(clock)] as const;
  let turn = 0;
  const exchange: SharedStore["exchange"] = (...asked) => stores[turn++ % 2 === 0 ? 0 : 1].exchange(...asked);
  const ledger = createLeasedLedger({ exchange }, { clock, random: () => 0.5 });
  ledger.join?.(terms);
  const hold = ledger.account("service", "alice", "ai_credits").hold(5, "prepaid", Number.NEGATIVE_INFINITY);
  await clock.advance(2_000);
  expect(await hold).toMatchObject({ admitted: false });
  expect(turn).toBeLessThan(200);
});
