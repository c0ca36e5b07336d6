import { createManualClock } from "@creditgate/core/testing";
import { describe, expect, it } from "vitest";
import type { HoldAnswer, HoldMessage } from "../src/object/messages.ts";
import { fromDurableObjects } from "../src/worker/from-durable-objects.ts";

const admitted: HoldAnswer = {
  admitted: true,
  code: null,
  rule: "cached",
  kind: "prepaid",
  capacity: 10,
  held: 2,
  unconfirmed: 0,
  ageMs: 5,
  extended: true,
  budget: null,
  error: null,
};

/** A namespace whose objects answer `hold` with these, one after the other: an error rejects, `undefined` never answers. */
function scene(...answers: readonly (HoldAnswer | Error | undefined)[]) {
  const clock = createManualClock();
  const calls: unknown[] = [];
  const left = [...answers];
  let fail: (error: Error) => void = () => {};
  const namespace = {
    idFromName: (name: string) => name,
    get: (name: string) => ({
      async hold({ workId, budgets }: HoldMessage) {
        calls.push(["hold", name, workId, ...(budgets === undefined ? [] : [budgets])]);
        const answer = left.shift();
        if (answer instanceof Error) throw answer;
        return answer ?? new Promise<never>((_, reject) => (fail = reject));
      },
      async done({ workId }: { readonly workId: string | null }) {
        calls.push(["done", name, workId]);
      },
      async release(workId: string) {
        calls.push(["release", name, workId]);
      },
      async renew(workId: string) {
        calls.push(["renew", name, workId]);
      },
    }),
  };
  const ledger = fromDurableObjects(namespace, { clock, abandonMs: 3_000, random: () => 0.5 });
  const account = ledger.account("service", "alice", "ai_credits");
  const unread: unknown[] = [];
  const kept: Promise<unknown>[] = [];
  const decide = (from: Pick<typeof account, "decide"> = account) => {
    const work = {
      id: "w",
      hold: 2,
      least: 2,
      agentId: "chat",
      indicator: "message",
      waitUntil: (promise: Promise<unknown>) => void kept.push(promise),
    };
    const verdict = from.decide?.(work, "prepaid", (_, error) => unread.push(error));
    if (verdict === undefined) throw new Error("expected an account that decides");
    return verdict;
  };
  return { clock, calls, ledger, account, decide, unread, kept, fail: (error: Error) => fail(error) };
}

const name = '["alice","ai_credits"]';

