import {
  createVoiceCall,
  serviceVoicePrices,
  type VoiceCall,
  type VoiceCallOptions,
  type VoiceDecision,
  type VoicePrices,
} from "@creditgate/ai/voice";
import { type Client, createClient } from "@creditgate/client";
import { startControlPlane, type TestControlPlane } from "@creditgate/control-plane/testing";
import { createGate, createRegistry, type Gate, type GateOptions } from "@creditgate/core";
import { createManualClock, type ManualClock } from "@creditgate/core/testing";
import { Network } from "./network.ts";

const price = {
  perEvent: 1,
  perCallMinute: 6,
  perAudioMinute: 0.3,
  perThousandInputTokens: 2,
  perThousandCachedTokens: 0.5,
  perThousandOutputTokens: 4,
  perThousandCharacters: 0.1,
};

const modelPrices = [
  { provider: "deepgram", model: "nova", price: { perAudioMinute: 0.2 } },
  { provider: "openai", model: "gpt-5", plan: "pro", price: { perThousandInputTokens: 10 } },
];

/** A control plane with an agent that takes calls, whose customers each have so many credits. */
export function startPhone(customers: Readonly<Record<string, number>>): Promise<TestControlPlane> {
  const indicator = { billing: "CREDITS", currency: "voice_credits", price, modelPrices };
  return startControlPlane({
    fixture: {
      organization: { name: "Phone", apiKey: "cg_test_phone" },
      agents: [
        {
          agentId: "reception",
          agent_external_id: "reception-1",
          agent_name: "Reception",
          agent_type: "voice",
          indicators: [
            { name: "call", ...indicator },
            { name: "transferred", ...indicator },
          ],
        },
      ],
      customers: Object.entries(customers).map(([externalId, available]) => ({
        externalId,
        name: externalId,
        wallets: [{ currency: "voice_credits", kind: "prepaid", available }],
      })),
    },
  });
}

/** An application that takes calls: a gate, and a network between it and the control plane, under a clock that stands still. */
export class Phone {
  readonly network = new Network();
  readonly clock: ManualClock = createManualClock();
  readonly warnings: string[] = [];
  readonly client: Client;
  readonly gate: Gate;
  readonly #plane: TestControlPlane;
  /** By no network of the test's. */
  readonly #direct: Client;
  #prices: VoicePrices | undefined;

  constructor(plane: TestControlPlane, options: Partial<GateOptions> = {}) {
    this.#plane = plane;
    const { baseUrl, apiKey } = plane;
    this.#direct = createClient({ baseUrl, apiKey });
    this.client = createClient({ baseUrl, apiKey, fetch: this.network.fetch, retries: 0 });
    this.gate = createGate({
      client: this.client,
      currency: "voice_credits",
      registry: createRegistry(),
      clock: this.clock,
      lagWatch: false,
      openTelemetry: false,
      logger: false,
      ...options,
    } as GateOptions);
  }

  /** Opens a call, or says why not. */
  async decide(customer: string, options: Partial<VoiceCallOptions> = {}): Promise<VoiceDecision> {
    const { client } = this;
    this.#prices ??= await serviceVoicePrices(this.#direct, { agentId: "reception", indicator: "call" });
    // Hashing takes a thread's time, and no clock may pass meanwhile.
    await client.fingerprint();
    if (this.#prices === undefined) throw new Error("no prices");
    return this.passing(
      createVoiceCall({
        client,
        gate: this.gate,
        customer: { externalId: customer, name: customer },
        agentId: "reception",
        indicator: "call",
        prices: this.#prices,
        hold: { ahead: 2, reserve: 1 },
        clock: this.clock,
        random: () => 0.05,
        logger: { warn: (line) => void this.warnings.push(line) },
        ...options,
      }),
    );
  }

  async open(customer: string, options: Partial<VoiceCallOptions> = {}): Promise<VoiceCall> {
    const decision = await this.decide(customer, options);
    if (!decision.allowed) throw new Error(`denied: ${decision.denial.code}`);
    return decision.call;
  }

  /** Lets so many seconds pass, and the network do its work in each. */
  async pass(seconds: number): Promise<void> {
    await this.network.quiet();
    for (let left = seconds; left > 0; left--) {
      await this.clock.advance(Math.min(left, 1) * 1_000);
      await this.network.quiet();
    }
  }

  /** Lets time pass until it is settled. */
  async passing<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false;
    const end = () => {
      isSettled = true;
    };
    promise.then(end, end);
    await this.network.quiet();
    while (!isSettled) {
      await this.clock.advance(100);
      await this.network.quiet();
    }
    return promise;
  }

  /** What the wallet has, when all is settled, in micro-credits. */
  async available(customer: string): Promise<number> {
    await this.#plane.settled();
    const { available = Number.NaN } = (await this.#plane.balance(customer)).voice_credits ?? {};
    return Math.round(available * 1e6);
  }
}
