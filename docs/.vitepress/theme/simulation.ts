import { createGate, ownService } from "@creditgate/core";
import { createManualClock } from "@creditgate/core/testing";

export interface Settings {
  readonly requests: number;
  readonly latencyMs: number;
  readonly lagMs: number;
  /** The service answers nothing from the first second on, for 15 seconds. */
  readonly outage: boolean;
}

/** What became of the requests. */
export interface Outcome {
  readonly served: number;
  readonly denied: number;
  readonly unavailable: number;
  /** What the wallet has when all usage is debited. */
  readonly balance: number;
  /** Credits that were served beyond the wallet, or were never reported. */
  readonly unpaid: number;
}

export const wallet = 50;
const outageMs = { from: 1_000, to: 16_000 };
const workMs = 2_000;
const patienceMs = 1_000;

/** Requests at once, against the gate and against a check by hand, each on a service and a clock of its own. */
export async function simulate(
  settings: Settings,
): Promise<{ readonly gate: Outcome; readonly byHand: Outcome }> {
  return { gate: await throughGate(settings), byHand: await throughHand(settings) };
}

/** A wallet in memory, whose answers and debits take their time. */
function createService({ latencyMs, lagMs, outage }: Settings) {
  const clock = createManualClock();
  let balance = wallet;
  let reported = 0;
  const keys = new Set<string>();
  const answer = async (): Promise<void> => {
    const isDown = outage && clock.now() >= outageMs.from && clock.now() < outageMs.to;
    await new Promise<void>((resolve) => clock.schedule(isDown ? patienceMs : latencyMs, resolve));
    if (isDown) throw new Error("the service is down");
  };
  return {
    clock,
    sleep: (ms: number) => new Promise<void>((resolve) => clock.schedule(ms, resolve)),
    async read(): Promise<number> {
      await answer();
      return balance;
    },
    async report(key: string): Promise<void> {
      await answer();
      if (keys.has(key)) return;
      keys.add(key);
      reported += 1;
      clock.schedule(lagMs, () => {
        balance -= 1;
      });
    },
    outcome(statuses: readonly number[]): Outcome {
      const count = (status: number) => statuses.filter((one) => one === status).length;
      const served = count(200);
      const unpaid = Math.max(0, served - Math.min(reported, wallet));
      return { served, denied: count(402), unavailable: count(503), balance, unpaid };
    },
  };
}

async function throughGate(settings: Settings): Promise<Outcome> {
  const { clock, sleep, read, report, outcome } = createService(settings);
  const gate = createGate({
    // Bundled as for the edge.
    service: ownService({
      name: `playground ${crypto.randomUUID()}`,
      balance: async () => ({ available: await read() }),
      report: async (reports) => {
        for (const { key } of reports) await report(key);
      },
    }),
    currency: "credits",
    price: () => 1,
    // What the service takes to debit, and to answer.
    settlementLagMs: settings.lagMs + settings.latencyMs + 1_000,
    checkTimeoutMs: 2_000,
    // As at the edge, where nothing outlasts a request: each repeats its reports itself.
    onUndelivered: () => undefined,
    settleTimeoutMs: 120_000,
    clock,
    logger: false,
  });
  const one = async (): Promise<number> => {
    const decision = await gate.authorize({
      customerId: "alice",
      agentId: "chat",
      indicator: "message",
      hold: 1,
    });
    if (!decision.allowed) return decision.denial.status;
    await sleep(workMs);
    decision.charge.report({ outputTokens: 100 });
    await decision.charge.settle();
    return 200;
  };
  const all = Promise.all(Array.from({ length: settings.requests }, one));
  await clock.advance(300_000);
  return outcome(await all);
}

async function throughHand(settings: Settings): Promise<Outcome> {
  const { clock, sleep, read, report, outcome } = createService(settings);
  const one = async (_: unknown, index: number): Promise<number> => {
    try {
      if ((await read()) < 1) return 402;
    } catch {
      return 503;
    }
    await sleep(workMs);
    for (let attempt = 1; attempt <= 3; attempt++) {
      const isReported = await report(String(index)).then(
        () => true,
        () => false,
      );
      if (isReported) break;
      await sleep(1_000 * attempt);
    }
    return 200;
  };
  const all = Promise.all(Array.from({ length: settings.requests }, one));
  await clock.advance(300_000);
  return outcome(await all);
}
