import { answers, type StoreCases, terms } from "./bench.ts";

/** The lines of the contract of shared stores on who reads the balance, and when. */
export const refresh: StoreCases = {
  async "lets one process read the balance, and the others wait for it"(bench) {
    const { now, epoch, ...first } = await bench.sync("a", { refresh: "now" });
    answers({ now, epoch, ...first }, { refresh: "go" });
    answers(await bench.sync("b", { refresh: "now" }), { refresh: "wait" });
    answers(await bench.sync("b"), { refresh: null });
    const snapshot = { stamp: now, epoch, prepaid: 10, postpaid: 10, extended: false };
    answers(await bench.sync("a", { snapshot }), { stamp: now, prepaid: 10 });
    answers(await bench.sync("b", { refresh: now }), { refresh: "here", prepaid: 10 });
    await bench.advance(10);
    answers(await bench.sync("b", { refresh: "now" }), { refresh: "go" });
  },

  async "lets another one read it when the request has failed, or is not answered for long"(bench) {
    const first = await bench.sync("a", { refresh: "now" });
    await bench.advance(10);
    await bench.sync("a", { failed: first.now - 1 });
    answers(await bench.sync("b", { refresh: "now" }), { refresh: "wait" });
    await bench.sync("a", { failed: first.now });
    answers(await bench.sync("b", { refresh: "now" }), { refresh: "go" });
    answers(await bench.sync("c", { refresh: "now" }), { refresh: "wait" });
    await bench.advance(terms.requestMs);
    answers(await bench.sync("c", { refresh: "now" }), { refresh: "go" });
  },

  async "leaves a rest between two requests"(bench) {
    const slow = { ...terms, minRefreshMs: 100_000 };
    const { now, epoch } = await bench.sync("a", { refresh: "now", terms: slow });
    const snapshot = { stamp: now, epoch, prepaid: 10, postpaid: 10, extended: false };
    await bench.sync("a", { snapshot });
    await bench.advance(terms.requestMs + 1);
    answers(await bench.sync("b", { refresh: "now", terms: slow }), { refresh: "wait" });
    await bench.advance(100_000);
    answers(await bench.sync("b", { refresh: "now", terms: slow }), { refresh: "go" });
  },

  async "asks in the same step in which it takes a balance and denies"(bench) {
    await bench.begin(10);
    const { now, epoch } = await bench.leave();
    const snapshot = { stamp: now, epoch, prepaid: 3, postpaid: 3, extended: false };
    answers(await bench.sync("a", { snapshot, refresh: now, first: 4, need: 4 }), {
      refresh: "here",
      denied: true,
      prepaid: 3,
    });
  },
};
