import type { Awaitable } from "../../wallet/ledger.ts";
import { LedgerBench, type LedgerOnTrial, lagMs, maxStaleMs, same } from "./bench.ts";
import { shownUsage } from "./shown-usage.ts";

/** What the contract needs of a test runner: vitest, jest and node:test have it. */
export interface TestRunner {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>): unknown;
}

/**
 * The contract of {@link Ledger}, which every implementation must pass: declares a suite of tests with the runner, each
 * of them on a ledger of its own. `create` must give one without accounts.
 */
export function testLedger(name: string, create: () => Awaitable<LedgerOnTrial>, runner: TestRunner): void {
  runner.describe(`the ledger contract: ${name}`, () => {
    for (const [behaviour, check] of Object.entries({ ...behaviours, ...shownUsage })) {
      runner.it(behaviour, async () => {
        const trial = await create();
        try {
          await check(new LedgerBench(trial));
        } finally {
          await trial.close?.();
        }
      });
    }
  });
}

const behaviours: { readonly [behaviour: string]: (bench: LedgerBench) => Promise<void> } = {
  async "admits nothing before a balance has been read"(bench) {
    same("admitted", await bench.hold(1), false);
    await bench.expect({ capacity: undefined, held: 0, unconfirmed: 0 });
  },

  async "admits what fits whole, and not a micro-credit more"(bench) {
    await bench.read(10);
    same("11 of 10", await bench.hold(11), false);
    same("10 of 10", await bench.hold(10), true);
    same("1 of 0", await bench.hold(1), false);
    await bench.expect({ capacity: 10, held: 10 });
  },

  async "counts holds and unconfirmed usage alike"(bench) {
    await bench.read(10);
    await bench.settle(4, "report");
    same("7 beside 4 of 10", await bench.hold(7), false);
    same("3 beside 4 of 10", await bench.hold(3), true);
    same("4 beside 7 of 10", await bench.hold(4), false);
    same("3 beside 7 of 10", await bench.hold(3), true);
  },

  async "admits exactly what there is when many ask at once"(bench) {
    await bench.read(1_000);
    const admitted = await Promise.all(Array.from({ length: 200 }, () => bench.hold(7)));
    same("admitted", admitted.filter(Boolean).length, 142);
    await bench.expect({ held: 994 });
  },

  async "takes the same hold twice for one"(bench) {
    await bench.read(10);
    same("first", await bench.hold(6, { id: "hold" }), true);
    same("again", await bench.hold(6, { id: "hold" }), true);
    await bench.expect({ held: 6 });
  },

  async "admits nothing on a snapshot stamped before the wish allows"(bench) {
    await bench.advance(100);
    const stamp = await bench.now();
    await bench.read(10, stamp);
    same("too old", await bench.hold(1, { notBefore: stamp + 1 }), false);
    same("just young enough", await bench.hold(1, { notBefore: stamp }), true);
  },

  async "reads a wallet by its kind"(bench) {
    const stamp = await bench.now();
    await bench.account.install({ stamp, prepaid: 0, postpaid: 5 }, maxStaleMs);
    same("prepaid", await bench.hold(1, { kind: "prepaid" }), false);
    same("postpaid", await bench.hold(1, { kind: "postpaid" }), true);
  },

  async "admits anything on a wallet without a limit"(bench) {
    await bench.read(Number.POSITIVE_INFINITY);
    same("much", await bench.hold(2 ** 50), true);
    same("more", await bench.hold(2 ** 50), true);
    await bench.expect({ capacity: Number.POSITIVE_INFINITY, held: 2 ** 51 });
  },

  async "admits nothing in debt, nor on a wallet that is a problem"(bench) {
    await bench.read(-5);
    same("in debt", await bench.hold(1), false);
    await bench.advance(1);
    const stamp = await bench.now();
    await bench.account.install({ stamp, prepaid: "wallet_missing", postpaid: "wallet_missing" }, maxStaleMs);
    same("missing", await bench.hold(1), false);
    await bench.expect({ capacity: "wallet_missing" });
  },

  async "counts work in flight however long it takes"(bench) {
    await bench.read(10);
    await bench.hold(6);
    await bench.advance(600_000);
    await bench.read(10);
    same("5 beside 6 of 10", await bench.hold(5), false);
  },

  async "gives back what is released, once"(bench) {
    await bench.read(10);
    await bench.hold(6, { id: "hold" });
    await bench.hold(4);
    await bench.account.release("hold");
    await bench.account.release("hold");
    await bench.account.release("unknown");
    await bench.expect({ held: 4 });
  },

  async "turns a hold into unconfirmed usage in one step"(bench) {
    await bench.read(10);
    await bench.hold(6, { id: "hold" });
    await bench.account.settle("hold", [
      { id: "one", amount: 2, reports: ["a"] },
      { id: "two", amount: 3, reports: ["b", "c"] },
    ]);
    await bench.expect({ held: 0, unconfirmed: 5 });
  },

  async "records work whose hold is gone, and records an entry again instead of twice"(bench) {
    await bench.read(10);
    await bench.account.settle("unknown", [{ id: "entry", amount: 2, reports: ["report"] }]);
    await bench.expect({ unconfirmed: 2 });
    await bench.account.settle(undefined, [{ id: "entry", amount: 3, reports: ["report"] }]);
    await bench.expect({ unconfirmed: 3 });
  },

  async "keeps usage until a snapshot was asked for when the lag had passed"(bench) {
    await bench.read(10);
    await bench.settle(4, "report");
    await bench.acknowledge("report");
    await bench.expect({ unconfirmed: 4 });
    await bench.advance(lagMs - 1);
    await bench.read(10);
    await bench.expect({ unconfirmed: 4 });
    await bench.advance(2);
    same("7 beside 4 of 10", await bench.hold(7), false);
    await bench.expect({ unconfirmed: 4 });
    await bench.read(6);
    await bench.expect({ unconfirmed: 0, capacity: 6 });
  },

  async "keeps usage for ever that is not acknowledged"(bench) {
    await bench.settle(4, "report");
    await bench.advance(100 * lagMs);
    await bench.read(10);
    await bench.expect({ unconfirmed: 4 });
    await bench.expectIdle(false);
  },

  async "counts the lag of an entry from the last of its reports"(bench) {
    await bench.settle(4, "first", "second");
    await bench.acknowledge("first");
    await bench.advance(lagMs);
    await bench.acknowledge("second");
    await bench.read(10);
    await bench.expect({ unconfirmed: 4 });
    await bench.advance(lagMs + 1);
    await bench.read(10);
    await bench.expect({ unconfirmed: 0 });
  },

  async "takes the acknowledgement of a report once, and of unknown ones not at all"(bench) {
    await bench.settle(4, "first", "second");
    await bench.acknowledge("first");
    await bench.acknowledge("first");
    await bench.acknowledge("unknown");
    await bench.account.acknowledge("unknown", "second", lagMs);
    await bench.advance(lagMs + 1);
    await bench.read(10);
    await bench.expect({ unconfirmed: 4 });
    await bench.acknowledge("second");
    await bench.advance(lagMs + 1);
    // It is the first one that counts, not the last repetition.
    await bench.acknowledge("second");
    await bench.read(10);
    await bench.expect({ unconfirmed: 0 });
  },

  async "ignores a snapshot that was asked for before the one it has"(bench) {
    await bench.settle(4, "report");
    await bench.acknowledge("report");
    const early = await bench.now();
    await bench.advance(lagMs + 1);
    await bench.read(6);
    await bench.read(10, early);
    await bench.expect({ capacity: 6, unconfirmed: 0 });
  },

  async "forgets nothing when it is idle: no hold, no usage whose debit may be unseen"(bench) {
    await bench.expectIdle(true);
    await bench.read(10);
    await bench.expectIdle(true);
    await bench.hold(4, { id: "hold" });
    await bench.expectIdle(false);
    await bench.account.settle("hold", [{ id: "entry", amount: 4, reports: ["report"] }]);
    await bench.expectIdle(false);
    await bench.acknowledge("report");
    await bench.advance(lagMs - 1);
    await bench.expectIdle(false);
    await bench.advance(2);
    await bench.expectIdle(true);
  },

  async "keeps services, customers and currencies apart, whatever they are called"(bench) {
    await bench.read(10);
    await bench.hold(6);
    const { ledger } = bench.trial;
    const others = [
      ledger.account("other", "ada", "credits"),
      ledger.account("service", "__proto__", "credits"),
      ledger.account("service", "ada", "constructor"),
      ledger.account("service:ada", "credits", "credits"),
    ];
    for (const other of others) {
      const { capacity, held } = await other.standing("prepaid");
      same("capacity", capacity, undefined);
      same("held", held, 0);
    }
  },

  async "has a clock that goes forward"(bench) {
    const before = await bench.now();
    await bench.advance(5);
    const after = await bench.now();
    if (!(after >= before + 5)) throw new Error(`now(): ${after} ms is less than 5 ms after ${before} ms`);
  },
};
