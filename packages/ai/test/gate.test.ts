import { meteredModel, meteredOpenAI } from "@creditgate/ai";
import { CreditgateError, endpoints } from "@creditgate/client";
import type { Charge, GateOptions } from "@creditgate/core";
import { createAdmission } from "@creditgate/core/adapter";
import { createTestGate, type TestGate } from "@creditgate/core/testing";
import OpenAI from "openai6";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ai5 } from "./ai5.ts";
import { ai6 } from "./ai6.ts";
import { ai7 } from "./ai7.ts";
import { Provider } from "./provider.ts";
import { emitted, pieces } from "./wire-format.ts";

const provider = new Provider();
beforeAll(() => provider.start());
afterAll(() => provider.stop());
beforeEach(() => provider.reset());

const work = { customerId: "alice", agentId: "chat", indicator: "message", hold: 5 };
const whole = { inputTokens: emitted.inputTokens, outputTokens: emitted.outputTokens };

async function admitted({ gate }: TestGate): Promise<Charge> {
  const decision = await gate.authorize(work);
  if (!decision.allowed) throw new Error(`denied: ${decision.denial.code}`);
  return decision.charge;
}

describe.each([ai5, ai6, ai7])("a metered model behind a gate, in $name", (sdk) => {
  const modelFor = (charge: Charge) =>
    meteredModel(sdk.models({ url: provider.url }).chat, charge, { logger: false });

  it("bills a stream that is not read when its work is settled, in time and once", async () => {
    const scene = createTestGate({ alice: 100 });
    const charge = await admitted(scene);
    provider.plans.push({ pieces: 3 });
    sdk.stream(modelFor(charge));
    await provider.asked();
    await charge.settle();
    charge.disconnect();
    await provider.gone();
    const { billed, held, settlements } = await scene.outcome("alice");
    expect([held, settlements]).toEqual([0, 1]);
    expect(billed).toEqual([expect.objectContaining({ provider: "openai", model: "gpt-5" })]);
    expect(scene.emitted("late")).toEqual([]);
  });

  it("bills a client that disconnects in mid-stream for what was written, and no default", async () => {
    const scene = createTestGate({ alice: 100 });
    const admit = createAdmission<object>(scene.gate, {
      customer: "alice",
      agentId: "chat",
      indicator: "message",
      hold: 5,
      defaultUsage: { outputTokens: 7_777 },
    });
    const admission = await admit({});
    if (!admission.admitted) throw new Error("denied");
    provider.plans.push({ pieces: 3 });
    let leave = () => {};
    const third = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const handler = async () => {
      let count = 0;
      for await (const _ of sdk.stream(modelFor(admission.credits)).textStream) if (++count === 3) leave();
    };
    const handling = handler().catch(() => {});
    await third;
    // As of a body that is cancelled.
    await admission.disconnect(handling, handling);
    await provider.gone();
    const { billed, held } = await scene.outcome("alice");
    expect(held).toBe(0);
    expect(billed).toEqual([expect.objectContaining({ outputTokens: 3 })]);
    expect(scene.emitted("late")).toEqual([]);
  });

  it.each(["503", "reset", "hangs"])(
    "works while the control plane is ill: %s, and bills later",
    async (ill) => {
      const { client, heal, received } = illService(ill);
      const scene = createTestGate({ alice: 100 }, { client, logger: false, ambiguous: "retry" });
      const charge = await admitted(scene);
      const model = modelFor(charge);
      expect(await sdk.generate(model)).toBe(pieces.join(""));
      let streamed = "";
      for await (const piece of sdk.stream(model).textStream) streamed += piece;
      expect(streamed).toBe(pieces.join(""));
      await charge.settle();
      await scene.clock.advance(1_000);
      expect(received).toEqual([]);
      heal();
      await scene.clock.advance(300_000);
      expect(received).toMatchObject([whole, whole]);
    },
  );
});

describe("a metered client behind a gate", () => {
  it("gives the hold back where the provider refuses the call", async () => {
    const scene = createTestGate({ alice: 100 });
    const charge = await admitted(scene);
    const client = meteredOpenAI(new OpenAI({ apiKey: "k", baseURL: `${provider.url}/v1` }), charge);
    provider.plans.push({ status: 400 });
    await expect(client.responses.create({ model: "gpt-5", input: "hi" })).rejects.toThrow();
    await charge.settle();
    expect(await scene.outcome("alice")).toMatchObject({ held: 0, billed: [] });
  });
});

/** A service that does not take usage until it is healed. */
function illService(how: string) {
  const received: unknown[] = [];
  let heal = () => {};
  let isIll = true;
  const healed = new Promise<void>((resolve) => {
    heal = () => {
      isIll = false;
      resolve();
    };
  });
  const zero = { pending: 0, overage_used: 0, overage_limit: 0, postpaid_used: 0, postpaid_limit: 0 };
  const client: NonNullable<GateOptions["client"]> = {
    fingerprint: async () => "a service that falls ill",
    async send(endpoint, { body } = {}, { idempotencyKey } = {}) {
      if (endpoint !== endpoints.usageReport) {
        return {
          status: 200,
          body: { balances: { ai_credits: { available: 100, ...zero } } },
          idempotencyKey,
        };
      }
      if (isIll && how === "503") throw new CreditgateError("http", "503", { status: 503, problem: {} });
      if (isIll && how === "reset") throw new CreditgateError("connection_lost", "reset");
      await healed;
      received.push((body as { rawUsage: unknown }).rawUsage);
      return { status: 200, body: {}, idempotencyKey };
    },
  };
  return { client, received, heal };
}
