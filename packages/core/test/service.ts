import {
  type Answer,
  CreditgateError,
  type CreditgateErrorDetails,
  endpoints,
  isCreditgateError,
  type UsageBatchResult,
  usageBatch,
} from "@creditgate/client";
import { createGate, createRegistry, type Gate, type GateEventMap, type GateOptions } from "@creditgate/core";
import { createManualClock, type ManualClock } from "@creditgate/core/testing";

/** The six figures of a wallet (API 2.1). */
export interface Figures {
  readonly available: number;
  readonly pending: number;
  readonly overage_used: number;
  readonly overage_limit: number;
  readonly postpaid_used: number;
  readonly postpaid_limit: number;
}

const zero: Figures = {
  available: 0,
  pending: 0,
  overage_used: 0,
  overage_limit: 0,
  postpaid_used: 0,
  postpaid_limit: 0,
};

export function wallet(figures: Partial<Figures> = {}): Figures {
  return { ...zero, ...figures };
}

export interface SentReport {
  readonly key: string;
  readonly customerId: string;
  readonly agentId: string;
  readonly indicator: string;
  readonly rawUsage: Readonly<Record<string, unknown>>;
}

/** A service that answers what the test says, and remembers what it was asked. */
export interface FakeService {
  readonly client: NonNullable<GateOptions["client"]>;
  /** Sets what the customer's balances are from now on; `undefined` is answered 404. */
  fund(customerId: string, balances: unknown): void;
  /** How the next balance requests are answered; without it, by `fund`. */
  onBalance: ((customerId: string) => Promise<Answer>) | undefined;
  /** How usage is answered; without it, 200 and the key. */
  onUsage: ((report: SentReport) => Promise<Answer>) | undefined;
  /** The most reports that it takes in one request, as each of its answers says; without it, it has no batch endpoint. */
  batchLimit: number | undefined;
  /** The parts of a usage that it takes, as each of its answers says. */
  usageParts: readonly string[] | undefined;
  /** How a batch is answered; without it, each report as by `onUsage`. One that fails without a status has no answer in it. */
  onBatch: ((reports: readonly SentReport[]) => Promise<Answer>) | undefined;
  /** What it lists as its agents, all of them or the body of one page; 404 unless a test says otherwise. */
  agents: ((page: number) => Promise<object>) | undefined;
  /** What the subscription endpoint answers; 404 unless a test says otherwise. */
  onSubscription: () => Promise<unknown>;
  /** The customers whose balance was asked for, in order. */
  readonly balanceRequests: readonly string[];
  readonly reports: readonly SentReport[];
  /** The same, by request. */
  readonly posts: readonly (readonly SentReport[])[];
  /** The most balance requests for one customer that were ever in the air together. */
  readonly mostAirborne: number;
}

export function createFakeService(): FakeService {
  const balances = new Map<string, unknown>();
  const airborne = new Map<string, number>();
  const balanceRequests: string[] = [];
  const reports: SentReport[] = [];
  const posts: (readonly SentReport[])[] = [];
  let mostAirborne = 0;

  async function balance(customerId: string): Promise<Answer> {
    balanceRequests.push(customerId);
    const now = (airborne.get(customerId) ?? 0) + 1;
    airborne.set(customerId, now);
    mostAirborne = Math.max(mostAirborne, now);
    try {
      if (service.onBalance !== undefined) return await service.onBalance(customerId);
      if (!balances.has(customerId)) throw status(404, { problem: { code: "customer_unknown" } });
      return answer({ balances: balances.get(customerId) });
    } finally {
      airborne.set(customerId, now - 1);
    }
  }

  async function usage(report: SentReport): Promise<Answer> {
    reports.push(report);
    return service.onUsage === undefined ? answer({}, report.key) : service.onUsage(report);
  }

  async function batch(batched: readonly SentReport[]): Promise<Answer> {
    if (service.batchLimit === undefined) throw status(404, { problem: { code: "route_unknown" } });
    if (service.onBatch !== undefined) {
      reports.push(...batched);
      return service.onBatch(batched);
    }
    return answer({ results: (await Promise.all(batched.map(result))).flat() });
  }

  async function result(report: SentReport): Promise<readonly UsageBatchResult[]> {
    const { key } = report;
    try {
      const { status, body } = await usage(report);
      return [{ key, status, body }];
    } catch (error) {
      if (!isCreditgateError(error) || error.status === undefined) return [];
      return [{ key, status: error.status, body: error.problem }];
    }
  }

  function post(sent: readonly SentReport[], answered: Promise<Answer>): Promise<Answer> {
    posts.push(sent);
    return answered.then((found) => ({ ...telling(), ...found }));
  }

  const telling = () => ({
    batchLimit: service.batchLimit,
    usageParts: service.usageParts && new Set(service.usageParts),
  });

  const service: FakeService = {
    onBalance: undefined,
    onUsage: undefined,
    batchLimit: undefined,
    usageParts: undefined,
    onBatch: undefined,
    agents: undefined,
    onSubscription: () => Promise.reject(status(404)),
    balanceRequests,
    reports,
    posts,
    get mostAirborne() {
      return mostAirborne;
    },
    fund: (customerId, entry) => void balances.set(customerId, entry),
    client: {
      fingerprint: async () => "a service",
      async send(endpoint, input = {}, { idempotencyKey = "" } = {}) {
        if (endpoint === endpoints.walletBalance)
          return balance(String(input.query?.customer_id)).then((found) => ({ ...telling(), ...found }));
        if (endpoint === endpoints.agentList) {
          if (service.agents === undefined) throw status(404);
          const { page = 1, limit } = input.query ?? {};
          const agents = await service.agents(Number(page));
          return answer(Array.isArray(agents) ? { agents, limit } : agents);
        }
        if (endpoint === endpoints.customerSubscription) return answer(await service.onSubscription());
        if (endpoint === usageBatch) {
          const { reports: batched } = input.body as { reports: readonly SentReport[] };
          return post(batched, batch(batched));
        }
        const report = { key: idempotencyKey, ...(input.body as Omit<SentReport, "key">) };
        return post([report], usage(report));
      },
    },
  };
  return service;
}

