import { type LedgerBench, lagMs, maxStaleMs, same } from "./bench.ts";

/** The lines of the contract of ledgers on usage that a snapshot shows, and that must not be counted twice. */
export const shownUsage: { readonly [behaviour: string]: (bench: LedgerBench) => Promise<void> } = {
  async "counts no usage again that a newer snapshot shows, since nothing else makes funds fall"(bench) {
    await bench.read(10);
    await bench.settle(4, "report");
    await bench.readLater(9);
    await bench.expect({ capacity: 9, unconfirmed: 3 });
    await bench.readLater(6);
    await bench.expect({ capacity: 6, unconfirmed: 0 });
    same("7 of 6", await bench.hold(7), false);
    same("6 of 6", await bench.hold(6), true);
  },

  async "takes funds that fall further than its usage for what they are"(bench) {
    await bench.read(10);
    await bench.settle(4, "report");
    await bench.readLater(1);
    await bench.expect({ capacity: 1, unconfirmed: 0 });
    await bench.record("other", 1);
    same("1 of 0", await bench.hold(1), false);
  },

  async "lets in who has just paid: what was shown before a top-up is shown after it"(bench) {
    await bench.read(10);
    await bench.settle(4, "report");
    await bench.readLater(6);
    await bench.readLater(26);
    await bench.expect({ capacity: 26, unconfirmed: 0 });
  },

  async "takes no rise of the funds for usage that they show"(bench) {
    await bench.read(10);
    await bench.settle(4, "report");
    await bench.readLater(20);
    await bench.expect({ capacity: 20, unconfirmed: 4 });
  },

  async "drops what is shown together with its usage"(bench) {
    await bench.read(10);
    await bench.settle(4, "report");
    await bench.acknowledge("report");
    await bench.readLater(6);
    await bench.record("other", 3);
    await bench.expect({ unconfirmed: 3 });
    await bench.readLater(6, lagMs + 1);
    await bench.expect({ capacity: 6, unconfirmed: 3 });
  },

  async "drops what a snapshot is the first to show"(bench) {
    await bench.read(10);
    await bench.settle(4, "report");
    await bench.acknowledge("report");
    await bench.record("other", 3);
    await bench.readLater(6, lagMs + 1);
    await bench.expect({ capacity: 6, unconfirmed: 3 });
  },

  async "knows nothing of what is shown from a snapshot that was asked for before the last one was answered"(
    bench,
  ) {
    await bench.read(10);
    await bench.settle(4, "report");
    await bench.advance(1);
    const early = await bench.now();
    await bench.advance(1);
    const late = await bench.now();
    await bench.advance(1);
    // The first may have been read after a top-up that the second does not show.
    await bench.read(14, early);
    await bench.read(10, late);
    await bench.expect({ capacity: 10, unconfirmed: 4 });
  },

  async "forgets what the funds fell by long ago, for it may have been others' spending"(bench) {
    await bench.read(10);
    await bench.settle(4, "report");
    await bench.readLater(6);
    await bench.readLater(6, maxStaleMs - 1);
    await bench.expect({ unconfirmed: 0 });
    await bench.readLater(6, 1);
    await bench.expect({ unconfirmed: 4 });
    await bench.readLater(5);
    await bench.expect({ unconfirmed: 3 });
  },

  async "compares nothing but numbers"(bench) {
    await bench.read(10);
    await bench.settle(4, "report");
    await bench.advance(1);
    const stamp = await bench.now();
    await bench.account.install({ stamp, prepaid: "wallet_missing", postpaid: "wallet_missing" }, maxStaleMs);
    await bench.readLater(6);
    await bench.expect({ capacity: 6, unconfirmed: 4 });
    await bench.readLater(Number.POSITIVE_INFINITY);
    await bench.readLater(6);
    await bench.expect({ capacity: 6, unconfirmed: 4 });
  },
};
