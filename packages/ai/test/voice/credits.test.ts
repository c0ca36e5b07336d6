import type { VoiceExhaustion } from "@creditgate/ai/voice";
import { endpoints } from "@creditgate/client";
import type { TestControlPlane } from "@creditgate/control-plane/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Phone, startPhone } from "./phone.ts";
import { Book, turn } from "./script.ts";

let plane: TestControlPlane;
beforeAll(async () => {
  const poor = {
    dry: 6,
    grace: 6,
    silent: 2,
    mute: 2,
    topped: 6,
    pair: 12,
    watched: 2,
    denied: 3.9,
    empty: 0,
  };
  plane = await startPhone({ alice: 1_000, ...poor });
});
afterAll(() => plane.stop());

describe("the credits of a voice call", () => {
  it("are held ahead of what it costs, and more as it goes on", async () => {
    const phone = new Phone(plane);
    const call = await phone.open("alice");
    // The call itself, the reserve, and what is ahead.
    expect(call.held).toBe(1 + 1 + 2);
    const book = new Book();
    const held = new Set<number>();
    for (let turns = 0; turns < 10; turns++) {
      book.play(call, turn);
      await phone.pass(4);
      book.seconds += 4;
      expect(call.cost).toBe(book.total / 1e6);
      expect(call.held - call.cost).toBeGreaterThan(1 + 0.9);
      held.add(call.held);
    }
    expect(held.size).toBeGreaterThan(3);
    expect(await phone.gate.balance("alice")).toMatchObject({ held: call.held });
    const bill = await phone.passing(call.end());
    expect(bill.credits).toBe(book.total / 1e6);
    expect(await phone.gate.balance("alice")).toMatchObject({ held: 0 });
  });

  it("run dry in the middle: its last words are said, it ends, and the wallet is not overdrawn", async () => {
    const phone = new Phone(plane);
    const book = new Book();
    const emitted: Omit<VoiceExhaustion, "call">[] = [];
    const call = await phone.open("dry", {
      async onExhausted({ call, ...exhaustion }) {
        emitted.push(exhaustion);
        expect(call.state).toBe("ending");
        call.tts({ characters: 500 });
        book.tell({ characters: 500 });
      },
    });
    call.start();
    while (call.state === "running") {
      await phone.pass(1);
      book.seconds++;
    }
    const bill = await phone.passing(call.ended);
    expect(bill).toMatchObject({ ending: "exhausted", seconds: book.seconds, credits: book.total / 1e6 });
    expect(emitted).toMatchObject([
      { denial: { code: "insufficient_credits", status: 402 }, graceMs: 10_000 },
    ]);
    expect(emitted[0]?.remaining).toBeGreaterThan(0.9);
    const left = await phone.available("dry");
    expect(left).toBe(6_000_000 - book.total);
    expect(left).toBeGreaterThan(0);
    expect(call.signal.aborted).toBe(true);
  });

  it("have run dry: it ends after the grace, whatever its last words do", async () => {
    const phone = new Phone(plane);
    const call = await phone.open("grace", { graceMs: 4_000, onExhausted: () => new Promise(() => {}) });
    call.start();
    let seconds = 0;
    for (; call.state === "running"; seconds++) await phone.pass(1);
    await phone.pass(3);
    expect(call.state).toBe("ending");
    call.tts({ characters: 100 });
    await phone.pass(1);
    const bill = await phone.passing(call.ended);
    expect(bill).toMatchObject({ ending: "exhausted", seconds: seconds + 4 });
    expect(bill.parts).toEqual([{ kind: "tts", characters: 100 }]);
    expect(await phone.available("grace")).toBe(6_000_000 - Math.round(bill.credits * 1e6));
  });

  it("have run dry: it ends at once where nobody says its last words, or they fail", async () => {
    const phone = new Phone(plane);
    const hold = { ahead: 0.5, reserve: 0.1 };
    const failing = () => Promise.reject(new Error("no voice"));
    const calls = [
      await phone.open("silent", { hold }),
      await phone.open("mute", { hold, onExhausted: failing }),
    ];
    for (const call of calls) {
      call.start();
      expect(await phone.passing(call.ended)).toMatchObject({ ending: "exhausted", unposted: [] });
    }
    expect(phone.warnings).toEqual(["creditgate: onExhausted of a voice call failed: Error: no voice"]);
  });

  it("are asked for again: a customer who tops up talks on", async () => {
    const phone = new Phone(plane);
    const call = await phone.open("topped");
    call.start();
    // Denied more already, and not at the reserve yet.
    await phone.pass(33);
    expect(call.state).toBe("running");
    const top_ups = [{ credit_currency_key: "voice_credits", credits: 10 }];
    await phone.client.wallets.topUp({ customer_id: "topped", top_ups }, { idempotencyKey: "paid" });
    await phone.pass(30);
    expect(call.state).toBe("running");
    expect(call.held).toBeGreaterThan(6);
    await phone.passing(call.end());
  });

  it("cannot be held while no balance is read: it ends when only the reserve is left", async () => {
    const phone = new Phone(plane, { checkTimeoutMs: 1_000, maxStaleMs: 5_000, ttlMs: 1_000 });
    const denials: unknown[] = [];
    const call = await phone.open("alice", {
      onExhausted: ({ denial }) => void denials.push([denial.code, denial.status]),
    });
    call.start();
    phone.network.otherwise = (path) => (path === endpoints.walletBalance.path ? "503" : undefined);
    let seconds = 0;
    for (; call.state === "running"; seconds++) await phone.pass(1);
    expect(denials).toEqual([["upstream_unavailable", 503]]);
    // Two credits ahead last 20 seconds.
    expect(Math.abs(seconds - 20)).toBeLessThanOrEqual(1);
    expect(await phone.passing(call.ended)).toMatchObject({ ending: "exhausted", unposted: [] });
  });

  it("are those of the wallet where two calls share it: together they cost no more than it has", async () => {
    const phone = new Phone(plane);
    const books = [new Book(), new Book()];
    const calls = await Promise.all(books.map(() => phone.open("pair")));
    for (const call of calls) call.start();
    while (calls.some(({ state }) => state === "running")) {
      for (const [at, call] of calls.entries()) {
        if (call.state === "running") books[at]?.play(call, turn);
      }
      await phone.pass(2);
    }
    const bills = await phone.passing(Promise.all(calls.map(({ ended }) => ended)));
    for (const [at, { seconds, credits, ending }] of bills.entries()) {
      const book = books[at] ?? new Book();
      book.seconds = seconds;
      expect([ending, credits]).toEqual(["exhausted", book.total / 1e6]);
    }
    const left = await phone.available("pair");
    expect(left).toBe(12_000_000 - books.reduce((sum, { total }) => sum + total, 0));
    expect(left).toBeGreaterThanOrEqual(0);
  });

  it("end nothing where the gate only observes", async () => {
    const phone = new Phone(plane, { mode: "observe" });
    const call = await phone.open("watched");
    call.start();
    await phone.pass(60);
    expect(call.state).toBe("running");
    const bill = await phone.passing(call.end());
    expect(bill).toMatchObject({ ending: "completed", credits: 7, unposted: [] });
  });

  it("are asked for before its session: a customer who cannot pay has none", async () => {
    const phone = new Phone(plane);
    const decision = await phone.decide("denied");
    expect(decision).toMatchObject({
      allowed: false,
      denial: { code: "insufficient_credits", required: 4, available: 3.9 },
    });
    expect(phone.network.sent).not.toContain(endpoints.voiceSession.path);
    expect(await phone.gate.balance("denied")).toMatchObject({ held: 0 });
  });
});
