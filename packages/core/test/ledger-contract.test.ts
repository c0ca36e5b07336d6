import { type LedgerOnTrial, type TestRunner, testLedger } from "@creditgate/conformance";
import { createLeasedLedger, createMemoryStore } from "@creditgate/fleet";
import { describe, expect, it } from "vitest";
import type { Account } from "../src/adapter/index.ts";
import type { Awaitable, Ledger } from "../src/index.ts";
import { createManualClock } from "../src/testing/index.ts";
import { createMemoryLedger } from "../src/wallet/memory-ledger.ts";

function memory(): LedgerOnTrial {
  const clock = createManualClock();
  return { ledger: createMemoryLedger(clock), now: clock.now, advance: clock.advance };
}

async function later<T>(step: () => Awaitable<T>): Promise<T> {
  await undefined;
  return step();
}

/** The account as seen through a network: what may take a while does. */
function remote(account: Account): Account {
  return {
    get stamp() {
      return account.stamp;
    },
    hold: (...wish) => later(() => account.hold(...wish)),
    settle: (...work) => account.settle(...work),
    release: (hold, rest) => account.release(hold, rest),
    correct: (...cost) => account.correct(...cost),
    acknowledge: (...usage) => account.acknowledge(...usage),
    recover: (...left) => later(() => account.recover(...left)),
    beginRefresh: (since) => later(() => account.beginRefresh(since)),
    install: (...answer) => later(() => account.install(...answer)),
    figures: (kind) => account.figures(kind),
    flush: (giveBack) => later(() => account.flush(giveBack)),
    idle: (now) => account.idle(now),
  };
}

/** Another process is asking: each request may leave when that one is done. */
function crowded(account: Account): Account {
  let waits = 0;
  const beginRefresh: Account["beginRefresh"] = (since) =>
    waits++ % 2 === 0 ? { wait: 0 } : account.beginRefresh(since);
  return Object.assign(remote(account), { beginRefresh });
}

function behind(change: (account: Account) => Account): LedgerOnTrial {
  const trial = memory();
  const { id, account, close } = trial.ledger;
  const ledger: Ledger = { id, account: (...path) => change(account(...path)), close: () => later(close) };
  return { ...trial, ledger };
}

/** One process on a shared store, on the clock of the test. */
function leased(leases: boolean): LedgerOnTrial {
  const clock = createManualClock();
  const store = createMemoryStore({ clock });
  const ledger = createLeasedLedger(store, { clock, leases, windowMs: 1 });
  ledger.join?.({ settlementLagMs: 1_000, maxStaleMs: 60_000, minRefreshMs: 0, checkTimeoutMs: 1_000 });
  return { ledger, now: clock.now, advance: clock.advance };
}

testLedger("leased", () => leased(true), { describe, it }, { isShared: true });
testLedger("leased, without leases", () => leased(false), { describe, it }, { isShared: true });
testLedger("memory", memory, { describe, it });
testLedger("memory behind promises", () => behind(remote), { describe, it });
testLedger("memory whose balance requests must wait", () => behind(crowded), { describe, it });

describe("testLedger", () => {
  it("fails a ledger that forgets, and closes it and what was opened for it", async () => {
    const failures: string[] = [];
    const tests: Promise<void>[] = [];
    const closed: string[] = [];
    const runner: TestRunner = {
      describe: (_name, body) => body(),
      it: (name, body) =>
        tests.push(body().catch((error) => void failures.push(`${name}: ${error.message}`))),
    };
    const settle: Account["settle"] = (_hold, amounts) => amounts.map((amount) => ({ amount }));
    const forgetful = (account: Account): Account => Object.assign(remote(account), { settle });
    const create = () => {
      const trial = behind(forgetful);
      const ledger = { ...trial.ledger, close: () => void closed.push("ledger") };
      return { ...trial, ledger, close: () => void closed.push("store") };
    };
    testLedger("forgetful", create, runner);
    await Promise.all(tests);
    expect(failures).toContain(
      "keeps usage for ever that is not acknowledged: unconfirmed: expected 4, received 0",
    );
    expect(failures.length).toBeLessThan(tests.length);
    expect(closed.filter((one) => one === "ledger")).toHaveLength(tests.length);
    expect(closed.filter((one) => one === "store")).toHaveLength(tests.length);
    expect(closed.slice(0, 1)).toEqual(["ledger"]);
  });
});
