import { describe, expect, it } from "vitest";
import { createGate, createRegistry, type GateOptions } from "../src/index.ts";
import { createManualClock, createRandom } from "../src/testing/index.ts";
import { fromMicro, toMicro } from "../src/values/micro.ts";
import type { BalanceUpdate, Capacity } from "../src/wallet/capacity.ts";
import { guardedPart } from "../src/wallet/guard.ts";
import type { Account } from "../src/wallet/ledger.ts";
import { type CapacityChange, createMemoryLedger } from "../src/wallet/memory-ledger.ts";
import { createPrepaidScene } from "./service.ts";

const isolates = 4;
const lagMs = 1_000;
const stepMs = 50;

/** The answer to a balance request that leaves now. */
function read(account: Account, now: number, update: BalanceUpdate): void {
  const permit = account.beginRefresh(now);
  if (!("go" in permit)) throw new Error("one isolate asks whenever it likes");
  account.install(permit.go, update, 60_000);
}

interface Situation {
  readonly funds: number;
  readonly maxAgeMs: number;
  /** Whether the service tells what it has not settled. */
  readonly extended?: boolean;
}

/** Isolates that each keep a ledger of their own spend one wallet as fast as they are let; credits overspent. */
async function overspend(seed: number, situation: Situation, part: CapacityChange): Promise<number> {
  const { funds, maxAgeMs, extended = false } = situation;
  const random = createRandom(seed);
  const clock = createManualClock();
  let balance = toMicro(funds, "floor");
  let unsettled = 0;
  const accounts = Array.from({ length: isolates }, () =>
    createMemoryLedger(clock, part).account("service", "ada", "credits"),
  );
  /** The work costs all that was held for it; its report is on its way for a while, and then debited within the lag. */
  const work = (account: Account, amount: number) => {
    const hold = account.hold(amount, "prepaid", clock.now() - maxAgeMs);
    if (!("admitted" in hold && hold.admitted)) return;
    clock.schedule(random.integer(0, 20) * stepMs, () => {
      const [usage = hold] = account.settle(hold, [amount]);
      clock.schedule(random.integer(0, 5) * stepMs, () => {
        account.acknowledge(usage, lagMs);
        unsettled += amount;
        clock.schedule(random.integer(0, lagMs / stepMs) * stepMs, () => {
          balance -= amount;
          unsettled -= amount;
        });
      });
    });
  };
  for (let step = 0; step < 200; step++) {
    for (const account of accounts) {
      if (random.chance(0.2)) {
        const update = { prepaid: balance, postpaid: balance, unsettled: extended ? unsettled : undefined };
        read(account, clock.now(), update);
      }
      for (let wish = 0; wish < 4; wish++) work(account, toMicro(random.integer(1, 10), "ceil"));
    }
    await clock.advance(stepMs);
  }
  await clock.advance(10 * lagMs);
  return Math.max(0, -fromMicro(balance));
}

async function worst(situation: Situation, part: CapacityChange): Promise<number> {
  let most = 0;
  for (let seed = 0; seed < 20; seed++) most = Math.max(most, await overspend(seed, situation, part));
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
      const most = await worst(
        { funds: 400, maxAgeMs: age },
        guardedPart({ maxOutstanding: v, minCapacity: m }),
      );
      expect(most).toBeLessThanOrEqual(bound(v, m, age));
    },
  );

  it.each([
    [10, 40, 2_000],
    [10, 20, 2_000],
    [20, 0, 500],
  ])(
    "of %i outstanding and at least %i overspends less where the service tells: no more than what all have outstanding, at %i ms of age",
    async (v, m, age) => {
      const part = guardedPart({ maxOutstanding: v, minCapacity: m });
      const most = await worst({ funds: 400, maxAgeMs: age, extended: true }, part);
      expect(most).toBeLessThanOrEqual(Math.max(0, isolates * v - m));
    },
  );

  it("takes no fall of the funds for usage of its own: others spend them too", async () => {
    const clock = createManualClock();
    const part = guardedPart({ maxOutstanding: 5, minCapacity: 0 });
    const account = createMemoryLedger(clock, part).account("service", "ada", "credits");
    const readLater = async (credits: number) => {
      await clock.advance(1);
      read(account, clock.now(), { prepaid: toMicro(credits, "floor"), postpaid: 0 });
    };
    await readLater(20);
    account.settle(undefined, [toMicro(5, "ceil")]);
    await readLater(3);
    await readLater(20);
    expect(account.hold(1, "prepaid", 0)).toMatchObject({ admitted: false, unconfirmed: toMicro(5, "ceil") });
  });

  it("bounds what would be overspent without it", async () => {
    expect(bound(10, 120, 2_000)).toBe(0);
    expect(await worst({ funds: 400, maxAgeMs: 2_000 }, (capacity) => capacity)).toBeGreaterThan(0);
  });

  it("is not what a share of the balance for each of them would be: that overspends", async () => {
    const share = (capacity: Capacity) =>
      typeof capacity === "number" ? Math.floor(capacity / isolates) : capacity;
    expect(await worst({ funds: 400, maxAgeMs: 2_000 }, share)).toBeGreaterThan(0);
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
    const options: object = {
      client,
      currency: "credits",
      wallet: "prepaid",
      registry: createRegistry(),
      checkTimeoutMs: 10_000,
      guard,
      ...(ledger && { ledger: createMemoryLedger(createManualClock()) }),
    };
    return createGate(options as GateOptions);
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

  it.each<[string, { readonly price?: () => number; readonly minCapacity?: number }, number, boolean]>([
    ["its own part is spent for a while", { price }, 5, true],
    ["its own part is spent for a while, whatever that has cost", {}, 5, true],
    ["no part is ever as much", { price }, 11, false],
    ["usage of its own leaves the wallet less than it", { price, minCapacity: 95 }, 5, false],
  ])(
    "tells that a denial is retryable only if time alone ends it: %s",
    async (_why, { minCapacity = 50, ...options }, hold, retryable) => {
      const guard = { maxOutstanding: 10, minCapacity };
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