/** A 200 with this body; with a key if the service echoes it. */
export function answer(body: unknown, idempotencyKey?: string): Answer {
  return { status: 200, body, idempotencyKey };
}

/** The client's error for this status. */
export function status(code: number, details: CreditgateErrorDetails = {}): CreditgateError {
  return new CreditgateError("http", `answered ${code}`, { ...details, status: code });
}

export function hangs(): Promise<never> {
  return new Promise(() => {});
}

/** A promise, and the means to settle it. */
export function pending<T>(): {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
} {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve: (value) => resolve(value), reject: (error) => reject(error) };
}

/** A gate on a fake service under a clock that stands still, and everything that it has told. */
export interface Scene {
  readonly gate: Gate;
  readonly service: FakeService;
  readonly clock: ManualClock;
  /** Timers that are set and neither rung nor cancelled. */
  readonly timers: () => number;
  readonly emitted: <Name extends keyof GateEventMap>(name: Name) => readonly GateEventMap[Name][];
  /** Asks for alice, chat, message. */
  authorize(hold: number, customerId?: string): ReturnType<Gate["authorize"]>;
  /** The charge of an admission that must succeed. */
  admit(hold: number, customerId?: string): Promise<Admitted>;
}

export type Admitted = Extract<Awaited<ReturnType<Gate["authorize"]>>, { allowed: true }>["charge"];

/** Any options together, also such as exclude each other: tests try what the types forbid. */
export type SceneOptions = { readonly [Name in keyof GateOptions]?: GateOptions[Name] | undefined };

export function createScene(options: SceneOptions = {}): Scene {
  const service = createFakeService();
  const clock = createManualClock();
  let timers = 0;
  const countingClock = {
    resolutionMs: clock.resolutionMs,
    now: clock.now,
    schedule(delayMs: number, run: () => void) {
      timers++;
      let over = false;
      const end = () => {
        if (!over) timers--;
        over = true;
      };
      const cancel = clock.schedule(delayMs, () => {
        end();
        run();
      });
      return () => {
        end();
        cancel();
      };
    },
  };
  const gate = createGate({
    client: service.client,
    currency: "ai_credits",
    wallet: "prepaid",
    registry: createRegistry(),
    clock: countingClock,
    random: () => 0.5,
    lagWatch: false,
    ...options,
  } as GateOptions);
  const events: { name: keyof GateEventMap; event: unknown }[] = [];
  for (const name of [
    "decision",
    "settled",
    "late",
    "duplicate",
    "delivered",
    "parked",
    "dead",
    "resolved",
    "undelivered",
    "orphan",
    "degraded",
    "lag",
  ] as const) {
    gate.on(name, (event) => events.push({ name, event }));
  }
  const authorize = (hold: number, customerId = "alice") =>
    gate.authorize({ customerId, agentId: "chat", indicator: "message", hold });
  return {
    gate,
    service,
    clock,
    timers: () => timers,
    emitted: <Name extends keyof GateEventMap>(name: Name) =>
      events.filter((one) => one.name === name).map(({ event }) => event as GateEventMap[Name]),
    authorize,
    async admit(hold, customerId) {
      const decision = await authorize(hold, customerId);
      if (!decision.allowed) throw new Error(`denied: ${decision.denial.code}`);
      return decision.charge;
    },
  };
}

/** A scene whose alice has so many prepaid credits. */
export function createPrepaidScene(credits: number, options: SceneOptions = {}): Scene {
  const scene = createScene(options);
  scene.service.fund("alice", { ai_credits: wallet({ available: credits }) });
  return scene;
}

/** The denial's code, or "allowed". */
export function outcome(decision: Awaited<ReturnType<Gate["authorize"]>>): string {
  return decision.allowed ? "allowed" : decision.denial.code;
}
