import { type LedgerBench, lagMs, same } from "./bench.ts";

/** The lines of the contract of ledgers on holds, and on the usage that they become. */
export const outstandingWork: { readonly [behaviour: string]: (bench: LedgerBench) => Promise<void> } = {
  async "counts work in flight however long it takes"(bench) {
    await bench.read(10);
    await bench.hold(6);
    await bench.read(10, 600_000);
    same("5 beside 6 of 10", await bench.admits(5), false);
  },

  async "gives back what is released, once"(bench) {
    await bench.read(10);
    const hold = await bench.hold(6);
    await bench.hold(4);
    bench.account.release(hold);
    bench.account.release(hold);
    await bench.expect({ held: 4 });
  },

  async "turns a hold into unconfirmed usage in one step, an object for each amount"(bench) {
    await bench.read(10);
    const usages = bench.account.settle(await bench.hold(6), [2, 3]);
    same("amounts", usages.map(({ amount }) => amount).join(), "2,3");
    await bench.expect({ held: 0, unconfirmed: 5 });
    bench.account.settle(await bench.hold(3), [3]);
    await bench.expect({ held: 0, unconfirmed: 8 });
    bench.account.settle(await bench.hold(2), []);
    await bench.expect({ held: 0, unconfirmed: 8 });
  },

  async "releases nothing that has become usage"(bench) {
    await bench.read(10);
    const hold = await bench.hold(6);
    bench.account.settle(hold, [5]);
    await bench.hold(4);
    bench.account.release(hold);
    await bench.expect({ held: 4, unconfirmed: 5 });
  },

  async "acknowledges no work that is still held"(bench) {
    await bench.read(10);
    const hold = await bench.hold(6);
    await bench.acknowledge(hold);
    await bench.read(10, lagMs + 1);
    await bench.expect({ held: 6, unconfirmed: 0 });
    bench.expectIdle(false);
  },

  async "records work whose hold has ended beside what that has cost"(bench) {
    await bench.read(10);
    const hold = await bench.hold(6);
    const [first] = bench.account.settle(hold, [4]);
    const [second] = bench.account.settle(hold, [3]);
    await bench.expect({ held: 0, unconfirmed: 7 });
    for (const usage of [first, second]) if (usage !== undefined) await bench.acknowledge(usage);
    await bench.read(3, lagMs + 1);
    await bench.expect({ unconfirmed: 0 });
    bench.expectIdle(true);
  },

  async "keeps usage until a balance was asked for when the lag had passed"(bench) {
    await bench.read(10);
    await bench.acknowledge(bench.record(4));
    await bench.expect({ unconfirmed: 4 });
    await bench.read(10, lagMs);
    await bench.expect({ unconfirmed: 4 });
    await bench.advance(1);
    same("7 beside 4 of 10", await bench.admits(7), false);
    await bench.expect({ unconfirmed: 4 });
    await bench.read(6);
    await bench.expect({ unconfirmed: 0, capacity: 6 });
  },

  async "keeps usage for ever that is not acknowledged"(bench) {
    bench.record(4);
    await bench.read(10, 100 * lagMs);
    await bench.expect({ unconfirmed: 4 });
    bench.expectIdle(false);
  },

  async "counts the lag of each usage from its own acknowledgement, the first one"(bench) {
    const early = bench.record(4);
    const late = bench.record(2);
    await bench.acknowledge(early);
    await bench.read(10, lagMs);
    await bench.acknowledge(late);
    await bench.acknowledge(early);
    await bench.read(10);
    await bench.expect({ unconfirmed: 2 });
    await bench.read(10, lagMs + 1);
    await bench.expect({ unconfirmed: 0 });
  },

  async "takes the last of several acknowledgements for proof of it, not the first"(bench) {
    const early = bench.record(4);
    const late = bench.record(2);
    await bench.acknowledge(early);
    await bench.advance(lagMs / 2);
    await bench.acknowledge(late);
    await bench.read(10, lagMs / 2 + 1);
    const { unconfirmed } = bench.account.figures("prepaid");
    if (unconfirmed < 2) throw new Error(`unconfirmed: expected 2 or more, received ${unconfirmed}`);
    await bench.read(10, lagMs);
    await bench.expect({ unconfirmed: 0 });
  },

  async "takes what usage really costs, more or less, until it is acknowledged"(bench) {
    await bench.read(10);
    const usage = bench.record(4);
    bench.account.correct(usage, 7);
    await bench.expect({ unconfirmed: 7 });
    bench.account.correct(usage, 2);
    bench.account.correct(usage, 2);
    same("amount", usage.amount, 2);
    await bench.expect({ unconfirmed: 2 });
    await bench.acknowledge(usage);
    bench.account.correct(usage, 9);
    await bench.expect({ unconfirmed: 2 });
    await bench.read(8, lagMs + 1);
    bench.account.correct(usage, 9);
    await bench.expect({ unconfirmed: 0 });
  },

  async "corrects no work that is still held"(bench) {
    await bench.read(10);
    const hold = await bench.hold(6);
    bench.account.correct(hold, 1);
    await bench.expect({ held: 6, unconfirmed: 0 });
    bench.account.release(hold);
    await bench.expect({ held: 0, unconfirmed: 0 });
  },

  async "waits for the acknowledgement of usage that costs nothing too"(bench) {
    const usage = bench.record(4);
    bench.account.correct(usage, 0);
    bench.expectIdle(false);
    await bench.acknowledge(usage);
    await bench.advance(lagMs + 1);
    bench.expectIdle(true);
  },

  async "recovers what earlier processes have left as usage that is not acknowledged"(bench) {
    const [first, second] = await bench.account.recover([4, 2], []);
    await bench.read(10, 100 * lagMs);
    await bench.expect({ unconfirmed: 6 });
    if (first !== undefined) await bench.acknowledge(first);
    await bench.read(6, lagMs + 1);
    await bench.expect({ unconfirmed: 2 });
    if (second !== undefined) await bench.acknowledge(second);
    await bench.read(4, lagMs + 1);
    await bench.expect({ unconfirmed: 0 });
    bench.expectIdle(true);
  },

  async "forgets nothing when it is idle: no hold, no usage whose debit may be unseen"(bench) {
    bench.expectIdle(true);
    await bench.read(10);
    bench.expectIdle(true);
    const hold = await bench.hold(4);
    bench.expectIdle(false);
    const [usage] = bench.account.settle(hold, [4]);
    bench.expectIdle(false);
    if (usage !== undefined) await bench.acknowledge(usage);
    await bench.advance(lagMs - 1);
    bench.expectIdle(false);
    await bench.advance(2);
    bench.expectIdle(true);
    bench.account.release(await bench.hold(1));
    await bench.account.flush(true);
    bench.expectIdle(true);
  },

  async "gives back what it needs no more when it is asked to, and goes on"(bench) {
    await bench.read(10);
    await bench.hold(6);
    await bench.account.flush(true);
    await bench.expect({ held: 6 });
    same("5 beside 6 of 10", await bench.admits(5), false);
  },
};
