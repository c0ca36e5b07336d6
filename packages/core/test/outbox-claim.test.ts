import { createMemoryOutbox } from "@creditgate/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { answer, createPrepaidScene, pending } from "./service.ts";

afterEach(() => {
  vi.resetModules();
});

describe("an outbox", () => {
  const refusal =
    "outbox: expected one of this gate's own: give each gate its own, or keep the gate with sharedGate()";

  it("belongs to one gate: the second is refused, and told what to do", () => {
    const outbox = createMemoryOutbox();
    createPrepaidScene(5, { outbox });
    expect(() => createPrepaidScene(5, { outbox })).toThrow(refusal);
  });

  it("does so also where a bundler evaluates this package twice", async () => {
    const outbox = createMemoryOutbox();
    createPrepaidScene(5, { outbox });
    vi.resetModules();
    const again = await import("./service.ts");
    expect(again.createPrepaidScene).not.toBe(createPrepaidScene);
    expect(() => again.createPrepaidScene(5, { outbox })).toThrow(refusal);
  });

  it("is free when its gate has closed", async () => {
    const outbox = createMemoryOutbox();
    const first = createPrepaidScene(5, { outbox });
    await first.gate.close();
    expect(() => createPrepaidScene(5, { outbox })).not.toThrow();
  });

  it("is not free while its gate, closed, still waits for an answer: the report would be sent twice", async () => {
    const outbox = createMemoryOutbox();
    const first = createPrepaidScene(5, { outbox });
    const answered = pending<ReturnType<typeof answer>>();
    first.service.onUsage = () => answered.promise;
    const charge = await first.admit(1);
    charge.report({});
    await charge.settle();
    const closed = first.gate.close({ graceMs: 0 });
    await first.clock.advance(0);
    await closed;
    expect(() => createPrepaidScene(5, { outbox })).toThrow(refusal);
    answered.resolve(answer({}));
    await first.clock.advance(0);
    const second = createPrepaidScene(5, { outbox });
    expect(await second.gate.flush()).toEqual({ queued: 0, parked: 0, dead: 0 });
    expect(second.service.reports).toEqual([]);
  });

  it("stays free where createGate() throws", () => {
    const outbox = createMemoryOutbox();
    expect(() => createPrepaidScene(5, { outbox, ttlMs: -1 })).toThrow("ttlMs: expected");
    expect(() => createPrepaidScene(5, { outbox })).not.toThrow();
  });
});
