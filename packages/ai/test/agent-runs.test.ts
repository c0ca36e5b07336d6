import { InsufficientCredits, type MeteredCall, meteredModel } from "@creditgate/ai";
import { CreditgateError, endpoints } from "@creditgate/client";
import type { Charge, GateOptions } from "@creditgate/core";
import { createRandom, createTestGate } from "@creditgate/core/testing";
import { estimateTokenCount } from "tokenx";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AgentProvider, type BookEntry, costOf, prices, toolCall } from "./agent-provider.ts";
import { ai5 } from "./ai5.ts";
import { ai6 } from "./ai6.ts";
import { ai7 } from "./ai7.ts";
import { loggedErrors } from "./readme-errors.ts";
import { piecesOf, promptIn, type Script, scripts } from "./scripts.ts";

/** `npm run test:agent-runs` does a thousand. */
const runs = Number(process.env.CREDITGATE_AGENT_RUNS ?? 60);

const provider = new AgentProvider();
beforeAll(() => provider.start());
afterAll(() => provider.stop());

/** A wallet that is debited at once by the service's own rates, in micro-credits, and never again for the same key. */
class Wallet {
  balance = 3_000_000;
  lowest = this.balance;
  readonly billed = new Map<string, { readonly inputTokens: number; readonly outputTokens: number }>();

  readonly client: NonNullable<GateOptions["client"]> = {
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
    this.balance -= costOf({ inputTokens, outputTokens });
    this.lowest = Math.min(this.lowest, this.balance);
  }
}

/** From so many on the errors of estimates are those of their script. */
const manyTokens = 200;

/** What became of one agent, beside what the provider has in its book. */
interface Agent {
  readonly name: string;
  readonly script: Script;
  readonly calls: MeteredCall[];
  /** Pieces of its last answer that it has read. */
  seen: number;
}

/** What was billed of answers that broke off, and what the provider's tokenizer makes of them: of as few and as many pieces as that can have been. */
interface Broken {
  billed: number;
  fewest: number;
  most: number;
  answers: number;
}

const sum = (counts: readonly (number | undefined)[]) =>
  counts.reduce<number>((all, one = 0) => all + one, 0);

