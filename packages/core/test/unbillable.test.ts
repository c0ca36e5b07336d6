import { createMemoryOutbox } from "@creditgate/core";
import { describe, expect, it } from "vitest";
import { answer, createPrepaidScene, outcome, type Scene, type SceneOptions, status } from "./service.ts";

const refusal = (code: string) => () => Promise.reject(status(404, { problem: { code } }));

async function work(scene: Scene): Promise<string> {
  const decision = await scene.authorize(1);
  if (!decision.allowed) return decision.denial.code;
  decision.charge.report({ inputTokens: 1 });
  await decision.charge.settle();
  await scene.gate.flush({ timeoutMs: 0 });
  return "allowed";
}

const deliveries: readonly [string, () => SceneOptions][] = [
  ["an outbox", () => ({ outbox: createMemoryOutbox() })],
  ["delivery within the request", () => ({ onUndelivered: () => {} })],
];

describe.each(["agent_unknown", "indicator_unknown"])("work that the service cannot bill: %s", (code) => {
  it.each(deliveries)("is let in once a minute to try again, with %s", async (_, options) => {
    const scene = createPrepaidScene(100, options());
    scene.service.onUsage = refusal(code);
    expect(await work(scene)).toBe("allowed");
    await scene.clock.advance(0);
    expect(await work(scene)).toBe("unbillable");
    await scene.clock.advance(59_999);
    expect(await work(scene)).toBe("unbillable");
    await scene.clock.advance(1);
    expect(await work(scene)).toBe("allowed");
    expect(await work(scene)).toBe("unbillable");
    expect(scene.told("dead")).toHaveLength(2);
  });

  it("is let in again as soon as the service has taken its usage", async () => {
    const scene = createPrepaidScene(100, { outbox: createMemoryOutbox() });
    scene.service.onUsage = refusal(code);
    await work(scene);
    scene.service.onUsage = undefined;
    await scene.clock.advance(60_000);
    expect(await work(scene)).toBe("allowed");
    await scene.clock.advance(0);
    expect(scene.told("delivered")).toHaveLength(1);
    expect([await work(scene), await work(scene)]).toEqual(["allowed", "allowed"]);
  });

  it("is known from a batch too", async () => {
    const scene = createPrepaidScene(100, { outbox: createMemoryOutbox(), concurrency: 1 });
    scene.service.batchLimit = 10;
    // The first answer tells of keys and batches.
    await work(scene);
    await scene.clock.advance(0);
    scene.service.onBatch = async (reports) =>
      answer({ results: reports.map(({ key }) => ({ key, status: 404, body: { code } })) });
    const charges = await Promise.all([1, 1, 1, 1].map((hold) => scene.admit(hold)));
    for (const charge of charges) charge.report({ inputTokens: 1 });
    await Promise.all(charges.map((charge) => charge.settle()));
    await scene.clock.advance(0);
    expect(scene.service.posts.map(({ length }) => length)).toEqual([1, 1, 3]);
    expect(scene.told("dead")).toHaveLength(3);
    expect(await work(scene)).toBe("unbillable");
  });

  it("does not keep other work out", async () => {
    const scene = createPrepaidScene(100, { outbox: createMemoryOutbox() });
    scene.service.onUsage = refusal(code);
    await work(scene);
    const other = { customerId: "alice", agentId: "chat", indicator: "other", hold: 1 };
    expect(outcome(await scene.gate.authorize(other))).toBe("allowed");
  });
});

it("goes by what the service itself says, and by nothing before it", async () => {
  const scene = createPrepaidScene(100, { outbox: createMemoryOutbox() });
  scene.service.onUsage = async () => answer({});
  await work(scene);
  scene.service.onUsage = refusal("tenant_unknown");
  expect([await work(scene), await work(scene)]).toEqual(["allowed", "allowed"]);
});

it("remembers a thousand kinds of work at most", async () => {
  const scene = createPrepaidScene(10_000, { outbox: createMemoryOutbox() });
  scene.service.onUsage = refusal("agent_unknown");
  for (let index = 0; index <= 1_000; index++) {
    const decision = await scene.gate.authorize({
      customerId: "alice",
      agentId: `agent ${index}`,
      indicator: "message",
      hold: 1,
    });
    if (!decision.allowed) throw new Error(decision.denial.code);
    decision.charge.report({});
    await decision.charge.settle();
    await scene.gate.flush({ timeoutMs: 0 });
    await scene.clock.advance(0);
  }
  const ask = async (agentId: string) =>
    outcome(await scene.gate.authorize({ customerId: "alice", agentId, indicator: "message", hold: 1 }));
  expect([await ask("agent 0"), await ask("agent 1000")]).toEqual(["allowed", "unbillable"]);
});