describe("fromDurableObjects", () => {
  it("asks the object of the wallet, whatever the service's key is", async () => {
    const it = scene(admitted);
    expect(await it.decide()).toMatchObject({
      code: undefined,
      rule: "cached",
      hold: { admitted: true, amount: 2 },
      figures: { capacity: 10, held: 2, stamp: -5 },
    });
    expect(it.calls).toEqual([["hold", name, "w"]]);
  });

  it("asks again, with the same work, where an object was evicted in the midst of a call", async () => {
    const it = scene(new Error("evicted"), new Error("evicted"), admitted);
    const verdict = it.decide();
    await it.clock.advance(200);
    expect((await verdict).code).toBeUndefined();
    expect(it.calls).toEqual([1, 2, 3].map(() => ["hold", name, "w"]));
  });

  it("pauses before it asks again, with full jitter", async () => {
    const it = scene(new Error("evicted"), new Error("evicted"), admitted);
    const verdict = it.decide();
    await it.clock.advance(19);
    expect(it.calls).toHaveLength(1);
    await it.clock.advance(1);
    expect(it.calls).toHaveLength(2);
    await it.clock.advance(39);
    expect(it.calls).toHaveLength(2);
    await it.clock.advance(1);
    expect(it.calls).toHaveLength(3);
    expect((await verdict).code).toBeUndefined();
  });

  it("does not ask an overloaded object again, and lets nobody in", async () => {
    const it = scene(Object.assign(new Error("overloaded"), { overloaded: true }));
    expect(await it.decide()).toMatchObject({
      code: "upstream_unavailable",
      rule: "unread",
      hold: undefined,
    });
    expect(it.calls.map((call) => (call as string[])[0])).toEqual(["hold", "release"]);
    expect(it.unread).toEqual([expect.objectContaining({ message: "overloaded" })]);
  });

  it("gives up an object that does not answer, and what it may have held", async () => {
    const it = scene(undefined);
    const verdict = it.decide();
    await it.clock.advance(4_499);
    expect(it.calls).toHaveLength(1);
    await it.clock.advance(1);
    expect(await verdict).toMatchObject({ code: "upstream_unavailable", hold: undefined });
    expect(it.calls.at(-1)).toEqual(["release", name, "w"]);
    expect(it.kept).toHaveLength(1);
  });

  it("does not ask again for what it has given up and given back", async () => {
    const it = scene(undefined, admitted);
    const verdict = it.decide();
    await it.clock.advance(4_500);
    await verdict;
    it.fail(new Error("evicted"));
    await it.clock.advance(1_000);
    expect(it.calls.map((call) => (call as string[])[0])).toEqual(["hold", "release"]);
  });

  it("names budgets to the object, sorted, and keeps its figures of the wallet apart from those of a budget", async () => {
    const budget = {
      key: "member:a",
      limit: 4,
      left: 1,
      resetsAt: undefined,
      freshFor: 0,
      unreadFor: undefined,
    };
    const denied = { ...admitted, admitted: false, code: "budget_exceeded", capacity: 4, budget } as const;
    const it = scene(admitted, denied);
    const named = it.account.naming?.(["team:b", "member:a"]) ?? {};
    expect(await it.decide(named)).toMatchObject({ code: undefined, hold: { amount: 2 } });
    expect(await it.decide(named)).toMatchObject({
      code: "budget_exceeded",
      figures: { capacity: 4, budget },
    });
    expect(it.account.figures("prepaid")).toMatchObject({ capacity: 10 });
    expect(it.calls[0]).toEqual(["hold", name, "w", ["member:a", "team:b"]]);
    expect(it.account.naming?.(["team:b", "member:a"]).budgets).toEqual([
      { key: "member:a" },
      { key: "team:b" },
    ]);
  });

  it("lets nobody in by an object of a version that knows no budgets, and gives back what it has held", async () => {
    const { budget: _, ...before } = admitted;
    const it = scene(before, before);
    const named = it.account.naming?.(["member:a"]) ?? {};
    expect(await it.decide(named)).toMatchObject({ code: "upstream_unavailable", hold: undefined });
    expect(it.calls.map((call) => (call as string[])[0])).toEqual(["hold", "release"]);
    expect(it.unread).toEqual([
      expect.objectContaining({ message: expect.stringContaining("knows no budgets") }),
    ]);
    expect(await it.decide()).toMatchObject({ code: undefined });
  });

  it("renews a hold until its work has ended, and gives it back once", async () => {
    const it = scene(admitted);
    const { hold } = await it.decide();
    if (hold === undefined) throw new Error("expected a hold");
    await it.clock.advance(2_000);
    expect(it.calls.filter((call) => (call as string[])[0] === "renew")).toHaveLength(2);
    await it.account.release(hold);
    await it.account.release(hold);
    await it.clock.advance(10_000);
    expect(it.calls.slice(3)).toEqual([["release", name, "w"]]);
  });

  it("renews no hold whose usage the object has taken", async () => {
    const it = scene(admitted);
    const { hold } = await it.decide();
    it.account.settle(hold, [2]);
    await it.clock.advance(10_000);
    expect(it.calls).toHaveLength(1);
  });

  it("refuses what is no binding, and options that make no sense", () => {
    expect(() => fromDurableObjects(undefined as never)).toThrow("namespace: expected the binding");
    const namespace = { idFromName: () => "", get: () => ({}) as never };
    expect(() => fromDurableObjects(namespace, { abandonMs: 10 })).toThrow("abandonMs: expected a number");
    expect(() => fromDurableObjects(namespace, { abandonMS: 10 } as never)).toThrow("abandonMs");
  });
});
