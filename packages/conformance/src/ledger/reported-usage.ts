import { type LedgerBench, lagMs, same } from "./bench.ts";

/** The lines of the contract of ledgers on an extended service. */
export const acceptedUsage: { readonly [behaviour: string]: (bench: LedgerBench) => Promise<void> } = {
  async "counts neither what is debited nor what is unsettled twice"(bench) {
    const debited = bench.record(3);
    const unsettled = bench.record(4);
    await bench.acknowledge(debited);
    await bench.acknowledge(unsettled);
    await bench.readReported(17, 4);
    await bench.expect({ capacity: 13, unconfirmed: 0 });
    same("14 of 13", await bench.admits(14), false);
    same("13 of 13", await bench.admits(13), true);
  },

  async "counts holds, and what is not acknowledged, beside unsettled usage"(bench) {
    await bench.readReported(10, 0);
    const held = await bench.hold(2);
    bench.record(3);
    await bench.readReported(10, 3);
    await bench.expect({ capacity: 7, held: 2, unconfirmed: 3, recent: 0 });
    same("3 beside 5 of 7", await bench.admits(3), false);
    bench.account.release(held);
    same("4 beside 3 of 7", await bench.admits(4), true);
  },

  async "counts what was acknowledged after the request had left, until the next one"(bench) {
    const request = await bench.beginRefresh();
    await bench.acknowledge(bench.record(4));
    await bench.answer(request, 10, 4);
    await bench.expect({ capacity: 6, unconfirmed: 4, recent: 4 });
    await bench.readReported(10, 4);
    await bench.expect({ capacity: 6, unconfirmed: 0, recent: 0 });
    await bench.acknowledge(bench.record(1));
    await bench.expect({ unconfirmed: 1, recent: 1 });
  },

  async "counts an answer by its own request, whatever has left since"(bench) {
    await bench.acknowledge(bench.record(1));
    const early = await bench.beginRefresh();
    await bench.acknowledge(bench.record(2));
    const late = await bench.beginRefresh();
    await bench.acknowledge(bench.record(4));
    await bench.answer(early, 10, 7);
    await bench.expect({ capacity: 3, unconfirmed: 6, recent: 6 });
    await bench.answer(late, 10, 7);
    await bench.expect({ capacity: 3, unconfirmed: 4, recent: 4 });
  },

  async "calls nothing recent where the service does not tell: only the lag shows it"(bench) {
    await bench.read(10);
    await bench.acknowledge(bench.record(4));
    await bench.expect({ unconfirmed: 4, recent: 0 });
    await bench.readReported(10, 4);
    await bench.acknowledge(bench.record(1));
    await bench.read(10);
    await bench.expect({ unconfirmed: 5, recent: 0 });
  },

  async "forgets usage by the lag alone, whether answers tell or not"(bench) {
    await bench.read(10);
    await bench.acknowledge(bench.record(4));
    for (let turn = 0; turn < 3; turn++) {
      await bench.readReported(10, 4);
      await bench.expect({ capacity: 6, unconfirmed: 0 });
      bench.expectIdle(false);
      await bench.read(10);
      await bench.expect({ capacity: 10, unconfirmed: 4 });
    }
    await bench.advance(lagMs);
    await bench.readReported(6, 0);
    await bench.read(6);
    await bench.expect({ capacity: 6, unconfirmed: 0 });
    bench.expectIdle(true);
  },

  async "takes no fall for usage under the first answer that does not tell, and compares from there"(bench) {
    await bench.readReported(10, 0);
    await bench.recordComparable(4);
    await bench.read(8);
    await bench.expect({ capacity: 8, unconfirmed: 4 });
    await bench.read(7);
    await bench.expect({ capacity: 7, unconfirmed: 3 });
  },

  async "counts what a queue has acknowledged until the lag has passed, for the service may not know of it"(
    bench,
  ) {
    const queued = bench.record(4);
    const accepted = bench.record(1);
    await bench.acknowledge(queued, true);
    await bench.acknowledge(accepted);
    await bench.readReported(10, 1);
    await bench.expect({ capacity: 9, unconfirmed: 4, recent: 0 });
    await bench.acknowledge(bench.record(2), true);
    await bench.expect({ unconfirmed: 6, recent: 0 });
    await bench.readReported(10, 7, lagMs - 10);
    await bench.expect({ capacity: 3, unconfirmed: 6 });
    await bench.readReported(3, 0, lagMs);
    await bench.expect({ capacity: 3, unconfirmed: 0 });
  },

  async "admits nothing where more is unsettled than there is"(bench) {
    await bench.readReported(3, 5);
    await bench.expect({ capacity: -2 });
    same("1 of -2", await bench.admits(1), false);
  },

  async "takes unsettled usage from nothing but numbers"(bench) {
    await bench.readReported("wallet_missing", 5);
    await bench.expect({ capacity: "wallet_missing" });
    await bench.readReported(Number.POSITIVE_INFINITY, 5);
    await bench.expect({ capacity: Number.POSITIVE_INFINITY });
  },
};
