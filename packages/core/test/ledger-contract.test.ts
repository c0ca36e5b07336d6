import { describe, expect, it } from "vitest";
import type { Account, Awaitable, Ledger } from "../src/index.ts";
import { createManualClock, type LedgerOnTrial, type TestRunner, testLedger } from "../src/testing/index.ts";
import { createMemoryLedger } from "../src/wallet/memory-ledger.ts";

function memory(): LedgerOnTrial {
  const clock = createManualClock();
  return { ledger: createMemoryLedger(clock), advance: clock.advance };
}

async function later<T>(step: () => Awaitable<T>): Promise<T> {
  await undefined;
  return step();
}

/** The account as seen through a network: every step takes a while. */
function remote(account: Account): Account {
  return {
    hold: (request) => later(() => account.hold(request)),
    settle: (holdId, entries) => later(() => account.settle(holdId, entries)),
    release: (holdId) => later(() => account.release(holdId)),
    acknowledge: (...report) => later(() => account.acknowledge(...report)),
    install: (snapshot, maxStaleMs) => later(() => account.install(snapshot, maxStaleMs)),
    standing: (kind) => later(() => account.standing(kind)),
    idle: (now) => account.idle(now),
  };
}

function behind(change: (account: Account) => Account): LedgerOnTrial {
  const { ledger, advance } = memory();
  const changed: Ledger = {
    now: () => later(() => ledger.now()),
    account: (...path) => change(ledger.account(...path)),
  };
  return { ledger: changed, advance };
}

testLedger("memory", memory, { describe, it });
testLedger("memory behind promises", () => behind(remote), { describe, it });

describe("testLedger", () => {
  it("fails a ledger that forgets, and closes what it has opened", async () => {
    const failures: string[] = [];
    const tests: Promise<void>[] = [];
    let closed = 0;
    const runner: TestRunner = {
      describe: (_name, body) => body(),
      it: (name, body) =>
        tests.push(body().catch((error) => void failures.push(`${name}: ${error.message}`))),
    };
    const forgetful = (account: Account): Account => ({ ...remote(account), settle: () => {} });
    testLedger("forgetful", () => ({ ...behind(forgetful), close: () => void closed++ }), runner);
    await Promise.all(tests);
    expect(failures).toContain(
      "keeps usage for ever that is not acknowledged: unconfirmed: expected 4, received 0",
    );
    expect(failures.length).toBeLessThan(tests.length);
    expect(closed).toBe(tests.length);
  });
});
