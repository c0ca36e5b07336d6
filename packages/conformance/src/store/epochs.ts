import { same } from "../ledger/bench.ts";
import { answers, type StoreCases, terms } from "./bench.ts";

/** The lines of the contract of shared stores on one that may have forgotten something. */
export const epochs: StoreCases = {
  async "begins another epoch after a restart, and has every process register"(bench) {
    await bench.begin(10);
    const before = await bench.hold("a", 4);
    await bench.restart();
    const asked = await bench.sync("a", { base: 4 });
    answers(asked, { status: "register", calm: false, stamp: null, prepaid: null, out: 4 });
    same("another epoch", asked.epoch === before.epoch, false);
    answers(await bench.sync("a", { base: 4, register: true }), { status: "ok", reservation: 4 });
  },

  async "grants nothing for a lease, and then only by a balance of after the lag; what processes claim counts"(
    bench,
  ) {
    await bench.begin(100);
    await bench.hold("a", 4, { want: 6 });
    await bench.restart();
    await bench.sync("a", { base: 4 });
    answers(await bench.sync("a", { base: 4, claim: 10, register: true, first: 1, need: 1 }), {
      calm: false,
      denied: false,
      reservation: 10,
    });
    answers(await bench.read(100), { calm: false });
    await bench.advance(terms.leaseMs + 1);
    answers(await bench.read(100, { extended: true }), { calm: true });
    answers(await bench.read(100), { calm: false });
    answers(await bench.sync("b", { base: 1, claim: 5, register: true }), { reservation: 1 });
    await bench.advance(terms.lagMs + 1);
    answers(await bench.read(100), { calm: true });
    answers(await bench.sync("c", { first: 5, need: 5 }), { denied: false, reservation: 5 });
  },

  async "has one quarantine for all accounts: at its first use, and after a restart"(bench) {
    const others = (epoch: string) => Array.from({ length: 8 }, (_, at) => bench.other(`${epoch} ${at}`));
    await bench.begin(10);
    for (const other of others("first")) answers(await other.read(10), { calm: true });
    await bench.restart();
    answers(await bench.sync("reader"), { status: "register", calm: false });
    await bench.advance(terms.leaseMs + terms.lagMs + 1);
    for (const other of others("second")) answers(await other.read(10), { calm: true });
  },

  async "stamps usage anew, and forgets what is shown of it"(bench) {
    await bench.begin(10);
    await bench.sync("a", { acked: 5, queued: 2 });
    answers(await bench.read(7), { used: 5, shownPrepaid: 3 });
    await bench.advance(terms.lagMs);
    await bench.restart();
    answers(await bench.sync("reader"), { status: "register", used: 5, shownPrepaid: 0, prepaid: null });
    await bench.sync("reader", { register: true });
    await bench.advance(terms.lagMs - 1_000);
    answers(await bench.read(7), { used: 5 });
    await bench.advance(1_000 + 2 * terms.windowMs);
    answers(await bench.read(5), { used: 0, shownPrepaid: 0 });
  },

  async "takes no fall for usage while the balance before may lack debits of the epoch before"(bench) {
    await bench.begin(10);
    await bench.restart();
    await bench.sync("reader");
    await bench.read(10);
    await bench.sync("a", { acked: 5, register: true });
    answers(await bench.read(7), { used: 5, shownPrepaid: 0 });
    await bench.advance(terms.lagMs / 2);
    await bench.sync("a", { acked: 2 });
    await bench.advance(terms.lagMs / 2 + 2 * terms.windowMs);
    answers(await bench.read(7), { used: 2, shownPrepaid: 0, calm: true });
    answers(await bench.read(6), { used: 2, shownPrepaid: 1 });
  },

  async "takes no balance of the epoch before, and lets another request leave"(bench) {
    await bench.begin(10);
    const { now, epoch } = await bench.sync("a", { refresh: "now" });
    await bench.restart();
    await bench.sync("a");
    const snapshot = { stamp: now, epoch, prepaid: 10, postpaid: 10, extended: false };
    answers(await bench.sync("a", { register: true, snapshot, refresh: "now" }), {
      stamp: null,
      refresh: "go",
    });
  },
};
