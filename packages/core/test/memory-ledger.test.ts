import { createManualClock } from "@creditgate/core/testing";
import { beforeEach, describe, expect, it } from "vitest";
import type { Account, HoldRequest, Snapshot } from "../src/wallet/ledger.ts";
import { createMemoryLedger } from "../src/wallet/memory-ledger.ts";

const lagMs = 10_000;
const maxStaleMs = 60_000;

function snapshot(stamp: number, capacity: Snapshot["prepaid"]): Snapshot {
  return { stamp, prepaid: capacity, postpaid: "wallet_mismatch" };
}

function wish(id: string, amount: number, rest: Partial<HoldRequest> = {}): HoldRequest {
  return { id, amount, kind: "prepaid", notBefore: Number.NEGATIVE_INFINITY, ...rest };
}

describe("createMemoryLedger", () => {
  let clock = createManualClock();
  let account: Account;

  beforeEach(() => {
    clock = createManualClock();
    account = createMemoryLedger(clock).account("service", "alice", "ai_credits");
  });

  const admitted = async (request: HoldRequest) => (await account.hold(request)).admitted;
  const figures = async () => {
    const { capacity, held, unconfirmed } = await account.standing("prepaid");
    return { capacity, held, unconfirmed };
  };

  it("tells its clock's time", async () => {
    await clock.advance(7);
    expect(createMemoryLedger(clock).now()).toBe(7);
  });

  describe("install (rule 1)", () => {
    it("takes a newer snapshot, and none that is older or as old", async () => {
      await account.install(snapshot(5, 100), maxStaleMs);
      await account.install(snapshot(4, 1), maxStaleMs);
      await account.install(snapshot(5, 2), maxStaleMs);
      expect(await figures()).toMatchObject({ capacity: 100 });
      await account.install(snapshot(6, 3), maxStaleMs);
      expect(await figures()).toMatchObject({ capacity: 3 });
    });

    it("drops an entry once a snapshot is stamped after its acknowledgement + L, not in the same tick", async () => {
      await account.settle(undefined, [{ id: "e", amount: 7, reports: ["r"] }]);
      await clock.advance(50);
      await account.acknowledge("e", "r", lagMs);
      await account.install(snapshot(50 + lagMs, 100), maxStaleMs);
      expect(await figures()).toMatchObject({ unconfirmed: 7 });
      await account.install(snapshot(50 + lagMs + 1, 93), maxStaleMs);
      expect(await figures()).toMatchObject({ unconfirmed: 0 });
    });

    it.each([1, 5, 16])(
      "drops nothing that a clock of %i ms ticks may show too early: L counts whole ticks, and one more",
      async (tickMs) => {
        const coarse = { ...clock, tickMs: undefined, now: () => Math.floor(clock.now() / tickMs) * tickMs };
        account = createMemoryLedger(coarse).account("service", "alice", "ai_credits");
        await account.settle(undefined, [{ id: "e", amount: 7, reports: ["r"] }]);
        // Acknowledged at the very end of a tick, so debited as late as at the end of another one.
        await clock.advance(10 * tickMs - 0.25);
        await account.acknowledge("e", "r", lagMs + 0.5);
        await clock.advance(lagMs + 0.25);
        await account.install(snapshot(coarse.now(), 100), maxStaleMs);
        expect(await figures()).toMatchObject({ unconfirmed: 7 });
        await clock.advance(40);
        await account.install(snapshot(coarse.now(), 93), maxStaleMs);
        expect(await figures()).toMatchObject({ unconfirmed: 0 });
      },
    );

    it("drops nothing else: not what is unacknowledged, however old, and no hold", async () => {
      await account.install(snapshot(0, 100), maxStaleMs);
      await account.hold(wish("h", 5));
      await account.settle(undefined, [{ id: "e", amount: 7, reports: ["r"] }]);
      await account.install(snapshot(1e9, 100), maxStaleMs);
      expect(await figures()).toEqual({ capacity: 100, held: 5, unconfirmed: 7 });
    });

    it("drops nothing for a snapshot that it does not take", async () => {
      await account.install(snapshot(50_000, 100), maxStaleMs);
      await account.settle(undefined, [{ id: "e", amount: 7, reports: ["r"] }]);
      await account.acknowledge("e", "r", 0);
      await account.install(snapshot(40_000, 100), maxStaleMs);
      expect(await figures()).toMatchObject({ unconfirmed: 7 });
    });
  });

  describe("hold (rule 2)", () => {
    it("admits what fits whole, to the last micro-credit", async () => {
      await account.install(snapshot(0, 10), maxStaleMs);
      expect(await admitted(wish("a", 4))).toBe(true);
      expect(await admitted(wish("b", 7))).toBe(false);
      expect(await admitted(wish("c", 6))).toBe(true);
      expect(await admitted(wish("d", 1))).toBe(false);
    });

    it("counts holds and unconfirmed usage alike", async () => {
      await account.install(snapshot(0, 10), maxStaleMs);
      await account.hold(wish("a", 4));
      await account.settle("a", [{ id: "e", amount: 3, reports: ["r"] }]);
      expect(await admitted(wish("b", 8))).toBe(false);
      expect(await admitted(wish("c", 7))).toBe(true);
    });

    it("admits nothing without a snapshot, or on one that is too old", async () => {
      expect(await admitted(wish("a", 1))).toBe(false);
      await account.install(snapshot(5, 10), maxStaleMs);
      expect(await admitted(wish("b", 1, { notBefore: 6 }))).toBe(false);
      expect(await admitted(wish("c", 1, { notBefore: 5 }))).toBe(true);
    });

    it.each(["customer_unknown", "wallet_missing", "wallet_mismatch", "upstream_invalid"] as const)(
      "admits nothing while the capacity is %s",
      async (problem) => {
        await account.install(snapshot(0, problem), maxStaleMs);
        expect(await account.hold(wish("a", 1))).toMatchObject({ admitted: false, capacity: problem });
      },
    );

    it("goes by the figures of the kind that is asked for", async () => {
      await account.install({ stamp: 0, prepaid: 0, postpaid: Number.POSITIVE_INFINITY }, maxStaleMs);
      expect(await admitted(wish("a", 1))).toBe(false);
      expect(await admitted(wish("b", 1, { kind: "postpaid" }))).toBe(true);
    });

    it("takes the same id for the same hold", async () => {
      await account.install(snapshot(0, 10), maxStaleMs);
      expect(await admitted(wish("a", 6))).toBe(true);
      expect(await admitted(wish("a", 6))).toBe(true);
      expect(await figures()).toMatchObject({ held: 6 });
    });

    it("tells the figures that it followed from, without the hold itself", async () => {
      await account.install(snapshot(3, 10), maxStaleMs);
      await account.hold(wish("a", 6));
      expect(await account.hold(wish("b", 4))).toEqual({
        admitted: true,
        capacity: 10,
        held: 6,
        unconfirmed: 0,
        stamp: 3,
      });
    });

    it("stays exact, or refuses, at the edge of the safe integer range", async () => {
      const edge = Number.MAX_SAFE_INTEGER;
      await account.install({ stamp: 0, prepaid: 0, postpaid: Number.POSITIVE_INFINITY }, maxStaleMs);
      const kind = "postpaid";
      expect(await admitted(wish("a", edge - 1, { kind }))).toBe(true);
      expect(await admitted(wish("b", 2, { kind }))).toBe(false);
      expect(await admitted(wish("c", 1, { kind }))).toBe(true);
      await account.settle(undefined, [{ id: "huge", amount: edge, reports: ["r"] }]);
      await account.settle("a", [{ id: "more", amount: edge, reports: ["s"] }]);
      await account.acknowledge("huge", "r", 0);
      await account.acknowledge("more", "s", 0);
      await account.install({ stamp: 1, prepaid: 0, postpaid: Number.POSITIVE_INFINITY }, maxStaleMs);
      expect(await account.standing(kind)).toMatchObject({ held: 1, unconfirmed: 0 });
    });

    it("is exact again when what was beyond that range is gone", async () => {
      await account.settle(undefined, [
        { id: "huge", amount: Number.MAX_SAFE_INTEGER, reports: ["r"] },
        { id: "small", amount: 2, reports: ["s"] },
      ]);
      await account.acknowledge("huge", "r", 0);
      await account.install(snapshot(1, 10), maxStaleMs);
      expect(await figures()).toMatchObject({ unconfirmed: 2 });
    });
  });

  describe("settle and release (rules 4, 6, 7)", () => {
    it("turns the hold into unconfirmed usage in one step", async () => {
      await account.install(snapshot(0, 10), maxStaleMs);
      await account.hold(wish("a", 6));
      await account.settle("a", [
        { id: "e1", amount: 2, reports: ["r1"] },
        { id: "e2", amount: 3, reports: ["r2", "r3"] },
      ]);
      expect(await figures()).toEqual({ capacity: 10, held: 0, unconfirmed: 5 });
    });

    it("gives a released hold back, once", async () => {
      await account.install(snapshot(0, 10), maxStaleMs);
      await account.hold(wish("a", 6));
      await account.hold(wish("b", 3));
      await account.release("a");
      await account.release("a");
      await account.release("never seen");
      expect(await figures()).toMatchObject({ held: 3 });
    });

    it("replaces an entry that is recorded again", async () => {
      await account.settle(undefined, [{ id: "e", amount: 7, reports: ["r"] }]);
      await account.settle(undefined, [{ id: "e", amount: 2, reports: ["r"] }]);
      expect(await figures()).toMatchObject({ unconfirmed: 2 });
    });
  });

  describe("acknowledge (rule 5)", () => {
    it("counts the lag from the last report of an entry", async () => {
      await account.settle(undefined, [{ id: "e", amount: 7, reports: ["r1", "r2"] }]);
      await account.acknowledge("e", "r1", lagMs);
      await account.install(snapshot(1e6, 100), maxStaleMs);
      expect(await figures()).toMatchObject({ unconfirmed: 7 });
      await clock.advance(2e6);
      await account.acknowledge("e", "r2", lagMs);
      await account.install(snapshot(2e6 + lagMs, 100), maxStaleMs);
      expect(await figures()).toMatchObject({ unconfirmed: 7 });
      await account.install(snapshot(2e6 + lagMs + 1, 100), maxStaleMs);
      expect(await figures()).toMatchObject({ unconfirmed: 0 });
    });

    it("counts it from the first acknowledgement when one comes twice", async () => {
      await account.settle(undefined, [{ id: "e", amount: 7, reports: ["r"] }]);
      await account.acknowledge("e", "r", lagMs);
      await clock.advance(5_000);
      await account.acknowledge("e", "r", lagMs);
      await account.install(snapshot(lagMs + 1, 100), maxStaleMs);
      expect(await figures()).toMatchObject({ unconfirmed: 0 });
    });

    it("leaves what it does not know alone", async () => {
      await account.settle(undefined, [{ id: "e", amount: 7, reports: ["r"] }]);
      await account.acknowledge("e", "another", 0);
      await account.acknowledge("another", "r", 0);
      await account.install(snapshot(1e9, 100), maxStaleMs);
      expect(await figures()).toMatchObject({ unconfirmed: 7 });
    });
  });

  describe("idle (rule 9)", () => {
    it("is not while a hold is open", async () => {
      await account.install(snapshot(0, 10), maxStaleMs);
      expect(account.idle(0)).toBe(true);
      await account.hold(wish("a", 6));
      expect(account.idle(1e9)).toBe(false);
      await account.release("a");
      expect(account.idle(0)).toBe(true);
    });

    it("is not until every entry has been acknowledged and the lag has passed", async () => {
      await account.settle(undefined, [{ id: "e", amount: 0, reports: ["r"] }]);
      expect(account.idle(1e9)).toBe(false);
      await account.acknowledge("e", "r", lagMs);
      expect(account.idle(lagMs)).toBe(false);
      expect(account.idle(lagMs + 1)).toBe(true);
    });
  });
});
