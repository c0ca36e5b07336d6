import { InsufficientCredits, listedPrices, type MeteredCall, meteredModel } from "@creditgate/ai";
import { CreditgateError, endpoints } from "@creditgate/client";
import type { Charge, GateOptions } from "@creditgate/core";
import { createRandom, createTestGate } from "@creditgate/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AgentProvider } from "./agent-provider.ts";
import { ai5 } from "./ai5.ts";
import { ai6 } from "./ai6.ts";
import { ai7 } from "./ai7.ts";

/** `npm run test:agent-runs` does a thousand. */
const runs = Number(process.env.CREDITGATE_AGENT_RUNS ?? 60);

/** Micro-credits for a token read, and for one written. */
const rates = { input: 1_000, output: 10_000 };
const prices = listedPrices({ price: { perThousandInputTokens: 1, perThousandOutputTokens: 10 } });

const provider = new AgentProvider();
beforeAll(() => provider.start());
afterAll(() => provider.stop());

/** A wallet that is debited at once by the service's own rates, in micro-credits, and never again for the same key. */
class Wallet {
  balance = 3_000_000;
  lowest = this.balance;
  readonly billed = new Map<string, { readonly inputTokens: number; readonly outputTokens: number }>();

  readonly client: GateOptions["client"] = {
    fingerprint: async () => "a service that debits",
    send: async (endpoint, { body } = {}, { idempotencyKey = "" } = {}) => {
      if (endpoint === endpoints.usageReport) this.#debit(idempotencyKey, body);
      else if (endpoint !== endpoints.walletBalance)
        throw new CreditgateError("http", "404", { status: 404 });
      const zero = { pending: 0, overage_used: 0, overage_limit: 0, postpaid_used: 0, postpaid_limit: 0 };
      const balances = { ai_credits: { available: this.balance / 1e6, ...zero } };
      return { status: 200, body: { balances }, idempotencyKey };
    },
  };

  #debit(key: string, body: unknown): void {
    const { rawUsage } = body as { readonly rawUsage: { inputTokens?: number; outputTokens?: number } };
    const { inputTokens = 0, outputTokens = 0 } = rawUsage;
    if (this.billed.has(key)) return;
    this.billed.set(key, { inputTokens, outputTokens });
    this.balance -= inputTokens * rates.input + outputTokens * rates.output;
    this.lowest = Math.min(this.lowest, this.balance);
  }
}

const sum = (counts: readonly (number | undefined)[]) =>
  counts.reduce<number>((all, one = 0) => all + one, 0);

describe(`${runs} random agent runs`, () => {
  it("bill finished calls by the provider's book, others by what came, and never overdraw the wallet", {
    timeout: 600_000,
  }, async () => {
    const random = createRandom(7);
    const wallet = new Wallet();
    const { gate, clock, told } = createTestGate({}, { client: wallet.client, logger: false });
    let goesOn = true;
    const passing = (async () => {
      while (goesOn) {
        await clock.advance(50);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const calls: MeteredCall[] = [];
    const outcomes = { finished: 0, aborted: 0, failed: 0, left: 0, unpaid: 0, denied: 0 };

    /** One agent: steps with tools, then an answer; it may be stopped after any piece. */
    const agent = async (charge: Charge) => {
      const sdk = random.pick([ai5, ai6, ai7]);
      const model = meteredModel(sdk.models({ url: provider.url }).chat, charge, {
        logger: false,
        prices,
        clamp: random.chance(0.5),
        minOutputTokens: 16,
        maxOutputTokens: random.integer(16, 60),
        extend: random.chance(0.8),
        onCall: (call) => void calls.push(call),
      });
      const caller = new AbortController();
      const stopsAt = random.chance(0.3) ? random.integer(0, 12) : undefined;
      const byCustomer = random.chance(0.5);
      const stream = sdk.stream(model, { tool: async () => "sunny", abortSignal: caller.signal });
      const { fullStream } = stream as unknown as {
        readonly fullStream: AsyncIterable<{ readonly type: string; readonly error?: unknown }>;
      };
      let seen = 0;
      try {
        for await (const part of fullStream) {
          if (part.type === "error" && part.error instanceof InsufficientCredits) outcomes.unpaid++;
          if (part.type !== "text-delta" || seen++ !== stopsAt) continue;
          if (byCustomer) charge.leave();
          else caller.abort();
        }
      } catch {
        // It was stopped.
      }
    };

    for (let run = 0; run < runs; run++) {
      if (wallet.balance < 500_000 && random.chance(0.6)) wallet.balance += 2_000_000;
      const planned = random.integer(1, 5);
      provider.plans.length = 0;
      for (let step = 0; step < planned; step++) {
        provider.plans.push({
          tokens: random.integer(1, 80),
          tool: random.chance(0.6),
          refuses: random.chance(0.1),
          cutAfter: random.chance(0.1) ? random.integer(0, 20) : undefined,
        });
      }
      const decision = await gate.authorize({
        customerId: "alice",
        agentId: "chat",
        indicator: "message",
        hold: { min: 0.05, max: random.integer(1, 8) / 10 },
      });
      if (!decision.allowed) {
        outcomes.denied++;
        continue;
      }
      const { charge } = decision;
      await Promise.all(Array.from({ length: random.pick([1, 1, 2, 3]) }, () => agent(charge)));
      await charge.settle();
    }
    await gate.flush();
    goesOn = false;
    await passing;

    for (const { ending } of calls) outcomes[ending]++;
    console.info(
      `${runs} agent runs: ${JSON.stringify(outcomes)}, ${provider.book.length} calls by the book`,
    );
    const finished = calls.filter(({ ending, estimated }) => ending === "finished" && estimated.length === 0);
    const others = calls.filter((call) => !finished.includes(call));
    const whole = provider.book.filter(({ isFinished }) => isFinished);
    const broken = provider.book.filter(({ isFinished }) => !isFinished);
    // What was billed is what was metered, once.
    const billed = [...wallet.billed.values()];
    expect(billed).toHaveLength(calls.length);
    for (const field of ["inputTokens", "outputTokens"] as const) {
      expect(sum(billed.map((one) => one[field]))).toBe(sum(calls.map(({ usage }) => usage[field])));
      // A call that the provider has finished may have been stopped before its last word came.
      expect(sum(finished.map(({ usage }) => usage[field]))).toBeLessThanOrEqual(
        sum(whole.map((one) => one[field])),
      );
    }
    // Each finished call is one of the book.
    const entries = whole.map(({ inputTokens, outputTokens }) => `${inputTokens} ${outputTokens}`);
    for (const { usage } of finished) {
      const at = entries.indexOf(`${usage.inputTokens} ${usage.outputTokens}`);
      expect(at).toBeGreaterThanOrEqual(0);
      entries.splice(at, 1);
    }
    // Of the others never more is billed than was written for them.
    expect(sum(others.map(({ usage }) => usage.outputTokens))).toBeLessThanOrEqual(
      sum(broken.map(({ outputTokens }) => outputTokens)) +
        sum(entries.map((entry) => Number(entry.split(" ")[1]))),
    );
    expect(calls.length).toBeGreaterThan(0);
    // One that was stopped on its way is billed for what it may have read, whether or not the provider has seen it.
    const unseen = calls.filter(({ usage, ending }) => ending === "aborted" && usage.outputTokens === 0);
    expect(calls.length - unseen.length).toBeLessThanOrEqual(provider.book.length);
    expect(wallet.lowest).toBeGreaterThanOrEqual(0);
    expect(told("late")).toEqual([]);
    expect(await gate.balance("alice")).toMatchObject({ held: 0 });
  });
});
