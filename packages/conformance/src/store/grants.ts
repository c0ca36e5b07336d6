import { answers, type StoreCases, terms } from "./bench.ts";

/** The lines of the contract of shared stores on how much of a balance a process gets. */
export const grants: StoreCases = {
  async "grants nothing before a balance is known, and denies nothing"(bench) {
    answers(await bench.sync("a", { first: 1, need: 1 }), {
      status: "ok",
      reservation: 0,
      calm: false,
      denied: false,
      stamp: null,
    });
  },

  async "grants what fits whole, and not a micro-credit more"(bench) {
    await bench.begin(10);
    answers(await bench.sync("a", { first: 11, need: 11 }), { reservation: 0, calm: true, denied: true });
    answers(await bench.sync("a", { first: 10, need: 10 }), { reservation: 10, denied: false, out: 10 });
    answers(await bench.sync("b", { first: 1, need: 1 }), { reservation: 0, denied: true });
  },

  async "grants what waits as far as there is room, if the first of it fits"(bench) {
    await bench.begin(10);
    answers(await bench.sync("a", { first: 4, need: 16 }), { reservation: 10, denied: false });
    answers(await bench.sync("b", { first: 1, need: 2 }), { reservation: 0, denied: true });
  },

  async "grants for what may come half of an equal part of what is left"(bench) {
    await bench.begin(100);
    answers(await bench.sync("a", { first: 20, need: 20, want: 1_000 }), { reservation: 60 });
    answers(await bench.sync("b", { want: 1_000 }), { reservation: 10 });
    answers(await bench.sync("c", { want: 1_000 }), { reservation: 5 });
    answers(await bench.sync("d", { want: 2 }), { reservation: 2, out: 77 });
  },

  async "divides exactly where floating point would round up"(bench) {
    await bench.begin(2 ** 52 + 5);
    await bench.sync("a", { first: 1, need: 1 });
    await bench.sync("b", { first: 1, need: 1 });
    const rest = 2 ** 52 + 2;
    answers(await bench.sync("c", { first: 1, need: 1, want: rest }), {
      reservation: 1 + (rest - (rest % 6)) / 6,
    });
  },

  async "gives back what is not kept, and never takes what is"(bench) {
    await bench.begin(100);
    await bench.hold("a", 40);
    answers(await bench.sync("a", { base: 10, keep: 30 }), { reservation: 30, out: 30 });
    await bench.read(5);
    answers(await bench.sync("a", { base: 10, keep: 30, first: 1, need: 1 }), {
      reservation: 30,
      denied: true,
    });
    answers(await bench.sync("a", { base: 10 }), { reservation: 10, out: 10 });
  },

  async "takes what is beyond the reservation as it is: it has been done"(bench) {
    await bench.begin(100);
    await bench.hold("a", 10);
    answers(await bench.sync("a", { base: 25 }), { status: "ok", reservation: 25, out: 25 });
  },

  async "reads a wallet by its kind"(bench) {
    await bench.begin(10);
    await bench.read(0, { postpaid: 7 });
    answers(await bench.sync("a", { first: 1, need: 1 }), { denied: true, prepaid: 0, postpaid: 7 });
    answers(await bench.sync("a", { first: 7, need: 7, kind: "postpaid" }), {
      denied: false,
      reservation: 7,
    });
  },

  async "denies all on a wallet that is a problem, and returns which"(bench) {
    await bench.begin(10);
    await bench.read("wallet_missing");
    answers(await bench.sync("a", { first: 1, need: 1, want: 5 }), {
      calm: true,
      denied: true,
      reservation: 0,
      prepaid: "wallet_missing",
    });
  },

  async "grants nothing in debt"(bench) {
    await bench.begin(-5);
    answers(await bench.sync("a", { first: 1, need: 1, want: 5 }), {
      denied: true,
      reservation: 0,
      prepaid: -5,
    });
  },

  async "keeps every digit, and stays at the largest sum until nothing of it is left"(bench) {
    const most = Number.MAX_SAFE_INTEGER;
    await bench.begin(most);
    await bench.hold("a", most - 3);
    answers(await bench.sync("b", { first: 3, need: 3 }), { reservation: 3, out: most });
    answers(await bench.sync("a", { base: most - 7 }), { reservation: most - 7, out: most });
    answers(await bench.sync("a"), { reservation: 0, out: most });
    answers(await bench.sync("b"), { reservation: 0, out: 0 });
  },

  async "grants nothing on a balance that is too old"(bench) {
    await bench.begin(10);
    await bench.advance(terms.maxStaleMs + 1);
    answers(await bench.sync("a", { first: 1, need: 1, want: 5 }), {
      calm: false,
      denied: false,
      reservation: 0,
    });
  },

  async "keeps accounts apart"(bench) {
    await bench.begin(10);
    const other = bench.other();
    answers(await other.sync("a", { first: 1, need: 1 }), { calm: false, stamp: null, out: 0 });
  },

  async "counts recalls, and who has something left and has not answered"(bench) {
    await bench.begin(100);
    await bench.hold("a", 10, { want: 20 });
    await bench.hold("b", 70, { want: 0 });
    const denied = await bench.sync("c", { first: 5, need: 5 });
    answers(denied, { denied: true, recalls: 0, waiting: 0 });
    answers(await bench.sync("c", { first: 5, need: 5, recall: true }), {
      denied: true,
      recalls: 1,
      waiting: 1,
    });
    answers(await bench.sync("a", { base: 10, keep: 30 }), { reservation: 30, recalls: 1 });
    answers(await bench.sync("c", { first: 5, need: 5 }), { denied: true, waiting: 1 });
    answers(await bench.sync("a", { base: 10, keep: 28, recalled: 1 }), { reservation: 28 });
    answers(await bench.sync("c", { first: 5, need: 5 }), { denied: true, waiting: 0 });
    answers(await bench.sync("a", { base: 10 }), { reservation: 10, out: 80 });
    answers(await bench.sync("c", { first: 5, need: 5 }), { denied: false, reservation: 5 });
  },

  async "waits for no process that has been silent for a lease"(bench) {
    await bench.begin(100);
    await bench.hold("a", 10, { want: 20 });
    await bench.hold("b", 70);
    answers(await bench.sync("c", { first: 5, need: 5, recall: true }), { denied: true, waiting: 1 });
    await bench.advance(terms.leaseMs + 1);
    answers(await bench.sync("c", { first: 5, need: 5 }), { denied: true, waiting: 0 });
  },
};
