import { answers, type StoreCases, terms } from "./bench.ts";

/** Just after everything that was acknowledged before is certain to be in a balance. */
const afterLag = terms.lagMs + 2 * terms.windowMs;

/** The lines of the contract of shared stores on acknowledged usage, and on balances that show it. */
export const usage: StoreCases = {
  async "counts acknowledged usage beside the reservations, in the same step"(bench) {
    await bench.begin(10);
    await bench.hold("a", 10);
    answers(await bench.sync("a", { acked: 4, base: 6 }), { reservation: 6, used: 4, out: 6 });
    answers(await bench.sync("b", { first: 1, need: 1 }), { denied: true });
  },

  async "forgets usage when a balance was asked for after its lag, not before"(bench) {
    await bench.begin(10);
    await bench.hold("a", 4);
    await bench.sync("a", { acked: 4 });
    answers(await bench.read(10), { used: 4, shownPrepaid: 0 });
    await bench.advance(terms.lagMs / 2);
    answers(await bench.read(10), { used: 4 });
    await bench.advance(afterLag);
    answers(await bench.sync("b", { first: 7, need: 7 }), { denied: true, used: 4 });
    answers(await bench.read(6), { used: 0, prepaid: 6, shownPrepaid: 0 });
    answers(await bench.sync("b", { first: 6, need: 6 }), { denied: false, reservation: 6 });
  },

  async "ends each window by itself"(bench) {
    await bench.begin(100);
    await bench.sync("a", { acked: 4 });
    await bench.advance(afterLag / 2);
    await bench.sync("a", { acked: 3 });
    await bench.advance(afterLag / 2);
    answers(await bench.read(100), { used: 3 });
    await bench.advance(afterLag / 2);
    answers(await bench.read(100), { used: 0 });
  },

  async "takes a fall of the balance for usage that it shows, a rise for nothing"(bench) {
    await bench.begin(10);
    await bench.sync("a", { acked: 4 });
    answers(await bench.read(7), { used: 4, shownPrepaid: 3, shownPostpaid: 3 });
    answers(await bench.read(20), { shownPrepaid: 3 });
    answers(await bench.read(10), { shownPrepaid: 4 });
    answers(await bench.sync("b", { first: 11, need: 11 }), { denied: true });
    answers(await bench.sync("b", { first: 10, need: 10 }), { denied: false });
  },

  async "drops what is shown together with its usage"(bench) {
    await bench.begin(10);
    await bench.sync("a", { acked: 4 });
    await bench.advance(afterLag / 2);
    await bench.sync("a", { acked: 2 });
    answers(await bench.read(5), { used: 6, shownPrepaid: 5 });
    await bench.advance(afterLag / 2);
    answers(await bench.read(5), { used: 2, shownPrepaid: 1 });
  },

  async "compares nothing but numbers, and no balance that was asked for before the last had come"(bench) {
    await bench.begin(10);
    await bench.sync("a", { acked: 4 });
    await bench.read("wallet_missing");
    answers(await bench.read(6), { shownPrepaid: 0 });
    await bench.read(Number.MAX_SAFE_INTEGER);
    answers(await bench.read(5), { shownPrepaid: 0 });
    const early = await bench.leave();
    await bench.advance(50);
    const late = await bench.leave();
    await bench.advance(50);
    const taken = { prepaid: 5, postpaid: 5, extended: false };
    await bench.sync("reader", { snapshot: { stamp: early.now, epoch: early.epoch, ...taken } });
    const second = { stamp: late.now, epoch: late.epoch, prepaid: 3, postpaid: 3, extended: false };
    answers(await bench.sync("reader", { snapshot: second }), {
      prepaid: 3,
      shownPrepaid: 0,
      stamp: late.now,
    });
  },

  async "forgets what the balance fell by long ago"(bench) {
    await bench.begin(10);
    const lagMs = 2 * terms.maxStaleMs;
    await bench.advance(lagMs);
    await bench.read(10);
    await bench.sync("a", { acked: 4, terms: { ...terms, lagMs } });
    const { stamp } = await bench.read(8);
    answers(await bench.read(8), { shownPrepaid: 2 });
    await bench.advance(terms.maxStaleMs + 1);
    const later = await bench.read(8, {});
    answers(later, { used: 4, shownPrepaid: 0 });
    if (stamp === null || later.stamp === null || later.stamp <= stamp)
      throw new Error("stamp: expected a later one");
  },

  async "counts what was acknowledged before the request of an extended balance, no more: but does not forget it"(
    bench,
  ) {
    await bench.begin(10);
    await bench.sync("a", { acked: 4 });
    await bench.advance(2 * terms.windowMs);
    answers(await bench.read(6, { extended: true }), {
      used: 4,
      shownPrepaid: 4,
      shownPostpaid: 4,
      recent: 0,
    });
    await bench.advance(2 * terms.windowMs);
    answers(await bench.sync("a", { acked: 1 }), { used: 5, shownPrepaid: 4, recent: 1 });
    answers(await bench.sync("b", { first: 6, need: 6 }), { denied: true });
    answers(await bench.read(6), { used: 5, shownPrepaid: 0, recent: 0 });
    answers(await bench.read(4), { used: 5, shownPrepaid: 2 });
  },

  async "counts by its end the window in which an extended balance was asked for"(bench) {
    await bench.begin(10);
    const windows = { ...terms, windowMs: 1_000_000 };
    await bench.sync("a", { acked: 4, terms: windows });
    answers(await bench.read(6, { extended: true }), { used: 4, shownPrepaid: 0, recent: 4 });
  },

  async "counts what only a queue has until its lag is over, whatever a balance includes"(bench) {
    await bench.begin(10);
    await bench.sync("a", { acked: 5, queued: 4 });
    await bench.advance(2 * terms.windowMs);
    answers(await bench.read(9, { extended: true }), { used: 5, shownPrepaid: 1, recent: 0 });
    await bench.advance(afterLag);
    answers(await bench.read(5, { extended: true }), { used: 0, shownPrepaid: 0 });
  },

  async "keeps to the longest lag while there is usage"(bench) {
    await bench.begin(10);
    await bench.sync("a", { acked: 4, terms: { ...terms, lagMs: 3 * terms.lagMs } });
    await bench.advance(afterLag);
    answers(await bench.read(10), { used: 4 });
    await bench.advance(2 * terms.lagMs);
    answers(await bench.read(10), { used: 0 });
  },

  async "stays at the largest sum until no usage is left"(bench) {
    const most = Number.MAX_SAFE_INTEGER;
    await bench.begin(most);
    await bench.sync("a", { acked: most });
    await bench.advance(afterLag / 2);
    answers(await bench.sync("a", { acked: 5 }), { used: most });
    await bench.advance(afterLag / 2);
    answers(await bench.read(most), { used: most, shownPrepaid: 0 });
    answers(await bench.sync("b", { first: 1, need: 1 }), { denied: true });
    await bench.advance(afterLag / 2);
    answers(await bench.read(most), { used: 0 });
  },

  async "takes no balance that is older than the one it has, from the future, too old, or of another epoch"(
    bench,
  ) {
    await bench.begin(10);
    const before = await bench.leave();
    const { stamp } = await bench.read(9);
    const taken = { prepaid: 1, postpaid: 1, extended: false };
    const { epoch } = before;
    answers(await bench.sync("reader", { snapshot: { stamp: before.now, epoch, ...taken } }), {
      prepaid: 9,
      stamp,
    });
    const { now } = await bench.leave();
    answers(await bench.sync("reader", { snapshot: { stamp: now + 1_000_000, epoch, ...taken } }), {
      prepaid: 9,
    });
    answers(await bench.sync("reader", { snapshot: { stamp: now, epoch: "another", ...taken } }), {
      prepaid: 9,
    });
    await bench.advance(terms.maxStaleMs + 1);
    answers(await bench.sync("reader", { snapshot: { stamp: now, epoch, ...taken } }), { prepaid: 9, stamp });
  },
};