describe(`${runs} random agent runs`, () => {
  it("bill finished calls by the provider's book, others by what came, and never overdraw the wallet", {
    timeout: 600_000,
  }, async () => {
    const random = createRandom(7);
    const wallet = new Wallet();
    const { gate, clock, emitted } = createTestGate({}, { client: wallet.client, logger: false });
    let goesOn = true;
    const passing = (async () => {
      while (goesOn) {
        await clock.advance(50);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const agents: Agent[] = [];
    const outcomes = { finished: 0, aborted: 0, failed: 0, left: 0, unpaid: 0, denied: 0 };

    /** One agent: steps with tools, then an answer; it may be stopped after any piece. */
    const act = async (charge: Charge, script: Script) => {
      const agent: Agent = { name: `agent-${agents.length}`, script, calls: [], seen: 0 };
      agents.push(agent);
      const sdk = random.pick([ai5, ai6, ai7]);
      const model = meteredModel(sdk.models({ url: `${provider.url}/${agent.name}` }).chat, charge, {
        logger: false,
        prices,
        clamp: random.chance(0.5),
        minOutputTokens: 16,
        maxOutputTokens: random.integer(16, 80),
        extend: random.chance(0.8),
        onCall: (call) => void agent.calls.push(call),
      });
      const caller = new AbortController();
      const stopsAt = random.chance(0.4) ? random.integer(0, 40) : undefined;
      const byCustomer = random.chance(0.5);
      const stream = sdk.stream(model, {
        tool: async () => "sunny",
        prompt: promptIn(script),
        abortSignal: caller.signal,
      });
      const { fullStream } = stream as unknown as {
        readonly fullStream: AsyncIterable<{ readonly type: string; readonly error?: unknown }>;
      };
      try {
        for await (const part of fullStream) {
          if (part.type === "error" && part.error instanceof InsufficientCredits) outcomes.unpaid++;
          if (part.type === "start-step") agent.seen = 0;
          if (part.type !== "text-delta" || agent.seen++ !== stopsAt) continue;
          if (byCustomer) charge.disconnect();
          else caller.abort();
        }
      } catch {
        // It was stopped.
      }
    };

    for (let run = 0; run < runs; run++) {
      if (wallet.balance < 500_000 && random.chance(0.6)) wallet.balance += 2_000_000;
      const planned = random.integer(1, 5);
      const script = random.pick(scripts);
      provider.plans.length = 0;
      for (let step = 0; step < planned; step++) {
        provider.plans.push({
          pieces: piecesOf[script].slice(0, random.integer(1, 80)),
          tool: random.chance(0.6),
          refuses: random.chance(0.1),
          cutAfter: random.chance(0.1) ? random.integer(0, 40) : undefined,
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
      await Promise.all(Array.from({ length: random.pick([1, 1, 2, 3]) }, () => act(charge, script)));
      await charge.settle();
    }
    await gate.flush();
    goesOn = false;
    await passing;

    const calls = agents.flatMap((agent) => agent.calls);
    for (const { ending } of calls) outcomes[ending]++;
    console.info(
      `${runs} agent runs: ${JSON.stringify(outcomes)}, ${provider.book.length} calls by the book`,
    );
    // What was billed is what was metered, once.
    const billed = [...wallet.billed.values()];
    expect(billed).toHaveLength(calls.length);
    for (const field of ["inputTokens", "outputTokens"] as const)
      expect(sum(billed.map((one) => one[field]))).toBe(sum(calls.map(({ usage }) => usage[field])));

    const broken = new Map<string, Broken>();
    for (const agent of agents) {
      const entries = provider.book.filter((entry) => entry.agent === agent.name);
      // One that was stopped on its way is billed for what it may have read, whether or not the provider has seen it.
      const unseen = agent.calls.slice(entries.length);
      expect(unseen.map(({ ending, usage }) => [ending, usage.outputTokens])).toEqual(
        unseen.map(() => ["aborted", 0]),
      );
      expect(agent.calls.length).toBeGreaterThanOrEqual(entries.length);
      for (const [at, entry] of entries.entries()) compare(agent, at, entry, broken);
    }
    // By script, what was billed for them is off by no more than docs/models/estimates.md states.
    const errors = loggedErrors();
    for (const [script, { billed, fewest, most, answers }] of broken) {
      const [low, high] = [most, fewest].map((written) => 100 * (billed / written - 1));
      console.info(
        `${script}: ${answers} answers that broke off, ${most} tokens, billed ${low?.toFixed(1)} to ${high?.toFixed(1)} %`,
      );
      // A few short answers may be off by more than many.
      if (most < manyTokens) continue;
      const emitted = errors.get(script);
      if (emitted === undefined) throw new Error(`docs/models/estimates.md has no errors of ${script}`);
      expect(low, script).toBeGreaterThanOrEqual(emitted[0]);
      expect(high, script).toBeLessThanOrEqual(emitted[1]);
    }
    if (runs >= 1_000) {
      expect([...broken.values()].every(({ most }) => most >= manyTokens)).toBe(true);
      expect([...broken.keys()].sort()).toEqual([...scripts].sort());
    }
    expect(calls.length).toBeGreaterThan(0);
    expect(wallet.lowest).toBeGreaterThanOrEqual(0);
    expect(emitted("late")).toEqual([]);
    expect(await gate.balance("alice")).toMatchObject({ held: 0 });
  });
});

/** A call that the provider has seen, beside its entry in the book. */
function compare(agent: Agent, at: number, entry: BookEntry, broken: Map<string, Broken>): void {
  const { usage, ending, estimated } = agent.calls[at] ?? { usage: {}, ending: undefined, estimated: [] };
  const isWhole = ending !== undefined && estimated.length === 0;
  // What the provider has told is billed as it stands.
  if (isWhole) {
    const { inputTokens, outputTokens } = entry;
    expect([entry.isFinished, usage.inputTokens, usage.outputTokens]).toEqual([
      true,
      inputTokens,
      outputTokens,
    ]);
    return;
  }
  // Else the pieces that have come, estimated: those that the agent has read at least, and what was sent at most.
  const isLast = at === agent.calls.length - 1;
  const least = isLast && entry.pieces[0] !== toolCall ? agent.seen : 0;
  const prefixes = Array.from({ length: entry.pieces.length + 1 }, (_, count) =>
    entry.pieces.slice(0, count),
  );
  const come = prefixes
    .slice(least)
    .filter((pieces) => estimateTokenCount(textOf(pieces)) === usage.outputTokens)
    .map((pieces) => sum(pieces.map(({ tokens }) => tokens)));
  expect(come, `${agent.name}: ${least} to ${entry.pieces.length} pieces`).not.toEqual([]);
  const script = entry.pieces[0] === toolCall ? "JSON" : agent.script;
  const tally = broken.get(script) ?? { billed: 0, fewest: 0, most: 0, answers: 0 };
  tally.billed += usage.outputTokens ?? 0;
  tally.fewest += Math.min(...come);
  tally.most += Math.max(...come);
  tally.answers++;
  broken.set(script, tally);
}

function textOf(pieces: readonly { readonly text: string }[]): string {
  return pieces.map(({ text }) => text).join("");
}
