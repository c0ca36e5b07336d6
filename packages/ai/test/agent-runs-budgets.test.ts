import { createAdminClient, type OrganizationAdmin } from "@creditgate/admin";
import { meteredModel } from "@creditgate/ai";
import { type Client, createClient } from "@creditgate/client";
import { startControlPlane, type TestControlPlane } from "@creditgate/control-plane/testing";
import { type Clock, createGate, createRegistry, createRunBudget, type RunBudget } from "@creditgate/core";
import { createRandom } from "@creditgate/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../../control-plane/src/database/connection.ts";
import { verify } from "../../control-plane/src/verification/wallets.ts";
import { AgentProvider, type BookEntry, costOf, price, prices } from "./agent-provider.ts";
import { ai5 } from "./ai5.ts";
import { ai6 } from "./ai6.ts";
import { ai7 } from "./ai7.ts";
import { piecesOf, promptIn } from "./scripts.ts";

/** `npm run test:agent-runs` does a thousand. */
const runs = Number(process.env.CREDITGATE_AGENT_RUNS ?? 60);
/** At once, on one wallet. */
const runsInRound = 10;
const hourMs = 3_600_000;

/** The clock of gate and control plane, ten times as fast as the machine's: whoever waits 20 s in vain waits two. */
class QuickClock implements Clock {
  readonly #timers = new Set<() => void>();
  #ahead = Date.UTC(2026, 4, 5, 12);

  now(): number {
    return 10 * performance.now();
  }

  wall(): number {
    return this.#ahead + this.now();
  }

  schedule(delayMs: number, run: () => void): () => void {
    const cancel = () => {
      clearTimeout(timer);
      this.#timers.delete(cancel);
    };
    const timer = setTimeout(() => {
      this.#timers.delete(cancel);
      run();
    }, delayMs / 10);
    this.#timers.add(cancel);
    return cancel;
  }

  /** What still waits. */
  get timers(): number {
    return this.#timers.size;
  }

  /** Passes until the next hour begins in so many milliseconds. */
  passUntil(beforeHourMs: number): void {
    const left = hourMs - (this.wall() % hourMs) - beforeHourMs;
    this.#ahead += left < 0 ? left + hourMs : left;
  }
}

const micro = (credits: number | undefined) => Math.round((credits ?? Number.NaN) * 1e6);
/** Micro-credits. */
const limits = { member: 700_000, team: 1_200_000 };

const provider = new AgentProvider();
const clock = new QuickClock();
let plane: TestControlPlane;
let organization: OrganizationAdmin;
let client: Client;
beforeAll(async () => {
  const adminToken = "cga_a-token-for-these-tests";
  const indicator = { name: "message", billing: "CREDITS", currency: "ai_credits", price } as const;
  const agent = { agentId: "chat", agent_external_id: "chat-1", agent_name: "Chat", indicators: [indicator] };
  const fixture = { organization: { name: "Acme", apiKey: "cg_test_agents" }, agents: [agent] };
  plane = await startControlPlane({ fixture, adminToken, clock: { now: () => clock.wall() } });
  organization = await createAdminClient({ baseUrl: plane.baseUrl, adminToken }).organizationNamed("Acme");
  client = createClient({ baseUrl: plane.baseUrl, apiKey: plane.apiKey });
  await provider.start();
});
afterAll(async () => {
  await provider.stop();
  await plane.stop();
});

