import { describe, expect, it } from "vitest";
import { Customers } from "../src/registry/customers.ts";
import { KnownService } from "../src/service/known-service.ts";
import { createMemoryLedger } from "../src/wallet/memory-ledger.ts";
import { createScene, hangs, outcome, type Scene, status, wallet } from "./service.ts";

function sceneOf(max: number, options: Parameters<typeof createScene>[0] = {}): Scene {
  const scene = createScene({ maxCustomers: max, settlementLagMs: 10_000, ...options });
  for (const customer of ["a", "b", "c", "d"]) {
    scene.service.fund(customer, { ai_credits: wallet({ available: 10 }) });
  }
  return scene;
}

/** Who is in memory. */
async function present({ gate }: Scene): Promise<string> {
  const figures = await Promise.all([..."abcd"].map(async (id) => ((await gate.balance(id)) ? id : "")));
  return figures.join("");
}

async function visit(scene: Scene, customer: string): Promise<void> {
  const charge = await scene.admit(1, customer);
  await charge.settle();
}

describe("the balance cache (rule 9)", () => {
  it("forgets the least recently used customer beyond `maxCustomers`", async () => {
    const scene = sceneOf(2);
    await visit(scene, "a");
    await visit(scene, "b");
    await visit(scene, "a");
    await visit(scene, "c");
    expect(await present(scene)).toBe("ac");
  });

  it("never forgets one with a hold, and refuses new ones when every one has", async () => {
    const scene = sceneOf(2);
    const first = await scene.admit(1, "a");
    await scene.admit(1, "b");
    expect(await scene.authorize(1, "c")).toMatchObject({
      denial: { code: "over_capacity", status: 503, retryAfter: 1 },
    });
    expect(outcome(await scene.authorize(1, "a"))).toBe("allowed");
    expect(scene.service.balanceRequests).toEqual(["a", "b"]);
    first.release();
    expect(outcome(await scene.authorize(1, "c"))).toBe("over_capacity");
  });

  it("looks for an idle one at most once in ten milliseconds while there is none", async () => {
    const scene = sceneOf(1);
    const charge = await scene.admit(1, "a");
    expect(outcome(await scene.authorize(1, "b"))).toBe("over_capacity");
    await charge.settle();
    expect(outcome(await scene.authorize(1, "b"))).toBe("over_capacity");
    await scene.clock.advance(10);
    expect(outcome(await scene.authorize(1, "b"))).toBe("allowed");
  });

  it("looks less often the longer it takes to look: one part of the time in twenty, at most 5 s apart", () => {
    let now = 0;
    let looks = 0;
    // Each look at a customer takes a millisecond.
    const clock = { now: () => now, schedule: () => () => {} };
    const ledger = createMemoryLedger(clock);
    const account = ledger.account("service", "ada", "credits");
    account.idle = () => {
      now++;
      looks++;
      return false;
    };
    ledger.account = () => account;
    const cacheOf = (max: number) => {
      const cache = new Customers({ service: new KnownService("service"), ledger, clock, maxCustomers: max });
      for (let id = 0; id < max; id++) cache.get(`pinned ${id}`)?.wallet("credits");
      return cache;
    };
    const looksIn = (cache: Customers, ms: number) => {
      looks = 0;
      for (const end = now + ms; now < end; now++) expect(cache.get(`newcomer ${now}`)).toBeUndefined();
      return looks;
    };
    expect(looksIn(cacheOf(1), 1_000)).toBeLessThanOrEqual(50);
    expect(looksIn(cacheOf(100), 21_000)).toBeLessThanOrEqual(1_000);
    expect(looksIn(cacheOf(1_000), 2 * (1_000 + 5_000))).toBe(2_000);
  });

  it("finds the one that is idle, however recently it was used", async () => {
    const scene = sceneOf(3);
    await scene.admit(1, "a");
    await scene.admit(1, "b");
    await visit(scene, "c");
    await visit(scene, "d");
    expect(await present(scene)).toBe("abd");
  });

  it("keeps one with unconfirmed usage until its acknowledgement is L old", async () => {
    const scene = sceneOf(1);
    const charge = await scene.admit(1, "a");
    charge.report({});
    await charge.settle();
    await scene.gate.flush();
    await scene.clock.advance(9_990);
    expect(outcome(await scene.authorize(1, "b"))).toBe("over_capacity");
    await scene.clock.advance(11);
    expect(outcome(await scene.authorize(1, "b"))).toBe("allowed");
    expect(await present(scene)).toBe("b");
  });

  it("keeps one whose usage is not delivered for ever", async () => {
    const scene = sceneOf(1);
    scene.service.onUsage = () => Promise.reject(status(422, { problem: { code: "invalid_request" } }));
    const charge = await scene.admit(1, "a");
    charge.report({});
    await charge.settle();
    await scene.clock.advance(1e9);
    expect(outcome(await scene.authorize(1, "b"))).toBe("over_capacity");
  });

  it("keeps one whose balance is on its way, so that no other request is sent beside it", async () => {
    const scene = sceneOf(1, { minRefreshMs: 0 });
    await visit(scene, "a");
    scene.service.onBalance = hangs;
    await scene.clock.advance(6_000);
    await visit(scene, "a");
    await scene.clock.advance(0);
    expect(scene.service.balanceRequests).toHaveLength(2);
    expect(outcome(await scene.authorize(1, "b"))).toBe("over_capacity");
  });

  it("forgets the snapshot with the customer", async () => {
    const scene = sceneOf(1);
    await visit(scene, "a");
    await visit(scene, "b");
    scene.service.fund("a", { ai_credits: wallet() });
    expect(outcome(await scene.authorize(1, "a"))).toBe("insufficient_credits");
  });

  it("takes work in that was done before anyone asked, even where nobody can make room", async () => {
    const scene = sceneOf(1);
    const early = await scene.admit(1, "a");
    await early.settle();
    await scene.admit(1, "b");
    early.report({}, { credits: 3 });
    await scene.clock.advance(0);
    expect(await scene.gate.balance("a")).toMatchObject({ unconfirmed: 3 });
    expect(outcome(await scene.authorize(8, "a"))).toBe("insufficient_credits");
    expect(outcome(await scene.authorize(1, "c"))).toBe("over_capacity");
  });

  it("lets them go again once they are idle", async () => {
    const scene = sceneOf(1);
    const early = await scene.admit(1, "a");
    await early.settle();
    const other = await scene.admit(1, "b");
    early.report({}, { credits: 3 });
    await scene.gate.flush();
    await scene.clock.advance(10_001);
    other.release();
    await scene.clock.advance(0);
    await visit(scene, "c");
    expect(await present(scene)).toBe("c");
  });
});
