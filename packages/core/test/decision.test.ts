import type { WalletKind } from "@creditgate/core";
import { describe, expect, it } from "vitest";
import {
  answer,
  createPrepaidScene,
  createScene,
  hangs,
  outcome,
  pending,
  type Scene,
  status,
  wallet,
} from "./service.ts";

/** Settles what can settle without time passing. */
const settled = ({ clock }: Scene) => clock.advance(0);

const funds = (available: number) => answer({ balances: { ai_credits: wallet({ available }) } });

describe("authorize on a cached balance", () => {
  it("asks the service once, and not again while the balance is young", async () => {
    const scene = createPrepaidScene(10);
    await scene.admit(1);
    await scene.clock.advance(5_000);
    await scene.admit(1);
    await settled(scene);
    expect(scene.service.balanceRequests).toEqual(["alice"]);
  });

  it("refreshes a balance older than ttlMs behind the request that it admits", async () => {
    const scene = createPrepaidScene(10);
    await scene.admit(1);
    await scene.clock.advance(5_001);
    scene.service.onBalance = hangs;
    expect(outcome(await scene.authorize(1))).toBe("allowed");
    await settled(scene);
    expect(scene.service.balanceRequests).toHaveLength(2);
  });

  it("makes one balance call for 50 requests at once on a cold cache", async () => {
    const scene = createPrepaidScene(50);
    const decisions = await Promise.all(Array.from({ length: 50 }, () => scene.authorize(1)));
    expect(decisions.every(({ allowed }) => allowed)).toBe(true);
    expect(scene.service.balanceRequests).toHaveLength(1);
  });

  it("admits exactly as many of 200 requests at once as the wallet can pay", async () => {
    const scene = createPrepaidScene(50);
    const decisions = await Promise.all(Array.from({ length: 200 }, () => scene.authorize(1)));
    const outcomes = decisions.map(outcome);
    expect(outcomes.filter((one) => one === "allowed")).toHaveLength(50);
    expect(outcomes.filter((one) => one === "insufficient_credits")).toHaveLength(150);
    expect(scene.service.balanceRequests).toHaveLength(1);
  });

  it("never has two requests in the air for one customer", async () => {
    const scene = createPrepaidScene(3, { minRefreshMs: 0, ttlMs: 1, checkTimeoutMs: 50, maxStaleMs: 100 });
    scene.service.onBalance = () => {
      const { promise, resolve } = pending<ReturnType<typeof funds>>();
      scene.clock.schedule(40, () => resolve(funds(3)));
      return promise;
    };
    const decisions: Promise<unknown>[] = [];
    for (let round = 0; round < 30; round++) {
      decisions.push(scene.authorize(1), scene.authorize(5), scene.authorize(1));
      await scene.clock.advance(13);
    }
    await scene.clock.advance(1_000);
    await Promise.all(decisions);
    expect(scene.service.mostAirborne).toBe(1);
    expect(scene.service.balanceRequests.length).toBeGreaterThan(5);
  });
});

