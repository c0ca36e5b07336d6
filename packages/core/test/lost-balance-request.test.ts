import { describe, expect, it } from "vitest";
import { createGate, createRegistry } from "../src/index.ts";
import { createManualClock } from "../src/testing/index.ts";

const zero = { pending: 0, overage_used: 0, overage_limit: 0, postpaid_used: 0, postpaid_limit: 0 };
const answer = {
  status: 200,
  body: { balances: { credits: { available: 10, ...zero } } },
  idempotencyKey: undefined,
};

/** A gate whose first balance request is never settled, as in a worker whose request has ended. */
function open() {
  const clock = createManualClock();
  let requests = 0;
  const client = {
    fingerprint: async () => "service",
    send: () => (requests++ === 0 ? new Promise<never>(() => {}) : Promise.resolve(answer)),
  };
  const registry = createRegistry();
  const gate = createGate({ client, currency: "credits", wallet: "prepaid", registry, clock, check: false });
  return { clock, gate };
}

const work = { customerId: "ada", agentId: "a", indicator: "i", hold: 1 };

describe("a balance request that its runtime has forgotten", () => {
  it("is given up after a minute, and the next one counts", async () => {
    const { clock, gate } = open();
    const first = gate.authorize(work);
    await clock.advance(1_000);
    expect(await first).toMatchObject({ allowed: false, denial: { code: "upstream_unavailable" } });
    await clock.advance(60_000);
    expect(await gate.authorize(work)).toMatchObject({ allowed: true });
  });

  it("is one that waitUntil would have kept: it is told of each", async () => {
    const { clock, gate } = open();
    const kept: Promise<unknown>[] = [];
    const first = gate.authorize({ ...work, waitUntil: (promise) => kept.push(promise) });
    await clock.advance(1_000);
    await first;
    expect(kept).toHaveLength(1);
  });
});
