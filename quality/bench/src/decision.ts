import process from "node:process";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type AuthorizeRequest,
  type Charge,
  createGate,
  createRegistry,
  type Decision,
  type Gate,
} from "@creditgate/core";
import { LRUCache } from "lru-cache";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { createBatchClient, plenty } from "./batch-client.ts";
import { type Contender, compare, medianOf } from "./comparison.ts";
import { collectGarbage } from "./garbage.ts";
import { createInstantClient, prepaid, type Service } from "./instant-client.ts";
import { printTable } from "./table.ts";

/** How many times what the rate limiter's `consume` costs each may cost. */
const targets = { pair: 2, singly: 4, denial: 10 };
/** What three budgets may add, in µs of CPU. */
const budgetTargets = { decision: 1.2, life: 9 };

/** Enough that every operation meets another customer than the one before, few enough to be in the cache. */
const customers: readonly string[] = Array.from({ length: 1_000 }, (_, index) => `customer-${index}`);
const usage = { provider: "openai", model: "gpt-5", inputTokens: 12, outputTokens: 40 };
/** This many operations come in one turn of the event loop, and this many denials share a balance request. */
const atOnce = 100;

const yardstick = "rate-limiter-flexible: consume";
const pair = "creditgate: authorize, report, settle, delivered";
const singly = "creditgate: authorize, report, settle, delivered one by one";
const decision = "creditgate: authorize, release";
const denial = "creditgate: authorize, denied by shared news";
const withBudgets = ", three budgets";
const budgets: readonly string[] = ["member:bob", "project:search", "team:research"];

/** What the gate adds to a request whose balance is cached, beside what a user would put there instead. */
export async function benchmarkDecision(): Promise<void> {
  const effort = { rounds: 7, operations: 100_000 };
  const contenders = [
    cacheLookup("lru-cache: get"),
    rateLimit(yardstick),
    settledWork(pair),
    settledWork(singly, undefined, createInstantClient(prepaid(plenty))),
    releasedWork(decision),
    deniedWork(denial),
    releasedWork(decision + withBudgets, budgets),
    settledWork(pair + withBudgets, budgets),
  ];
  const timings = await compare(contenders, effort);
  const bytes = new Map<string, number>();
  for (const contender of contenders) bytes.set(contender.name, await allocatedBy(contender));
  const timeOf = (wanted: string) => timings.find(({ name }) => name === wanted)?.median ?? Number.NaN;
  const consume = timeOf(yardstick);
  printTable(
    ["per operation", "ns, median", "x consume", "CPU ns", "bytes allocated"],
    timings.map(({ name, median, cpu }) => [
      name,
      median.toFixed(0),
      (median / consume).toFixed(2),
      cpu.toFixed(0),
      (bytes.get(name) ?? Number.NaN).toFixed(0),
    ]),
  );
  console.log(
    `\nMedians of ${effort.rounds} rounds of ${effort.operations}, in turns, over ${customers.length} customers. ` +
      `The service answers in the next turn of the event loop; ${atOnce} operations come in one.`,
  );
  verdict("A request", timeOf(pair) / consume, targets.pair);
  verdict("One whose report is posted alone", timeOf(singly) / consume, targets.singly);
  verdict("A denial", timeOf(denial) / consume, targets.denial);
  const cpuOf = (wanted: string) => timings.find(({ name }) => name === wanted)?.cpu ?? Number.NaN;
  const added = (name: string) => (cpuOf(name + withBudgets) - cpuOf(name)) / 1_000;
  console.log(
    `Three budgets add ${added(decision).toFixed(2)} µs of CPU to a decision (target ${budgetTargets.decision}), ` +
      `and ${added(pair).toFixed(2)} µs to a whole life with its delivery (target ${budgetTargets.life}).`,
  );
}

function verdict(what: string, ratio: number, target: number): void {
  const judged = ratio <= target ? "within" : "beyond";
  console.log(`${what} costs ${ratio.toFixed(2)} times consume: ${judged} the target of ${target}.`);
}

/** Few enough operations that the collector does not run among them. */
async function allocatedBy(contender: Contender): Promise<number> {
  const operations = 2_000;
  const samples: number[] = [];
  for (let round = 0; round < 9; round++) {
    const run = await contender.prepare(operations);
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    await run();
    samples.push((process.memoryUsage().heapUsed - before) / operations);
  }
  return medianOf(samples);
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
        for (let index = 0; index < operations; index++) {
          await limiter.consume(customerOf(index));
          if (index % atOnce === 0) await nextTurn();
        }
      };
    },
  };
}

function settledWork(name: string, budgets?: readonly string[], client?: Service): Contender {
  return {
    name,
    async prepare(operations) {
      const gate = await warmGate(budgets, client);
      return async () => {
        for (let index = 0; index < operations; index++) {
          const charge = chargeOf(await gate.authorize(workOf(customerOf(index), 1, budgets)));
          charge.report(usage);
          await charge.settle();
          if (index % atOnce === 0) await nextTurn();
        }
        const { queued } = await gate.flush();
        if (queued > 0) throw new Error(`${queued} reports were not delivered`);
      };
    },
  };
}

function releasedWork(name: string, budgets?: readonly string[]): Contender {
  return {
    name,
    async prepare(operations) {
      const gate = await warmGate(budgets);
      return async () => {
        for (let index = 0; index < operations; index++) {
          chargeOf(await gate.authorize(workOf(customerOf(index), 1, budgets))).release();
        }
      };
    },
  };
}

function deniedWork(name: string): Contender {
  return {
    name,
    async prepare(operations) {
      const gate = await warmGate();
      return async () => {
        for (let index = 0; index < operations; index += atOnce) {
          const requests = Array.from({ length: atOnce }, () =>
            gate.authorize(workOf(customerOf(index), 2 * plenty)),
          );
          for (const { allowed } of await Promise.all(requests)) {
            if (allowed) throw new Error("a hold beyond the balance was admitted");
          }
        }
      };
    },
  };
}

function chargeOf(decision: Decision): Charge {
  if (!decision.allowed) throw new Error(decision.denial.code);
  return decision.charge;
}

/** Written out, as an adapter does: objects made with spread are slow to read, and that would be timed as the gate's doing. */
function workOf(customerId: string, hold = 1, budgets?: readonly string[]): AuthorizeRequest {
  return budgets === undefined
    ? { customerId, agentId: "chat", indicator: "message", hold }
    : { customerId, agentId: "chat", indicator: "message", hold, budgets };
}

/** A gate that has just read the balance and the budgets of every customer. */
async function warmGate(budgets?: readonly string[], client: Service = createBatchClient()): Promise<Gate> {
  const gate = createGate({
    client,
    currency: "ai_credits",
    wallet: "prepaid",
    registry: createRegistry(),
    minRefreshMs: 0,
    // The API of OpenTelemetry is installed here for the tests; most applications have none.
    openTelemetry: false,
  });
  for (const customerId of customers)
    chargeOf(await gate.authorize(workOf(customerId, 1, budgets))).release();
  return gate;
}

function customerOf(index: number): string {
  return customers[index % customers.length] ?? "";
}