/** What is reported of a customer's budgets, in micro-credits by key and by the beginning of the period. */
async function reportedSums(customerId: string): Promise<Map<string, Map<string, number>>> {
  const sums = new Map<string, Map<string, number>>();
  let cursor: string | undefined;
  do {
    const { usage, next } = await organization.usage.list({
      customerId,
      limit: 100,
      ...(cursor && { cursor }),
    });
    for (const { budgets, credits } of usage)
      for (const { key, period } of budgets) {
        const ofKey = sums.get(key) ?? new Map<string, number>();
        sums.set(key, ofKey.set(`${period}`, (ofKey.get(`${period}`) ?? 0) + micro(credits)));
      }
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  return sums;
}

const sum = (amounts: Iterable<number>) => [...amounts].reduce((all, one) => all + one, 0);

describe(`${runs} agent runs that pause, with budgets, on a control plane`, () => {
  it("count in each budget what the provider has in its book, above no limit, and overdraw no wallet", {
    timeout: 1_200_000,
  }, async () => {
    const random = createRandom(11);
    const seen = {
      ...{ finished: 0, aborted: 0, failed: 0, left: 0 },
      ...{ denied: 0, paused: 0, paid: 0, outages: 0, exhausted: 0, overHour: 0 },
    };
    for (let round = 0; round * runsInRound < runs; round++) {
      const customerId = `company-${round}`;
      await organization.customers.create({ externalId: customerId, name: "Company" });
      await organization.wallets.create(customerId, { kind: "prepaid", creditCurrencyKey: "ai_credits" });
      const set = (key: string, request: Parameters<OrganizationAdmin["budgets"]["set"]>[3]) =>
        organization.budgets.set(customerId, "ai_credits", key, request);
      await set("member:*", { limit: limits.member / 1e6, every: "hour" });
      await set("team:a", { limit: limits.team / 1e6 });
      // Members' budgets begin anew in the middle of some rounds.
      clock.passUntil(random.integer(0, 30_000));
      const gate = createGate({
        client,
        currency: "ai_credits",
        registry: createRegistry(),
        clock,
        // Six seconds of the machine's.
        checkTimeoutMs: 60_000,
        openTelemetry: false,
        logger: false,
      });
      const payments: Promise<void>[] = [];
      const pay = async () => {
        const top_ups = [{ credit_currency_key: "ai_credits", credits: 0.5 }];
        const idempotencyKey = `${customerId}-${payments.length}`;
        await client.wallets.topUp({ customer_id: customerId, top_ups }, { idempotencyKey });
        gate.refresh(customerId);
      };
      payments.push(pay());
      await payments[0];

      const played: { agent: string; keys: readonly string[]; budget: RunBudget }[] = [];
      const run = async (at: number) => {
        const agent = `${customerId}-${at}`;
        const budget = createRunBudget({ limit: random.integer(2, 12) / 10 });
        const keys = [`member:${1 + (at % 2)}`, "team:a"];
        played.push({ agent, keys, budget });
        const decision = await gate.authorize({
          customerId,
          agentId: "chat",
          indicator: "message",
          hold: { min: 0.02, max: 0.05 },
          budgets: [budget, ...keys],
        });
        if (!decision.allowed) {
          seen.denied++;
          return;
        }
        const { charge } = decision;
        const sdk = random.pick([ai5, ai6, ai7]);
        const model = meteredModel(sdk.models({ url: `${provider.url}/${agent}` }).chat, charge, {
          logger: false,
          prices,
          minOutputTokens: 16,
          maxOutputTokens: random.integer(16, 80),
          onCall: ({ ending }) => void seen[ending]++,
          pause: {
            waitMs: 20_000,
            onPause({ code }) {
              seen.paused++;
              if (random.chance(0.1)) charge.disconnect();
              else if (code === "insufficient_credits" && random.chance(0.6)) payments.push(pay());
            },
          },
        });
        const { textStream } = sdk.stream(model, { tool: async () => "sunny", prompt: promptIn("English") });
        try {
          for await (const _ of textStream);
        } catch {
          // It was not paid, or refused.
        }
        await charge.settle();
      };
      provider.plans.length = 0;
      for (let step = 0; step < 40; step++)
        provider.plans.push({
          pieces: piecesOf.English.slice(0, 40),
          tool: random.chance(0.7),
          refuses: random.chance(0.05),
          cutAfter: undefined,
        });
      if (random.chance(0.2)) {
        seen.outages++;
        plane.faults.unavailable(503, { paths: ["/api/v2/usage"] });
      }
      await Promise.all(Array.from({ length: runsInRound }, (_, at) => run(at)));
      plane.faults.restore();
      await Promise.all(payments);
      seen.paid += payments.length - 1;
      await gate.flush();
      await plane.settled();

      const of = (agent: string) => provider.book.filter((entry) => entry.agent === agent);
      const spent = (entries: readonly BookEntry[]) => sum(entries.map(costOf));
      const entries = played.flatMap(({ agent }) => of(agent));
      expect(entries.filter(({ isFinished }) => !isFinished)).toEqual([]);
      for (const { agent, budget } of played) {
        expect(micro(budget.spent)).toBe(spent(of(agent)));
        expect(budget.spent).toBeLessThanOrEqual(budget.limit);
        expect(budget.held).toBe(0);
      }
      const reported = await reportedSums(customerId);
      for (const key of ["member:1", "member:2", "team:a"]) {
        const named = played.filter(({ keys }) => keys.includes(key));
        const periods = reported.get(key) ?? new Map<string, number>();
        expect(sum(periods.values()), key).toBe(spent(named.flatMap(({ agent }) => of(agent))));
        const limit = key === "team:a" ? limits.team : limits.member;
        expect(Math.max(0, ...periods.values())).toBeLessThanOrEqual(limit);
        const { period, used, unsettled } = await organization.budgets.get(customerId, "ai_credits", key);
        expect([micro(used), unsettled]).toEqual([periods.get(period) ?? 0, 0]);
        if (periods.size > 1) seen.overHour++;
        // Less is left than one more answer may cost.
        if (limit - Math.max(...periods.values()) < 50_000) seen.exhausted++;
      }
      const { ai_credits: wallet } = await plane.balance(customerId);
      expect(micro(wallet?.available)).toBe(500_000 * payments.length - spent(entries));
      expect(wallet).toMatchObject({ overage_used: 0, unsettled: 0 });
      expect(await gate.status()).toMatchObject({ open: 0, held: 0, queued: 0, parked: 0, dead: 0 });
      expect((await gate.close()).undelivered).toEqual([]);
      // Nothing waits for credits any more.
      expect(clock.timers).toBe(0);
    }
    console.info(`${runs} agent runs with budgets: ${JSON.stringify(seen)}`);
    expect(seen.paused).toBeGreaterThan(0);
    expect(seen.paid).toBeGreaterThan(0);
    if (runs >= 1_000)
      for (const what of ["outages", "exhausted", "overHour"] as const)
        expect(seen[what], what).toBeGreaterThan(0);
    const { database, close } = connect(plane.databaseUrl);
    try {
      expect((await verify(database)).differences).toEqual([]);
    } finally {
      await close();
    }
  });
});
