import { answers, requestOf, type StoreCases, terms } from "./bench.ts";

/** The lines of the contract of shared stores on processes that fall silent, die, come back, or say things twice. */
export const processes: StoreCases = {
  async "answers a sync that it has received before, and does nothing"(bench) {
    await bench.begin(10);
    const { epoch } = await bench.sync("a");
    const request = requestOf("a", 7, { epoch, first: 2, need: 5, acked: 1 });
    answers(await bench.send(request), { status: "ok", reservation: 5, used: 1 });
    answers(await bench.send(request), {
      status: "repeated",
      reservation: 5,
      used: 1,
      calm: false,
      denied: false,
      refresh: null,
    });
    answers(await bench.send({ ...request, seq: 6, acked: 3, keep: 0 }), {
      status: "repeated",
      reservation: 5,
      used: 1,
    });
  },

  async "lets no late copy bring a reservation back that was given back"(bench) {
    await bench.begin(10);
    const { epoch } = await bench.sync("a");
    const request = requestOf("a", 7, { epoch, first: 5, need: 5 });
    await bench.send(request);
    answers(await bench.send(requestOf("a", 8, { epoch })), { reservation: 0, out: 0 });
    answers(await bench.send(request), { status: "repeated", reservation: 0, out: 0 });
  },

  async "forgets a reservation of 0 after a lease"(bench) {
    await bench.begin(10);
    await bench.hold("a", 5);
    await bench.sync("a");
    await bench.advance(terms.leaseMs + 1);
    await bench.sync("b");
    answers(await bench.sync("a", { acked: 2 }), { status: "register", reservation: 0, used: 0 });
    answers(await bench.sync("a", { acked: 2, register: true }), { status: "ok", used: 2 });
  },

  async "asks a process that has more than the store knows of to register"(bench) {
    await bench.begin(10);
    const { epoch, now } = await bench.sync("b");
    answers(await bench.send(requestOf("a", 1, { epoch, at: now, base: 3 })), {
      status: "register",
      reservation: 0,
      out: 0,
    });
    answers(await bench.send(requestOf("a", 2, { epoch, at: now, base: 3, claim: 9, register: true })), {
      status: "ok",
      reservation: 3,
    });
    answers(await bench.send(requestOf("c", 1, { epoch })), { status: "ok", reservation: 0 });
  },

  async "asks a process to register that does not know the time yet, unless it has nothing and wants nothing"(
    bench,
  ) {
    await bench.begin(10);
    for (const fields of [{ base: 2 }, { acked: 2 }, { first: 2, need: 2 }, { want: 2 }]) {
      const request = requestOf("a", 1, { ...fields, register: true });
      answers(await bench.send(request), { status: "register", reservation: 0, out: 0, used: 0 });
    }
    answers(await bench.send(requestOf("b", 1, { refresh: "now" })), { status: "ok", reservation: 0 });
  },

  async "lets no late copy bring a reservation back whose process it has forgotten"(bench) {
    await bench.begin(10);
    const { epoch, now } = await bench.sync("b");
    const request = requestOf("a", 1, { epoch, at: now, register: true, first: 5, need: 5, want: 2 });
    answers(await bench.send(request), { status: "ok", reservation: 7 });
    answers(await bench.send(requestOf("a", 2, { epoch, at: now })), { reservation: 0 });
    await bench.advance(terms.leaseMs - 1_000);
    answers(await bench.send(request), { status: "repeated", reservation: 0, out: 0 });
    await bench.advance(1_000);
    await bench.sync("b");
    // A late sync that changes nothing must not make an older one look fresh.
    answers(await bench.send(requestOf("a", 0, { epoch, at: now })), { status: "ok", reservation: 0 });
    answers(await bench.send(request), { status: "register", reservation: 0, out: 0 });
  },

  async "frees nothing when a lease ends: only when the process is abandoned, and then as usage"(bench) {
    await bench.begin(10);
    await bench.hold("a", 6, { abandonMs: 2 * terms.leaseMs });
    await bench.advance(terms.leaseMs + 1);
    answers(await bench.sync("b", { first: 5, need: 5 }), { denied: true, out: 6, used: 0 });
    await bench.advance(terms.leaseMs);
    answers(await bench.sync("b", { first: 5, need: 5 }), { denied: true, out: 0, used: 6 });
    answers(await bench.sync("a", { base: 6 }), { status: "register", reservation: 0 });
    answers(await bench.sync("a", { base: 6, register: true }), {
      status: "ok",
      reservation: 6,
      out: 6,
      used: 6,
    });
  },

  async "counts the usage of an abandoned process from the instant that it was given up"(bench) {
    await bench.begin(10);
    await bench.hold("a", 6, { abandonMs: 1_000 });
    await bench.advance(1_000 + terms.lagMs + 2 * terms.windowMs);
    answers(await bench.sync("b"), { out: 0, used: 6 });
    answers(await bench.read(10), { used: 0 });
  },

  async "never abandons a process that says so"(bench) {
    await bench.begin(10);
    await bench.hold("a", 6);
    await bench.advance(1_000_000);
    answers(await bench.sync("b"), { out: 6, used: 0 });
  },

  async "gives a process more time with each sync"(bench) {
    await bench.begin(10);
    await bench.hold("a", 6, { abandonMs: terms.leaseMs });
    await bench.advance(terms.leaseMs / 2);
    await bench.sync("a", { base: 6, abandonMs: terms.leaseMs });
    await bench.advance(terms.leaseMs / 2 + 1);
    answers(await bench.sync("b"), { out: 6, used: 0 });
  },

  async "frees the reservation of an earlier life, whose usage its successor has"(bench) {
    await bench.begin(10);
    const { epoch } = await bench.hold("a1", 8);
    answers(await bench.sync("a2", { register: true, base: 3, retire: ["a1", "a0"] }), {
      reservation: 3,
      out: 3,
      used: 0,
    });
    answers(await bench.send(requestOf("a1", 9, { epoch, base: 8, register: true })), {
      status: "repeated",
      reservation: 0,
      out: 3,
    });
    answers(await bench.send(requestOf("a0", 9, { epoch, base: 8, register: true })), {
      status: "repeated",
      reservation: 0,
      out: 3,
    });
  },

  async "clears away at most twenty reservations in one step, those that are due longest first"(bench) {
    await bench.begin(1_000);
    for (let index = 0; index < 25; index++) {
      await bench.hold(`p${String(index).padStart(2, "0")}`, 1 + index, { abandonMs: 20_000 });
      await bench.advance(1);
    }
    await bench.advance(10_000);
    // What holds nothing any more is due too, and is cleared away now.
    answers(await bench.sync("b"), { used: 0 });
    await bench.advance(10_000);
    answers(await bench.sync("b"), { used: 210, out: 325 - 210 });
    answers(await bench.sync("b"), { used: 325, out: 0 });
  },
};
