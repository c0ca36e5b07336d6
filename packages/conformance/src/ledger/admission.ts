import { type LedgerBench, lagMs, maxStaleMs, same } from "./bench.ts";

/** The lines of the contract of ledgers on what a balance answer lets in. */
export const admission: { readonly [behaviour: string]: (bench: LedgerBench) => Promise<void> } = {
  async "admits nothing before a balance has been read"(bench) {
    same("admitted", await bench.admits(1), false);
    await bench.expect({ capacity: undefined, held: 0, unconfirmed: 0, recent: 0, stamp: undefined });
  },

  async "admits what fits whole, and not a micro-credit more"(bench) {
    await bench.read(10);
    same("11 of 10", await bench.admits(11), false);
    same("10 of 10", await bench.admits(10), true);
    same("1 of 0", await bench.admits(1), false);
    await bench.expect({ capacity: 10, held: 10 });
  },

  async "holds what is left where all does not fit, not less than the least, and a part of it later"(bench) {
    await bench.read(10);
    const all = await bench.ask(4, { least: 1 });
    same("4 of 10, at least 1", all.admitted && all.amount, 4);
    const rest = await bench.ask(9, { least: 3 });
    same("9 beside 4 of 10, at least 3", rest.admitted && rest.amount, 6);
    await bench.expect({ capacity: 10, held: 10 });
    same("9 of 0, at least 1", await bench.admits(9, { least: 1 }), false);
    if (rest.admitted) bench.account.settle(rest, [2]);
    await bench.expect({ held: 4, unconfirmed: 2 });
    same("9 beside 6 of 10, at least 5", await bench.admits(9, { least: 5 }), false);
    const exact = await bench.ask(9, { least: 4 });
    same("9 beside 6 of 10, at least 4", exact.admitted && exact.amount, 4);
    if (exact.admitted) bench.account.release(exact);
    if (all.admitted) bench.account.release(all, 1);
    await bench.expect({ held: 1, unconfirmed: 2 });
    same("8 beside 3 of 10", await bench.admits(8), false);
    if (all.admitted) bench.account.release(all);
    await bench.expect({ held: 0, unconfirmed: 2 });
  },

  async "counts holds and unconfirmed usage alike"(bench) {
    await bench.read(10);
    bench.record(4);
    same("7 beside 4 of 10", await bench.admits(7), false);
    same("3 beside 4 of 10", await bench.admits(3), true);
    same("4 beside 7 of 10", await bench.admits(4), false);
    same("3 beside 7 of 10", await bench.admits(3), true);
  },

  async "admits exactly what there is when many ask at once"(bench) {
    await bench.read(1_000);
    const admitted = await Promise.all(Array.from({ length: 200 }, () => bench.admits(7)));
    same("admitted", admitted.filter(Boolean).length, 142);
    await bench.expect({ held: 994 });
  },

  async "answers a request that is not admitted with the figures"(bench) {
    const request = await bench.beginRefresh();
    await bench.answer(request, 10);
    await bench.hold(6);
    bench.record(3);
    const figures = await bench.ask(2);
    if (figures.admitted) throw new Error("2 beside 9 of 10: expected not to be admitted");
    same("capacity", figures.capacity, 10);
    same("held", figures.held, 6);
    same("unconfirmed", figures.unconfirmed, 3);
    same("recent", figures.recent, 0);
    same("stamp", figures.stamp, request.stamp);
  },

  async "admits nothing on a balance that was asked for too early"(bench) {
    const request = await bench.beginRefresh(100);
    await bench.answer(request, 10);
    same("too early", await bench.admits(1, { notBefore: request.stamp + 1 }), false);
    same("just late enough", await bench.admits(1, { notBefore: request.stamp }), true);
  },

  async "stamps a balance request when it leaves, not when its answer comes"(bench) {
    await bench.advance(100);
    const before = bench.now;
    const request = await bench.beginRefresh(1);
    const after = bench.now;
    if (request.stamp < before || request.stamp > after)
      throw new Error(`stamp: expected ${before} to ${after}`);
    await bench.advance(100);
    await bench.answer(request, 10);
    await bench.expect({ stamp: request.stamp });
  },

  async "reads a wallet by its kind"(bench) {
    await bench.account.install(await bench.beginRefresh(), { prepaid: 0, postpaid: 5 }, maxStaleMs);
    same("prepaid", await bench.admits(1, { kind: "prepaid" }), false);
    same("postpaid", await bench.admits(1, { kind: "postpaid" }), true);
  },

  async "admits anything on a wallet without a limit"(bench) {
    await bench.read(Number.POSITIVE_INFINITY);
    same("much", await bench.admits(2 ** 50), true);
    same("more", await bench.admits(2 ** 50), true);
    await bench.expect({ capacity: Number.POSITIVE_INFINITY, held: 2 ** 51 });
  },

  async "admits nothing in debt, nor on a wallet that is a problem"(bench) {
    await bench.read(-5);
    same("in debt", await bench.admits(1), false);
    await bench.read("wallet_missing");
    same("missing", await bench.admits(1), false);
    await bench.expect({ capacity: "wallet_missing" });
  },

  async "admits nothing beside usage beyond the range of exact sums, and is exact again without it"(bench) {
    await bench.read(Number.POSITIVE_INFINITY);
    const huge = bench.record(Number.MAX_SAFE_INTEGER);
    const more = bench.record(Number.MAX_SAFE_INTEGER);
    const small = bench.record(3);
    await bench.acknowledge(huge);
    await bench.read(Number.POSITIVE_INFINITY, lagMs + 1);
    same("beside two of three", await bench.admits(1), false);
    await bench.acknowledge(more);
    await bench.acknowledge(small);
    await bench.read(Number.POSITIVE_INFINITY);
    same("before the lag has passed", await bench.admits(1), false);
    await bench.read(Number.POSITIVE_INFINITY, lagMs + 1);
    await bench.expect({ held: 0, unconfirmed: 0 });
    same("all that there is", await bench.admits(Number.MAX_SAFE_INTEGER), true);
    same("one more", await bench.admits(1), false);
  },

  async "ignores an answer to a request that left before the one it has"(bench) {
    await bench.acknowledge(bench.record(4));
    const early = await bench.beginRefresh();
    await bench.read(6, lagMs + 1);
    await bench.answer(early, 10);
    await bench.expect({ capacity: 6, unconfirmed: 0 });
  },

  async "takes the answer to the later of two requests, even of one instant"(bench) {
    const early = await bench.beginRefresh();
    const late = await bench.beginRefresh(0);
    await bench.answer(early, 10);
    await bench.answer(late, 9);
    await bench.expect({ capacity: 9 });
    await bench.answer(early, 10);
    await bench.expect({ capacity: 9 });
  },

  async "leaves everything as it is when a balance request fails"(bench) {
    const request = await bench.beginRefresh();
    await bench.answer(request, 10);
    await bench.acknowledge(bench.record(4));
    await bench.account.install(await bench.beginRefresh(lagMs + 1), undefined, maxStaleMs);
    await bench.expect({ capacity: 10, unconfirmed: 4, stamp: request.stamp });
    await bench.read(6);
    await bench.expect({ capacity: 6, unconfirmed: 0 });
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
      const { capacity, held } = other.figures("prepaid");
      same("capacity", capacity, undefined);
      same("held", held, 0);
    }
  },
};
