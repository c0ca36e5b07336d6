import { type LedgerBench, lagMs, maxStaleMs, same } from "./bench.ts";

/** The lines of the contract of ledgers on usage that a snapshot shows, and that must not be counted twice. */
export const shownUsage: { readonly [behaviour: string]: (bench: LedgerBench) => Promise<void> } = {
  async "counts no usage again that a newer snapshot shows, since nothing else makes funds fall"(bench) {
    await bench.read(10);
    await bench.recordComparable(4);
    await bench.read(9);
    await bench.expect({ capacity: 9, unconfirmed: 3 });
    await bench.read(6);
    await bench.expect({ capacity: 6, unconfirmed: 0 });
    same("7 of 6", await bench.admits(7), false);
    same("6 of 6", await bench.admits(6), true);
  },

  async "takes funds that fall further than its usage for what they are"(bench) {
    await bench.read(10);
    await bench.recordComparable(4);
    await bench.read(1);
    await bench.expect({ capacity: 1, unconfirmed: 0 });
    bench.record(1);
    same("1 of 0", await bench.admits(1), false);
  },

  async "lets in who has just paid: what was shown before a top-up is shown after it"(bench) {
    await bench.read(10);
    await bench.recordComparable(4);
    await bench.read(6);
    await bench.read(26);
    await bench.expect({ capacity: 26, unconfirmed: 0 });
  },

  async "takes no rise of the funds for usage that they show"(bench) {
    await bench.read(10);
    bench.record(4);
    await bench.read(20);
    await bench.expect({ capacity: 20, unconfirmed: 4 });
  },

  async "drops what is shown together with its usage"(bench) {
    await bench.read(10);
    await bench.acknowledge(bench.record(4));
    await bench.read(6);
    bench.record(3);
    await bench.expect({ unconfirmed: 3 });
    await bench.read(6, lagMs + 1);
    await bench.expect({ capacity: 6, unconfirmed: 3 });
  },

  async "drops what a snapshot is the first to show"(bench) {
    await bench.read(10);
    await bench.acknowledge(bench.record(4));
    bench.record(3);
    await bench.read(6, lagMs + 1);
    await bench.expect({ capacity: 6, unconfirmed: 3 });
  },

  async "knows nothing of what is shown from a snapshot that was asked for before the last one was answered"(
    bench,
  ) {
    await bench.read(10);
    bench.record(4);
    const early = await bench.beginRefresh();
    const late = await bench.beginRefresh();
    await bench.advance(1);
    // The first may have been read after a top-up that the second does not show.
    await bench.answer(early, 14);
    await bench.answer(late, 10);
    await bench.expect({ capacity: 10, unconfirmed: 4 });
  },

  async "compares nothing but numbers"(bench) {
    await bench.read(10);
    bench.record(4);
    await bench.read("wallet_missing");
    await bench.read(6);
    await bench.expect({ capacity: 6, unconfirmed: 4 });
    await bench.read(Number.POSITIVE_INFINITY);
    await bench.read(6);
    await bench.expect({ capacity: 6, unconfirmed: 4 });
  },
};

/** The same on usage that is not acknowledged, which a fall of the funds is taken for in memory, and not in a shared store. */
export const shownUnacknowledged: typeof shownUsage = {
  async "takes no more for shown than the usage that is left when it costs less"(bench) {
    await bench.read(10);
    const usage = bench.record(4);
    await bench.read(6);
    bench.account.correct(usage, 1);
    await bench.expect({ capacity: 6, unconfirmed: 0 });
    same("7 of 6", await bench.admits(7), false);
    bench.record(3);
    await bench.expect({ unconfirmed: 3 });
  },

  async "forgets what the funds fell by long ago, for it may have been others' spending"(bench) {
    await bench.read(10);
    bench.record(4);
    await bench.read(6);
    await bench.read(6, maxStaleMs - 10);
    await bench.expect({ unconfirmed: 0 });
    await bench.read(6, 10);
    await bench.expect({ unconfirmed: 4 });
    await bench.read(5);
    await bench.expect({ unconfirmed: 3 });
  },

  async "takes no fall for usage under a telling answer"(bench) {
    await bench.read(10);
    bench.record(4);
    await bench.read(6);
    await bench.expect({ unconfirmed: 0 });
    // What the funds had fallen by before may be unsettled usage of others' that was debited.
    await bench.readReported(6, 0);
    await bench.expect({ capacity: 6, unconfirmed: 4 });
    await bench.readReported(3, 0);
    await bench.expect({ capacity: 3, unconfirmed: 4 });
  },
};
