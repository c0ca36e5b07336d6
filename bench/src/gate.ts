import {
  type AuthorizeRequest,
  createGate,
  createMemoryOutbox,
  createRegistry,
  type Gate,
  type Outbox,
} from "@creditgate/core";
import { LRUCache } from "lru-cache";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { type Contender, compare } from "./comparison.ts";
import { createInstantClient, prepaid } from "./instant-client.ts";
import { printTable } from "./table.ts";

/** The pair should cost at most this many times what the rate limiter's `consume` does. */
const target = 3;

/** Enough that every operation meets another customer than the one before, few enough to be in the cache. */
const customers: readonly string[] = Array.from({ length: 1_000 }, (_, index) => `customer-${index}`);
const plenty = 1e9;
const usage = { provider: "openai", model: "gpt-5", inputTokens: 12, outputTokens: 40 };

const yardstick = "rate-limiter-flexible: consume";
const pair = "creditgate: authorize, report, settle";

/** What the gate adds to a request whose balance is cached, beside what a user would put there instead. */
export async function benchmarkGate(): Promise<void> {
  const effort = { rounds: 5, operations: 100_000 };
  const timings = await compare(
    [
      cacheLookup("lru-cache: get"),
      rateLimit(yardstick),
      settledWork(pair, discardingOutbox),
      settledWork(`${pair}, delivered`, createMemoryOutbox),
      releasedWork("creditgate: authorize, release"),
      deniedWork("creditgate: authorize, denied"),
    ],
    effort,
  );
  const medianOf = (wanted: string) => timings.find(({ name }) => name === wanted)?.median ?? Number.NaN;
  const consume = medianOf(yardstick);
  printTable(
    ["ns per operation", "median", "fastest", "x consume"],
    timings.map(({ name, median, fastest }) => [
      name,
      median.toFixed(0),
      fastest.toFixed(0),
      (median / consume).toFixed(2),
    ]),
  );
  const ratio = medianOf(pair) / consume;
  console.log(
    `\nMedians of ${effort.rounds} rounds of ${effort.operations}, in turns, over ${customers.length} customers. ` +
      "A denial reads the balance anew.",
  );
  console.log(
    `The pair costs ${ratio.toFixed(2)} times consume: ${ratio <= target ? "within" : "beyond"} the target of ${target}.`,
  );
}

function cacheLookup(name: string): Contender {
  return {
    name,
    async prepare(operations) {
      const cache = new LRUCache<string, object>({ max: 10_000 });
      for (const customerId of customers) cache.set(customerId, {});
      return async () => {
        for (let index = 0; index < operations; index++) cache.get(customerOf(index));
      };
    },
  };
}

function rateLimit(name: string): Contender {
  return {
    name,
    async prepare(operations) {
      const limiter = new RateLimiterMemory({ points: plenty, duration: 60 });
      for (const customerId of customers) await limiter.consume(customerId);
      return async () => {
        for (let index = 0; index < operations; index++) await limiter.consume(customerOf(index));
      };
    },
  };
}

function settledWork(name: string, createOutbox: () => Outbox): Contender {
  return {
    name,
    async prepare(operations) {
      const gate = await warmGate({ outbox: createOutbox() });
      return async () => {
        for (let index = 0; index < operations; index++) {
          const decision = await gate.authorize(workOf(customerOf(index)));
          if (!decision.allowed) throw new Error(decision.denial.code);
          decision.charge.report(usage);
          await decision.charge.settle();
        }
      };
    },
  };
}

function releasedWork(name: string): Contender {
  return {
    name,
    async prepare(operations) {
      const gate = await warmGate({});
      return async () => {
        for (let index = 0; index < operations; index++) {
          const decision = await gate.authorize(workOf(customerOf(index)));
          if (!decision.allowed) throw new Error(decision.denial.code);
          decision.charge.release();
        }
      };
    },
  };
}

function deniedWork(name: string): Contender {
  return {
    name,
    async prepare(operations) {
      const gate = await warmGate({ minRefreshMs: 0 });
      return async () => {
        for (let index = 0; index < operations; index++) {
          const decision = await gate.authorize(workOf(customerOf(index), 2 * plenty));
          if (decision.allowed) throw new Error("a hold beyond the balance was admitted");
        }
      };
    },
  };
}

/** Written out, as an adapter does: objects made with spread are slow to read, and that would be timed as the gate's doing. */
function workOf(customerId: string, hold = 1): AuthorizeRequest {
  return { customerId, agentId: "chat", indicator: "message", hold };
}

/** A gate that has just read the balance of every customer. */
async function warmGate(options: { outbox?: Outbox; minRefreshMs?: number }): Promise<Gate> {
  const client = createInstantClient(prepaid(plenty));
  const registry = createRegistry();
  // The API of OpenTelemetry is installed here for the tests; most applications have none.
  const common = {
    client,
    currency: "ai_credits",
    wallet: "prepaid",
    registry,
    openTelemetry: false,
  } as const;
  const gate = createGate({ ...common, ...options });
  for (const customerId of customers) {
    const decision = await gate.authorize(workOf(customerId));
    if (decision.allowed) decision.charge.release();
  }
  return gate;
}

function customerOf(index: number): string {
  return customers[index % customers.length] ?? "";
}

/** Costs nothing and keeps nothing, so that what is timed is the gate. */
function discardingOutbox(): Outbox {
  return {
    full: false,
    append: () => {},
    release: () => {},
    next: () => [],
    delivered: () => {},
    requeue: () => {},
    park: () => {},
    bury: () => {},
    unpark: () => {},
    status: async () => ({ queued: 0, parked: 0, dead: 0 }),
  };
}