describe("a denial for lack of credits (rule 3)", () => {
  it("lets a customer who has just topped up in with the very next request", async () => {
    const scene = createPrepaidScene(0, { minRefreshMs: 0 });
    expect(outcome(await scene.authorize(1))).toBe("insufficient_credits");
    scene.service.fund("alice", { ai_credits: wallet({ available: 5 }) });
    await scene.clock.advance(1);
    expect(outcome(await scene.authorize(1))).toBe("allowed");
  });

  it("is not said on news that was asked for before the request came", async () => {
    const scene = createScene();
    const stale = pending<ReturnType<typeof funds>>();
    scene.service.onBalance = () => stale.promise;
    const first = scene.authorize(1);
    await scene.clock.advance(100);
    const second = scene.authorize(1);
    await settled(scene);
    scene.service.onBalance = async () => funds(5);
    stale.resolve(funds(0));
    expect(outcome(await first)).toBe("insufficient_credits");
    await scene.clock.advance(150);
    expect(outcome(await second)).toBe("allowed");
    expect(scene.service.balanceRequests).toHaveLength(2);
  });

  it("is not needed where the news in the air, though older than the request, suffices", async () => {
    const scene = createScene();
    const older = pending<ReturnType<typeof funds>>();
    scene.service.onBalance = () => older.promise;
    const first = scene.authorize(1);
    await scene.clock.advance(100);
    const second = scene.authorize(1);
    await settled(scene);
    older.resolve(funds(2));
    expect((await Promise.all([first, second])).map(outcome)).toEqual(["allowed", "allowed"]);
    expect(scene.service.balanceRequests).toHaveLength(1);
  });

  it("shares the next request with all who need it, minRefreshMs after the last", async () => {
    const scene = createPrepaidScene(0, { minRefreshMs: 250 });
    await scene.authorize(1);
    await scene.clock.advance(100);
    const waiting = [scene.authorize(1), scene.authorize(2)];
    await scene.clock.advance(100);
    waiting.push(scene.authorize(3));
    await scene.clock.advance(49);
    expect(scene.service.balanceRequests).toHaveLength(1);
    await scene.clock.advance(1);
    expect((await Promise.all(waiting)).map(outcome)).toEqual(Array(3).fill("insufficient_credits"));
    expect(scene.service.balanceRequests).toHaveLength(2);
  });

  it("is 503 when the news does not come, however little the cached balance was", async () => {
    const scene = createPrepaidScene(1, { minRefreshMs: 0 });
    await scene.admit(1);
    await scene.clock.advance(1);
    scene.service.onBalance = () => Promise.reject(status(500));
    expect(outcome(await scene.authorize(1))).toBe("upstream_unavailable");
  });

  it("is retryable when holds alone have caused it, and not when usage or poverty has", async () => {
    const scene = createPrepaidScene(10, { minRefreshMs: 0, price: () => 8 });
    const charge = await scene.admit(8);
    await scene.clock.advance(1);
    const blocked = await scene.authorize(3);
    expect(blocked).toMatchObject({ denial: { retryable: true, available: 2, required: 3, shortfall: 1 } });
    charge.report({});
    await charge.settle();
    await scene.clock.advance(1);
    expect(await scene.authorize(3)).toMatchObject({ denial: { retryable: false, available: 2 } });
    await scene.clock.advance(1);
    expect(await scene.authorize(11)).toMatchObject({ denial: { retryable: false } });
  });

  it("is retryable when usage has caused it that counts as its hold, since no price says what it has cost", async () => {
    const scene = createPrepaidScene(10, { minRefreshMs: 0 });
    const charge = await scene.admit(8);
    charge.report({});
    await charge.settle();
    await scene.clock.advance(1);
    expect(await scene.authorize(3)).toMatchObject({ denial: { retryable: true, available: 2 } });
    await scene.clock.advance(1);
    expect(await scene.authorize(11)).toMatchObject({ denial: { retryable: false } });
  });

  it("is no matter of maxStaleMs: news that was slow to come still admits", async () => {
    const scene = createScene({ ttlMs: 10, maxStaleMs: 10 });
    scene.service.onBalance = () => {
      const { promise, resolve } = pending<ReturnType<typeof funds>>();
      scene.clock.schedule(100, () => resolve(funds(5)));
      return promise;
    };
    const decision = scene.authorize(1);
    await scene.clock.advance(100);
    expect(outcome(await decision)).toBe("allowed");
  });
});

describe("when the balance cannot be read", () => {
  it("answers 503 after checkTimeoutMs, to the first request and to those while its call still hangs", async () => {
    const scene = createScene({ checkTimeoutMs: 300 });
    scene.service.onBalance = hangs;
    for (let request = 1; request <= 3; request++) {
      let decided: string | undefined;
      const decision = scene.authorize(1).then((one) => {
        decided = outcome(one);
        return one;
      });
      await scene.clock.advance(299);
      expect(decided).toBeUndefined();
      await scene.clock.advance(1);
      expect(decided).toBe("upstream_unavailable");
      expect(await decision).toMatchObject({ denial: { status: 503, retryAfter: 1, retryable: true } });
    }
    expect(scene.service.balanceRequests).toHaveLength(1);
    expect(scene.timers()).toBe(0);
  });

  it("serves from a snapshot within maxStaleMs, and not from one a moment older", async () => {
    const scene = createPrepaidScene(10, { maxStaleMs: 60_000 });
    await scene.admit(1);
    scene.service.onBalance = () => Promise.reject(status(503));
    await scene.clock.advance(60_000);
    expect(outcome(await scene.authorize(1))).toBe("allowed");
    await scene.clock.advance(1);
    const late = scene.authorize(1);
    await scene.clock.advance(250);
    expect(outcome(await late)).toBe("upstream_unavailable");
  });

  it("never renews a snapshot's age by a failed refresh", async () => {
    const scene = createPrepaidScene(100);
    await scene.admit(1);
    scene.service.onBalance = () => Promise.reject(status(503));
    for (let waited = 0; waited < 60_000; waited += 6_000) {
      await scene.clock.advance(6_000);
      expect(outcome(await scene.authorize(1))).toBe("allowed");
    }
    expect(scene.service.balanceRequests.length).toBeGreaterThan(9);
    await scene.clock.advance(1);
    const late = scene.authorize(1);
    await scene.clock.advance(250);
    expect(outcome(await late)).toBe("upstream_unavailable");
  });

  it("starts the deadline when the balance is asked for, not while the minimum pause lasts", async () => {
    const scene = createPrepaidScene(0, { minRefreshMs: 1_000, checkTimeoutMs: 300 });
    await scene.authorize(1);
    scene.service.onBalance = hangs;
    const decision = scene.authorize(1);
    await scene.clock.advance(1_299);
    expect(scene.service.balanceRequests).toHaveLength(2);
    let decided = false;
    void decision.then(() => {
      decided = true;
    });
    await settled(scene);
    expect(decided).toBe(false);
    await scene.clock.advance(1);
    expect(outcome(await decision)).toBe("upstream_unavailable");
  });

  it("tells once for each failed call", async () => {
    const scene = createScene();
    scene.service.onBalance = () => Promise.reject(status(500));
    await Promise.all([scene.authorize(1), scene.authorize(1)]);
    expect(scene.emitted("degraded")).toEqual([
      { what: "balance", error: expect.objectContaining({ status: 500 }), customerId: "alice" },
    ]);
  });
});

