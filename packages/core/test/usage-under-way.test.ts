import { createMemoryOutbox } from "@creditgate/core";
import { describe, expect, it } from "vitest";
import { answer, createScene, outcome, pending, type Scene, wallet } from "./service.ts";

type UsageAnswer = ReturnType<typeof answer>;

/** Alice has 12 credits; the service tells what reports cost, 2.5 each, when the test lets it answer. */
async function twoAnswersUnderWay(): Promise<{ readonly it: Scene; tell(): Promise<void> }> {
  const it = createScene();
  const answers: (() => void)[] = [];
  const fund = (unsettled: number) =>
    it.service.fund("alice", { ai_credits: { ...wallet({ available: 12 }), kind: "prepaid", unsettled } });
  fund(0);
  it.service.onUsage = ({ key }) => {
    const answered = pending<UsageAnswer>();
    answers.push(() => answered.resolve(answer({ credits: 2.5, currency: "ai_credits" }, key)));
    return answered.promise;
  };
  for (let chat = 0; chat < 2; chat++) {
    const charge = await it.admit(5);
    charge.report({ outputTokens: 990 });
    await charge.settle();
  }
  await it.clock.advance(0);
  return {
    it,
    async tell() {
      fund(5);
      for (const answerOne of answers.splice(0)) answerOne();
      await it.clock.advance(0);
    },
  };
}

describe("usage on its way to the service", () => {
  it("is waited for where what it cost decides whether the next work can be paid", async () => {
    const { it, tell } = await twoAnswersUnderWay();
    const third = it.authorize(5);
    await it.clock.advance(100);
    await tell();
    await it.clock.advance(1_000);
    expect(outcome(await third)).toBe("allowed");
  });

  it("is waited for no longer than for a balance", async () => {
    const { it } = await twoAnswersUnderWay();
    const third = it.authorize(5);
    await it.clock.advance(10_000);
    expect(outcome(await third)).toBe("insufficient_credits");
  });

  it("is not waited for where the work could not be paid without it either, nor that of others", async () => {
    const { it } = await twoAnswersUnderWay();
    const none = it.authorize(13);
    it.service.fund("bob", { ai_credits: { ...wallet({ available: 1 }), kind: "prepaid", unsettled: 0 } });
    const others = it.authorize(5, "bob");
    await it.clock.advance(1_000);
    expect(outcome(await none)).toBe("insufficient_credits");
    expect(outcome(await others)).toBe("insufficient_credits");
  });
});

describe("usage that gathers for a batch", () => {
  it.each(["from memory", "from a disk"])("is sent, and waited for, where it decides: %s", async (where) => {
    const outbox = createMemoryOutbox();
    const next = outbox.next.bind(outbox);
    if (where === "from a disk") outbox.next = async (limit) => next(limit);
    const it = createScene({ outbox, concurrency: 1 });
    it.service.fund("alice", { ai_credits: wallet({ available: 12 }) });
    it.service.fund("bob", { ai_credits: wallet({ available: 100 }) });
    it.service.batchLimit = 500;
    const first = pending<void>();
    it.service.onUsage = async ({ key }) => {
      await first.promise;
      return answer({ credits: 2.5, currency: "ai_credits" }, key);
    };
    const work = async (customerId: string) => {
      const charge = await it.admit(5, customerId);
      charge.report({ outputTokens: 990 });
      await charge.settle();
    };
    await it.authorize(1);
    await it.clock.advance(1_000);
    for (const customerId of ["bob", "bob", "bob"]) await work(customerId);
    first.resolve();
    await it.clock.advance(0);
    for (const customerId of ["alice", "alice"]) await work(customerId);
    const third = it.authorize(5);
    await it.clock.advance(1_000);
    expect(outcome(await third)).toBe("allowed");
  });
});
