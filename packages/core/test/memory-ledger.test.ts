import { createManualClock } from "@creditgate/core/testing";
import { beforeEach, describe, expect, it } from "vitest";
import type { Capacity } from "../src/wallet/capacity.ts";
import type { Account, BalanceRequest, Unconfirmed } from "../src/wallet/ledger.ts";
import { createMemoryLedger } from "../src/wallet/memory-ledger.ts";

const lagMs = 10_000;
const maxStaleMs = 60_000;
const edge = Number.MAX_SAFE_INTEGER;

describe("createMemoryLedger", () => {
  let clock = createManualClock();
  let account: Account;

  beforeEach(() => {
    clock = createManualClock();
    account = createMemoryLedger(clock).account("service", "alice", "ai_credits");
  });

  /** A balance request that leaves now. */
  function beginRefresh(): BalanceRequest {
    const permit = account.beginRefresh(clock.now());
    if (!("go" in permit)) throw new Error("one process asks whenever it likes");
    return permit.go;
  }
  const answer = (request: BalanceRequest, capacity: Capacity, unsettled?: number) =>
    account.install(request, { prepaid: capacity, postpaid: "wallet_mismatch", unsettled }, maxStaleMs);
  const read = (capacity: Capacity, unsettled?: number) => answer(beginRefresh(), capacity, unsettled);
  const record = (...amounts: number[]) => account.settle(undefined, amounts);
  const acknowledge = (usages: readonly Unconfirmed[], byQueue = false) => {
    for (const usage of usages) account.acknowledge(usage, lagMs, byQueue);
  };
  const figures = () => account.figures("prepaid");
  const ask = (amount: number) => account.hold(amount, "prepaid", Number.NEGATIVE_INFINITY);

  it("answers every step at once, so that nothing comes between", () => {
    for (const answered of [
      beginRefresh(),
      read(10),
      ask(1),
      account.recover([1], []),
      account.flush(true),
    ]) {
      expect(answered).not.toBeInstanceOf(Promise);
    }
  });

  it("tells the ledgers of two processes apart", () => {
    expect(createMemoryLedger(clock).id).not.toBe(createMemoryLedger(clock).id);
  });

  describe("beginRefresh", () => {
    it("stamps a request with the time, and never waits for another", async () => {
      await clock.advance(7);
      expect(account.beginRefresh(1e9)).toMatchObject({ go: { stamp: 7 } });
      expect(account.beginRefresh(1e9)).toMatchObject({ go: { stamp: 7 } });
    });
  });

  describe("install (rule 1)", () => {
    it("takes the answer to the later of two requests of one instant, in whatever order they come", () => {
      const early = beginRefresh();
      const late = beginRefresh();
      answer(early, 100);
      answer(late, 90);
      expect(figures()).toMatchObject({ capacity: 90 });
      answer(early, 100);
      answer(late, 80);
      expect(figures()).toMatchObject({ capacity: 90 });
    });

    it("goes by the order of requests and acknowledgements, not by a clock that shows both in one instant", () => {
      acknowledge(record(1));
      const request = beginRefresh();
      acknowledge(record(2));
      answer(request, 100, 3);
      expect(figures()).toMatchObject({ capacity: 97, unconfirmed: 2, recent: 2 });
    });

    it("counts all of its usage beside an answer whose request left before the account was opened", async () => {
      await clock.advance(5);
      answer({ stamp: 5 }, 100, 3);
      acknowledge(record(3));
      expect(figures()).toMatchObject({ capacity: 97, unconfirmed: 3, recent: 3, stamp: 5 });
      read(100, 3);
      expect(figures()).toMatchObject({ capacity: 97, unconfirmed: 0 });
    });

    it("drops usage once a request leaves after its acknowledgement + L, not at the same instant", async () => {
      await clock.advance(50);
      acknowledge(record(7));
      await clock.advance(lagMs);
      read(100);
      expect(figures()).toMatchObject({ unconfirmed: 7 });
      await clock.advance(1);
      read(93);
      expect(figures()).toMatchObject({ unconfirmed: 0 });
    });

    it.each([1, 5, 16])(
      "drops nothing that a clock of %i ms resolution may show too early: L counts whole steps, and one more",
      async (resolutionMs) => {
        const coarse = {
          ...clock,
          resolutionMs: undefined,
          now: () => Math.floor(clock.now() / resolutionMs) * resolutionMs,
        };
        account = createMemoryLedger(coarse).account("service", "alice", "ai_credits");
        const [usage] = record(7);
        // Acknowledged at the very end of a step of the clock, so debited as late as at the end of another one.
        await clock.advance(10 * resolutionMs - 0.25);
        if (usage !== undefined) account.acknowledge(usage, lagMs + 0.5);
        await clock.advance(lagMs + 0.25);
        read(100);
        expect(figures()).toMatchObject({ unconfirmed: 7 });
        await clock.advance(40);
        read(93);
        expect(figures()).toMatchObject({ unconfirmed: 0 });
      },
    );

    it("keeps what was acknowledged between two balance requests as one sum, which the latest of it proves", async () => {
      acknowledge(record(1));
      await clock.advance(10);
      acknowledge(record(2), true);
      await clock.advance(10);
      acknowledge(record(4));
      await clock.advance(lagMs - 5);
      read(100);
      expect(figures()).toMatchObject({ unconfirmed: 7 });
      acknowledge(record(8));
      await clock.advance(6);
      expect(account.idle(clock.now())).toBe(false);
      read(93);
      expect(figures()).toMatchObject({ unconfirmed: 8 });
    });

    it("takes a guarded part of what a service that tells has left, and counts what it includes but once", () => {
      const half = (capacity: Capacity) => (typeof capacity === "number" ? capacity / 2 : capacity);
      account = createMemoryLedger(clock, half).account("service", "alice", "ai_credits");
      acknowledge(record(4));
      read(104, 4);
      expect(figures()).toMatchObject({ capacity: 50, unconfirmed: 0 });
    });

    it("drops nothing else: not what is not acknowledged, however old, and no hold", async () => {
      read(100);
      ask(5);
      record(7);
      await clock.advance(1e9);
      read(100);
      expect(figures()).toMatchObject({ capacity: 100, held: 5, unconfirmed: 7 });
    });
  });

  describe("hold (rule 2)", () => {
    it.each(["customer_unknown", "wallet_missing", "wallet_mismatch", "upstream_invalid"] as const)(
      "admits nothing while the capacity is %s",
      (problem) => {
        read(problem);
        expect(ask(1)).toMatchObject({ admitted: false, capacity: problem });
      },
    );

    it("stays exact, or refuses, at the edge of the safe integer range", () => {
      read(Number.POSITIVE_INFINITY);
      expect(ask(edge - 1)).toMatchObject({ admitted: true });
      expect(ask(2)).toMatchObject({ admitted: false, held: edge - 1 });
      expect(ask(1)).toMatchObject({ admitted: true });
      expect(figures()).toMatchObject({ held: edge });
    });

    it("is exact again when what was beyond that range is corrected", () => {
      read(Number.POSITIVE_INFINITY);
      const [huge, more] = record(edge, 2);
      expect(ask(1)).toMatchObject({ admitted: false });
      if (huge !== undefined) account.correct(huge, 5);
      if (more !== undefined) account.correct(more, 3);
      expect(figures()).toMatchObject({ unconfirmed: 8 });
      expect(ask(edge - 8)).toMatchObject({ admitted: true });
      expect(ask(1)).toMatchObject({ admitted: false });
    });

    it("takes usage beyond that range for no part of what a service that tells has counted", async () => {
      acknowledge(record(edge, 2));
      await clock.advance(1);
      read(edge, 2);
      expect(figures()).toMatchObject({ unconfirmed: 0 });
      expect(ask(1)).toMatchObject({ admitted: false });
      await clock.advance(lagMs);
      read(10, 0);
      expect(ask(10)).toMatchObject({ admitted: true });
    });
  });

  describe("idle (rule 9)", () => {
    it("is not while a hold is open", () => {
      read(10);
      expect(account.idle(0)).toBe(true);
      const hold = ask(6);
      expect(account.idle(1e9)).toBe(false);
      if ("admitted" in hold && hold.admitted) account.release(hold);
      expect(account.idle(0)).toBe(true);
    });

    it("is not until all usage has been acknowledged and the lag has passed, to the millisecond", () => {
      const [usage] = record(0);
      expect(account.idle(1e9)).toBe(false);
      if (usage !== undefined) account.acknowledge(usage, lagMs);
      expect(account.idle(lagMs)).toBe(false);
      expect(account.idle(lagMs + 1)).toBe(true);
    });

    it("says so of each sum, be the first of them older", async () => {
      acknowledge(record(1));
      beginRefresh();
      await clock.advance(10);
      acknowledge(record(1));
      expect(account.idle(lagMs + 5)).toBe(false);
      expect(account.idle(lagMs + 11)).toBe(true);
    });
  });
});
