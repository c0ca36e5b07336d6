import type { GateOptions } from "@creditgate/core";
import { describe, expect, it } from "vitest";
import { createGate, createRegistry, type Snapshot } from "../src/index.ts";
import { createManualClock, createRandom } from "../src/testing/index.ts";
import { fromMicro, toMicro } from "../src/values/micro.ts";
import { guardedSnapshot } from "../src/wallet/guard.ts";
import { createMemoryLedger } from "../src/wallet/memory-ledger.ts";
import { createPrepaidScene } from "./service.ts";

const isolates = 4;
const lagMs = 1_000;
const stepMs = 50;

/** Isolates that each keep a ledger of their own spend one wallet as fast as they are let; credits overspent. */
async function overspend(seed: number, funds: number, maxAgeMs: number, read: (one: Snapshot) => Snapshot) {
  const random = createRandom(seed);
  const clock = createManualClock();
  let balance = toMicro(funds, "floor");
  let works = 0;
  const accounts = Array.from({ length: isolates }, () =>
    createMemoryLedger(clock, read).account("service", "ada", "credits"),
  );
  /** The work costs all that was held for it; its report is on its way for a while, and then debited within the lag. */
  const work = (account: (typeof accounts)[number], amount: number) => {
    const id = `work ${works++}`;
    const now = clock.now();
    const held = account.hold({ id, amount, kind: "prepaid", notBefore: now - maxAgeMs });
    if (!("admitted" in held && held.admitted)) return;
    clock.schedule(random.integer(0, 20) * stepMs, () => {
      account.settle(id, [{ id, amount, reports: [id] }]);
      clock.schedule(random.integer(0, 5) * stepMs, () => {
        account.acknowledge(id, id, lagMs);
        clock.schedule(random.integer(0, lagMs / stepMs) * stepMs, () => {
          balance -= amount;
        });
      });
    });
  };
  for (let step = 0; step < 200; step++) {
    for (const account of accounts) {
      if (random.chance(0.2))
        account.install({ stamp: clock.now(), prepaid: balance, postpaid: balance }, 60_000);
      for (let wish = 0; wish < 4; wish++) work(account, toMicro(random.integer(1, 10), "ceil"));
    }
    await clock.advance(stepMs);
  }
  await clock.advance(10 * lagMs);
  return Math.max(0, -fromMicro(balance));
}

async function worst(funds: number, maxAgeMs: number, read: (one: Snapshot) => Snapshot): Promise<number> {
  let most = 0;
  for (let seed = 0; seed < 20; seed++) most = Math.max(most, await overspend(seed, funds, maxAgeMs, read));
  return most;
}

const bound = (maxOutstanding: number, minCapacity: number, maxAgeMs: number) =>
  Math.max(0, isolates * maxOutstanding * (1 + Math.ceil(maxAgeMs / lagMs)) - minCapacity);

describe("guard, in four isolates that share nothing", () => {
  it.each([
    [10, 120, 2_000],
    [10, 40, 2_000],
    [20, 0, 2_000],
    [15, 50, 500],
  ])(
    "of %i outstanding and at least %i overspends no more than its bound at %i ms of age",
    async (v, m, age) => {
      const most = await worst(400, age, guardedSnapshot({ maxOutstanding: v, minCapacity: m }));
      expect(most).toBeLessThanOrEqual(bound(v, m, age));
    },
  );

  it("takes no fall of the funds for usage of its own: others spend them too", async () => {
    const guard = guardedSnapshot({ maxOutstanding: 5, minCapacity: 0 });
    const account = createMemoryLedger(createManualClock(), guard).account("service", "ada", "credits");
    const read = (stamp: number, credits: number) =>
      account.install({ stamp, prepaid: toMicro(credits, "floor"), postpaid: 0 }, 60_000);
    await read(1, 20);
    await account.settle(undefined, [{ id: "work", amount: toMicro(5, "ceil"), reports: ["report"] }]);
    await read(2, 3);
    await read(3, 20);
    const wish = { id: "more", amount: 1, kind: "prepaid", notBefore: 0 } as const;
    expect(await account.hold(wish)).toMatchObject({ admitted: false, unconfirmed: toMicro(5, "ceil") });
  });

  it("bounds what would be overspent without it", async () => {
    expect(bound(10, 120, 2_000)).toBe(0);
    expect(await worst(400, 2_000, (snapshot) => snapshot)).toBeGreaterThan(0);
  });

  it("is not what a share of the balance for each of them would be: that overspends", async () => {
    const share = ({ stamp, prepaid }: Snapshot): Snapshot => {
      const part = typeof prepaid === "number" ? Math.floor(prepaid / isolates) : prepaid;
      return { stamp, prepaid: part, postpaid: part };
    };
    expect(await worst(400, 2_000, share)).toBeGreaterThan(0);
  });
});