describe("what the balance answer says", () => {
  const decide = async (balances: unknown, options: Parameters<typeof createScene>[0] = {}) => {
    const scene = createScene(options);
    scene.service.fund("alice", balances);
    return { scene, denied: outcome(await scene.authorize(1)) };
  };

  it("denies an all-zero wallet that is prepaid and serves one that is postpaid", async () => {
    const balances = { ai_credits: wallet() };
    expect((await decide(balances, { wallet: "prepaid" })).denied).toBe("insufficient_credits");
    expect((await decide(balances, { wallet: "postpaid" })).denied).toBe("allowed");
    const wallets = async (customerId: string): Promise<WalletKind> =>
      customerId === "alice" ? "postpaid" : "prepaid";
    expect((await decide(balances, { wallet: wallets })).denied).toBe("allowed");
  });

  it("denies where the currency has no wallet, whatever the others hold", async () => {
    expect((await decide({ other: wallet({ available: 100 }) })).denied).toBe("wallet_missing");
    expect((await decide({})).denied).toBe("wallet_missing");
  });

  it("denies a customer whom the service does not know", async () => {
    const scene = createScene();
    expect(await scene.authorize(1)).toMatchObject({ denial: { code: "customer_unknown", status: 402 } });
  });

  it("is 503 where a service that is known answers 404 with a code that is not its own: it is a gateway's", async () => {
    const scene = createScene();
    expect(await scene.authorize(1)).toMatchObject({ denial: { code: "customer_unknown", status: 402 } });
    scene.service.onBalance = () => Promise.reject(status(404, { problem: { code: "ROUTE_NOT_FOUND" } }));
    expect(await scene.authorize(1, "bob")).toMatchObject({
      denial: { code: "upstream_unavailable", status: 503 },
    });
  });

  it("is 503 and an event where a 404 is not the service's own, which would be JSON", async () => {
    const scene = createPrepaidScene(5);
    scene.service.onBalance = () => Promise.reject(status(404));
    expect(await scene.authorize(1)).toMatchObject({ denial: { code: "upstream_unavailable", status: 503 } });
    expect(scene.emitted("degraded")).toMatchObject([{ what: "balance", customerId: "alice" }]);
    scene.service.onBalance = undefined;
    await scene.clock.advance(250);
    expect(outcome(await scene.authorize(1))).toBe("allowed");
  });

  it("is 503 and an event where the wallet is of the other kind", async () => {
    const { scene, denied } = await decide({ ai_credits: wallet({ postpaid_limit: 5 }) });
    expect(denied).toBe("wallet_mismatch");
    expect(scene.emitted("degraded")).toMatchObject([{ what: "balance", customerId: "alice" }]);
  });

  it("is 503 and an event where the entry makes no sense", async () => {
    const { scene, denied } = await decide({ ai_credits: { available: 5 } });
    expect(denied).toBe("upstream_invalid");
    expect(scene.emitted("degraded")).toMatchObject([{ what: "balance", customerId: "alice" }]);
  });

  it.each([
    undefined,
    null,
    7,
    "text",
    [],
    {},
    { balances: null },
    { balances: [] },
    Object.create({ balances: {} }),
  ])("is 503 where the answer is %j", async (body) => {
    const scene = createScene();
    scene.service.onBalance = async () => answer(body);
    expect(outcome(await scene.authorize(1))).toBe("upstream_invalid");
  });

  it("goes on with the snapshot before an entry that makes no sense, as long as that is young enough", async () => {
    const scene = createPrepaidScene(10);
    await scene.admit(1);
    scene.service.fund("alice", { ai_credits: "nonsense" });
    await scene.clock.advance(6_000);
    await scene.admit(1);
    await settled(scene);
    expect(scene.service.balanceRequests).toHaveLength(2);
    expect(outcome(await scene.authorize(8))).toBe("allowed");
  });

  it("does not let an invalid entry of one currency harm another", async () => {
    const { denied } = await decide({
      ai_credits: wallet({ available: 5 }),
      voice_credits: { available: "x" },
    });
    expect(denied).toBe("allowed");
  });

  it.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "knows %s as a currency and as a customer",
    async (name) => {
      const scene = createScene({ currency: name, minRefreshMs: 0 });
      scene.service.fund(name, {});
      expect(outcome(await scene.authorize(1, name))).toBe("wallet_missing");
      scene.service.fund(
        name,
        JSON.parse(`{${JSON.stringify(name)}: ${JSON.stringify(wallet({ available: 5 }))}}`),
      );
      await scene.clock.advance(1);
      expect(outcome(await scene.authorize(5, name))).toBe("allowed");
      expect(outcome(await scene.authorize(5, "another"))).toBe("customer_unknown");
    },
  );
});
