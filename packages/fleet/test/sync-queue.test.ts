import { createGate, createRegistry } from "@creditgate/core";
import { createManualClock } from "@creditgate/core/testing";
import {
  createLeasedLedger,
  createMemoryStore,
  type SharedStore,
  type SyncRequest,
  type SyncResponse,
} from "@creditgate/fleet";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createFakeService, wallet } from "../../core/test/service.ts";

const terms = { settlementLagMs: 1_000, maxStaleMs: 60_000, minRefreshMs: 0, checkTimeoutMs: 1_000 };

let clock: ReturnType<typeof createManualClock>;
let memory: SharedStore;
/** Words on their way: what becomes of each is the test's to say. */
let syncs: { readonly account: string; answer(): Promise<void>; fail(error: unknown): void }[];
let most: number;

beforeEach(() => {
  clock = createManualClock();
  memory = createMemoryStore({ clock });
  syncs = [];
  most = 0;
});

function hesitant(timeoutMs?: number): SharedStore {
  let underWay = 0;
  return {
    ...(timeoutMs !== undefined && { timeoutMs }),
    exchange: (account, request) =>
      new Promise<SyncResponse>((resolve, reject) => {
        most = Math.max(most, ++underWay);
        syncs.push({
          account,
          async answer() {
            underWay--;
            resolve(await memory.exchange(account, request));
          },
          fail(error) {
            underWay--;
            reject(error);
          },
        });
      }),
  };
}

/** Holds of so many wallets that wait for the store, and all that the ledger has told. */
function createHolds(store: SharedStore, count: number, chance = 0.5) {
  const ledger = createLeasedLedger(store, { clock, random: () => chance });
  const troubles: unknown[] = [];
  ledger.join?.({ ...terms, troubled: (trouble) => troubles.push(trouble) });
  const accounts = Array.from({ length: count }, (_, at) => ledger.account("service", `c${at}`, "credits"));
  return { accounts, troubles, hold: () => accounts.map((account) => account.hold(1, "prepaid", 0)) };
}

describe("the syncs of a leased ledger", () => {
  it("ask for nothing that the outbox has not noted: for a hold, too, that came while they waited for their turn", async () => {
    const done: string[] = [];
    const begin = async () => void done.push("noted");
    const exchange = async (account: string, request: SyncRequest) => {
      if (account.includes("late") && request.need > 0) done.push("asked");
      await turn;
      return memory.exchange(account, request);
    };
    let giveTurns = () => {};
    const turn = new Promise<void>((resolve) => {
      giveTurns = resolve;
    });
    const ledger = createLeasedLedger({ exchange }, { clock });
    ledger.join?.({ ...terms, troubled() {} });
    for (let at = 0; at < 100; at++)
      void ledger.account("service", `c${at}`, "credits").hold(1, "prepaid", 0);
    const late = ledger.account("service", "late", "credits", { begin, end() {} });
    await clock.advance(1);
    void late.beginRefresh(0);
    await clock.advance(1);
    void late.hold(1, "prepaid", 0);
    giveTurns();
    await clock.advance(1);
    expect(done.slice(0, 2)).toEqual(["noted", "asked"]);
  });

  it("are said again when their time is over, and not before", async () => {
    const { hold } = createHolds(hesitant(3_000), 1);
    hold();
    await clock.advance(2_900);
    expect(syncs).toHaveLength(1);
    await clock.advance(200);
    expect(syncs).toHaveLength(2);
    await clock.advance(2_800);
    expect(syncs).toHaveLength(2);
  });

  it("have five seconds where the store does not say how long it takes", async () => {
    const { hold } = createHolds(hesitant(), 1);
    hold();
    await clock.advance(4_900);
    expect(syncs).toHaveLength(1);
    await clock.advance(200);
    expect(syncs).toHaveLength(2);
  });

  it.each([
    { chance: 0.5, rests: [10, 20, 40, 80, 160, 250, 250] },
    { chance: 0.25, rests: [5, 10, 20, 40, 80, 125, 125] },
  ])(
    "are retried less and less often when they fail, with full jitter: $chance",
    async ({ chance, rests }) => {
      const { hold } = createHolds(hesitant(), 1, chance);
      hold();
      for (const restMs of rests) {
        await clock.advance(0);
        syncs.at(-1)?.fail(new Error("refused"));
        const before = syncs.length;
        await clock.advance(restMs - 1);
        expect(syncs).toHaveLength(before);
        await clock.advance(1);
        expect(syncs).toHaveLength(before + 1);
      }
    },
  );

  it("are at most a hundred on their way, and go before the others where a request waits for them", async () => {
    const { accounts } = createHolds(hesitant(), 130);
    // What an earlier process has left is said to the store; no request waits for that.
    for (const account of accounts.slice(0, 120)) {
      account.recover([1], ["an earlier life"]);
      account.flush(true);
    }
    await clock.advance(0);
    for (const account of accounts.slice(120)) account.hold(1, "prepaid", 0);
    await clock.advance(0);
    const [first, ...others] = syncs.splice(0);
    expect(others).toHaveLength(99);
    await first?.answer();
    await clock.advance(0);
    expect(syncs.map(({ account }) => account)).toEqual(['["service","c120","credits"]']);
    for (const { answer } of others) await answer();
    for (let round = 0; round < 5; round++) {
      await clock.advance(1);
      for (const { answer } of syncs.splice(0)) await answer();
    }
    expect(most).toBe(100);
  });
});

