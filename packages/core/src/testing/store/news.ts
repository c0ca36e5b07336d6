import { answers, type StoreBench, terms } from "./bench.ts";

type Cases = { readonly [behaviour: string]: (bench: StoreBench) => Promise<void> };

/** The lines of the contract of shared stores on who reads the balance, and when. */
export const news: Cases = {
  async "lets one process read the balance, and the others wait for it"(bench) {
    const { now, epoch, ...first } = await bench.say("a", { news: "now" });
    answers({ now, epoch, ...first }, { news: "go" });
    answers(await bench.say("b", { news: "now" }), { news: "wait" });
    answers(await bench.say("b"), { news: null });
    const snapshot = { stamp: now, epoch, prepaid: 10, postpaid: 10, tells: false };
    answers(await bench.say("a", { snapshot }), { stamp: now, prepaid: 10 });
    answers(await bench.say("b", { news: now }), { news: "here", prepaid: 10 });
    await bench.advance(10);
    answers(await bench.say("b", { news: "now" }), { news: "go" });
  },

  async "lets another one read it when the request has failed, or is not answered for long"(bench) {
    const first = await bench.say("a", { news: "now" });
    await bench.advance(10);
    await bench.say("a", { failed: first.now - 1 });
    answers(await bench.say("b", { news: "now" }), { news: "wait" });
    await bench.say("a", { failed: first.now });
    answers(await bench.say("b", { news: "now" }), { news: "go" });
    answers(await bench.say("c", { news: "now" }), { news: "wait" });
    await bench.advance(terms.requestMs);
    answers(await bench.say("c", { news: "now" }), { news: "go" });
  },

  async "leaves a rest between two requests"(bench) {
    const slow = { ...terms, minRefreshMs: 100_000 };
    const { now, epoch } = await bench.say("a", { news: "now", terms: slow });
    const snapshot = { stamp: now, epoch, prepaid: 10, postpaid: 10, tells: false };
    await bench.say("a", { snapshot });
    await bench.advance(terms.requestMs + 1);
    answers(await bench.say("b", { news: "now", terms: slow }), { news: "wait" });
    await bench.advance(100_000);
    answers(await bench.say("b", { news: "now", terms: slow }), { news: "go" });
  },

  async "asks in the same step in which it takes a balance and denies"(bench) {
    await bench.begin(10);
    const { now, epoch } = await bench.leave();
    const snapshot = { stamp: now, epoch, prepaid: 3, postpaid: 3, tells: false };
    answers(await bench.say("a", { snapshot, news: now, first: 4, need: 4 }), {
      news: "here",
      denied: true,
      prepaid: 3,
    });
  },
};