describe("createGate with a guard", () => {
  const open = (guard: unknown, ledger = false) => {
    const zero = { pending: 0, overage_used: 0, overage_limit: 0, postpaid_used: 0, postpaid_limit: 0 };
    const body = { balances: { credits: { available: 100, ...zero } } };
    const client = {
      fingerprint: async () => "service",
      send: async () => ({ status: 200, body, idempotencyKey: undefined }),
    };
    return createGate({
      client,
      currency: "credits",
      wallet: "prepaid",
      registry: createRegistry(),
      checkTimeoutMs: 10_000,
      guard: guard as { maxOutstanding: number; minCapacity: number },
      ...(ledger && { ledger: createMemoryLedger(createManualClock()) }),
    });
  };
  const ask = async (gate: ReturnType<typeof open>, hold: number) =>
    (await gate.authorize({ customerId: "ada", agentId: "a", indicator: "i", hold })).allowed;

  it("keeps what is outstanding below its bound", async () => {
    const gate = open({ maxOutstanding: 10, minCapacity: 50 });
    expect([await ask(gate, 6), await ask(gate, 5), await ask(gate, 4)]).toEqual([true, false, true]);
  });

  it("admits nothing where the wallet has too little", async () => {
    expect(await ask(open({ maxOutstanding: 10, minCapacity: 101 }), 1)).toBe(false);
  });

  const price = (): number => 6;

  it.each<[string, Partial<GateOptions>, number, boolean]>([
    ["its own part is spent for a while", { price }, 5, true],
    ["its own part is spent for a while, whatever that has cost", {}, 5, true],
    ["no part is ever as much", { price }, 11, false],
    [
      "usage of its own leaves the wallet less than it",
      { price, guard: { maxOutstanding: 10, minCapacity: 95 } },
      5,
      false,
    ],
  ])(
    "tells that a denial is retryable only if time alone ends it: %s",
    async (_why, options, hold, retryable) => {
      const guard = { maxOutstanding: 10, minCapacity: 50 };
      const scene = createPrepaidScene(100, { guard, minRefreshMs: 0, ...options });
      const charge = await scene.admit(6);
      charge.report({});
      await charge.settle();
      expect(await scene.authorize(hold)).toMatchObject({
        denial: { code: "insufficient_credits", retryable },
      });
    },
  );

  it("is not retryable where the wallet itself has too little", async () => {
    const scene = createPrepaidScene(49, { guard: { maxOutstanding: 10, minCapacity: 50 } });
    expect(await scene.authorize(1)).toMatchObject({ denial: { retryable: false } });
  });

  it.each([[{}], [{ maxOutstanding: 0, minCapacity: 0 }], [{ maxOutstanding: 1, minCapacity: -1 }], [7]])(
    "refuses %j",
    (guard) => {
      expect(() => open(guard)).toThrow("guard");
    },
  );

  it("refuses a guard beside a ledger", () => {
    expect(() => open({ maxOutstanding: 1, minCapacity: 0 }, true)).toThrow("guard: expected none beside");
  });
});