describe("createLeasedLedger", () => {
  it("draws no random value before it is used, which Workers refuse at the top of a module", () => {
    const draw = vi.spyOn(crypto, "randomUUID");
    onTestFinished(() => draw.mockRestore());
    const ledger = createLeasedLedger(memory, { clock });
    expect(draw).not.toHaveBeenCalled();
    expect(ledger.id).toBe(ledger.id);
  });
});

describe("a leased ledger tells its gates", () => {
  it("of failures of its store, at most once a second", async () => {
    const { hold, troubles } = createHolds(hesitant(), 50);
    hold();
    await clock.advance(0);
    const refused = new Error("permission denied");
    for (let round = 0; round < 15; round++) {
      for (const { fail } of syncs.splice(0)) fail(refused);
      await clock.advance(100);
    }
    expect(troubles).toEqual([refused, refused]);
  });

  it("of a store that is silent, and of one that answers later than requests wait", async () => {
    const { hold, troubles } = createHolds(hesitant(2_000), 1);
    hold();
    await clock.advance(2_100);
    expect(troubles).toMatchObject([{ code: "silent", message: "no answer in 2000 ms" }]);
    await clock.advance(1_200);
    await syncs.at(-1)?.answer();
    await clock.advance(0);
    expect(troubles[1]).toMatchObject({
      code: "slow",
      message: expect.stringContaining("requests wait 1000 ms"),
    });
  });

  it("of a store that is new, and how long it grants nothing", async () => {
    const born = clock.now();
    memory = {
      exchange: async (account, request) => ({
        ...(await createMemoryStore({ clock }).exchange(account, request)),
        calm: false,
        born,
      }),
    };
    const { hold, troubles } = createHolds(hesitant(), 1);
    hold();
    await clock.advance(0);
    await syncs.at(-1)?.answer();
    await clock.advance(0);
    expect(troubles).toMatchObject([
      { code: "new", message: expect.stringMatching(/grants nothing for 3 s$/) },
    ]);
  });
});

describe("a gate whose shared store refuses", () => {
  it("answers 503 that the ledger cannot decide, without the cause, and tells the operator the cause once", async () => {
    const lines: string[] = [];
    const service = createFakeService();
    service.fund("alice", { ai_credits: wallet({ available: 10 }) });
    const gate = createGate({
      client: service.client,
      currency: "ai_credits",
      wallet: "prepaid",
      registry: createRegistry(),
      ledger: createLeasedLedger(
        { exchange: () => Promise.reject(new Error("permission denied for schema")) },
        { clock },
      ),
      clock,
      lagWatch: false,
      logger: { error: (line) => lines.push(line) },
    });
    const decided = gate.authorize({ customerId: "alice", agentId: "chat", indicator: "message", hold: 1 });
    for (let turn = 0; turn < 300; turn++) await clock.advance(10);
    const decision = await decided;
    const denial = {
      code: "ledger_unavailable",
      status: 503,
      title: "The shared ledger cannot decide at the moment",
    };
    expect(decision).toMatchObject({ allowed: false, denial });
    if (decision.allowed) throw new Error("it must be denied");
    expect(await decision.toResponse().text()).not.toContain("permission");
    expect(lines).toEqual([
      "creditgate: the store of the shared ledger fails or is late, and requests that need it are answered 503: permission denied for schema [ledger]",
    ]);
  });
});
