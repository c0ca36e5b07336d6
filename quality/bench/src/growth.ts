import { setImmediate as nextTurn } from "node:timers/promises";
import { type Charge, createGate, createRegistry, type Gate } from "@creditgate/core";
import { LRUCache } from "lru-cache";
import { createBatchClient } from "./batch-client.ts";
import { type Contender, compare } from "./comparison.ts";
import { printTable } from "./table.ts";

/** A request with many may cost this many times one with few. */
const mayGrow = 1.3;
const few = 1;
const manyCustomers = 100_000;
const manyInFlight = 10_000;
/** Requests that come in one turn of the event loop. */
const atOnce = 100;
const hour = 3_600_000;
const usage = { provider: "openai", model: "gpt-5", inputTokens: 12, outputTokens: 40 };

/** One way to serve a request, with few and with many. */
interface Growth {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly isJudged: boolean;
  prepare(size: number): Promise<(operations: number) => Promise<void>>;
}

/** What a request costs more where the gate has many customers in memory, or much work in flight. */
export async function benchmarkGrowth(): Promise<void> {
  const effort = { rounds: 7, operations: manyCustomers };
  const customers = { from: few, to: manyCustomers };
  const growths: Growth[] = [
    { name: "a Map: get", ...customers, isJudged: false, prepare: lookUpInMap },
    { name: "lru-cache: get", ...customers, isJudged: false, prepare: lookUpInCache },
    { name: "authorize, release; customers", ...customers, isJudged: true, prepare: release },
    {
      name: "authorize, report, settle, delivered; customers",
      ...customers,
      isJudged: true,
      prepare: settle,
    },
    {
      name: "authorize, report, settle, delivered; in flight",
      from: few,
      to: manyInFlight,
      isJudged: true,
      prepare: overlap,
    },
  ];
  const timings = await compare(
    growths.flatMap((growth) => [contender(growth, growth.from), contender(growth, growth.to)]),
    effort,
  );
  const medianAt = (place: number) => timings[place]?.median ?? Number.NaN;
  const rows = growths.map((growth, index) => {
    const [small, large] = [medianAt(2 * index), medianAt(2 * index + 1)];
    return { ...growth, small, large, ratio: large / small };
  });
  printTable(
    ["per operation", "with", "ns, median", "with", "ns, median", "x", "ns more"],
    rows.map(({ name, from, to, small, large, ratio }) => [
      name,
      String(from),
      small.toFixed(0),
      String(to),
      large.toFixed(0),
      ratio.toFixed(2),
      (large - small).toFixed(0),
    ]),
  );
  console.log(
    `\nMedians of ${effort.rounds} rounds of ${effort.operations}, in turns. Customers come in no order, so that each lookup misses ` +
      "the caches of the CPU: what a Map and lru-cache take more is the hardware's part.",
  );
  for (const { name, isJudged, to, ratio } of rows) {
    if (!isJudged) continue;
    const judged = ratio <= mayGrow ? "within" : "beyond";
    console.log(`${name}: ${ratio.toFixed(2)} times with ${to}, ${judged} the target of ${mayGrow}.`);
  }
}

/** What it needs is made once, so that every round finds it as the last one has left it. */
function contender({ name, prepare }: Growth, size: number): Contender {
  let prepared: ReturnType<Growth["prepare"]> | undefined;
  return {
    name,
    async prepare(operations) {
      prepared ??= prepare(size);
      const run = await prepared;
      return () => run(operations);
    },
  };
}

async function lookUpInMap(size: number): Promise<(operations: number) => Promise<void>> {
  const customers = customerIds(size);
  const map = new Map(customers.map((id) => [id, { id, used: 0 }]));
  return async (operations) => {
    for (let index = 0; index < operations; index++) {
      const customer = map.get(pick(customers, index));
      if (customer !== undefined) customer.used++;
    }
  };
}

async function lookUpInCache(size: number): Promise<(operations: number) => Promise<void>> {
  const customers = customerIds(size);
  const cache = new LRUCache<string, { used: number }>({ max: size });
  for (const id of customers) cache.set(id, { used: 0 });
  return async (operations) => {
    for (let index = 0; index < operations; index++) {
      const customer = cache.get(pick(customers, index));
      if (customer !== undefined) customer.used++;
    }
  };
}

async function release(size: number): Promise<(operations: number) => Promise<void>> {
  const customers = customerIds(size);
  const gate = await warmGate(customers);
  return async (operations) => {
    for (let index = 0; index < operations; index++) {
      (await admit(gate, pick(customers, index))).release();
      if (index % atOnce === 0) await nextTurn();
    }
  };
}

async function settle(size: number): Promise<(operations: number) => Promise<void>> {
  const customers = customerIds(size);
  const gate = await warmGate(customers);
  return async (operations) => {
    for (let index = 0; index < operations; index++) {
      const charge = await admit(gate, pick(customers, index));
      charge.report(usage);
      await charge.settle();
      if (index % atOnce === 0) await nextTurn();
    }
    await deliver(gate);
  };
}

/** Ends the oldest work whenever new work is let in, so that always as much of it is in flight. */
async function overlap(size: number): Promise<(operations: number) => Promise<void>> {
  const customers = customerIds(1_000);
  const gate = await warmGate(customers);
  const open: Charge[] = [];
  for (let index = 0; index < size; index++) open.push(await admit(gate, pick(customers, index)));
  return async (operations) => {
    for (let index = 0; index < operations; index++) {
      const place = index % size;
      const charge = open[place];
      if (charge === undefined) throw new Error("no work is in flight");
      charge.report(usage);
      await charge.settle();
      open[place] = await admit(gate, pick(customers, index));
      if (index % atOnce === 0) await nextTurn();
    }
    await deliver(gate);
  };
}

async function admit(gate: Gate, customerId: string): Promise<Charge> {
  const decision = await gate.authorize({ customerId, agentId: "chat", indicator: "message", hold: 1 });
  if (!decision.allowed) throw new Error(decision.denial.code);
  return decision.charge;
}

async function deliver(gate: Gate): Promise<void> {
  const { queued } = await gate.flush();
  if (queued > 0) throw new Error(`${queued} reports were not delivered`);
}

/** A gate that has the balance of every customer, and asks for none again: what a balance request costs is not of the request. */
async function warmGate(customers: readonly string[]): Promise<Gate> {
  const gate = createGate({
    client: createBatchClient(),
    currency: "ai_credits",
    wallet: "prepaid",
    registry: createRegistry(),
    ttlMs: hour,
    maxStaleMs: hour,
    maxCustomers: manyCustomers,
    openTelemetry: false,
  });
  for (let index = 0; index < customers.length; index += atOnce) {
    const charges = customers.slice(index, index + atOnce).map((customerId) => admit(gate, customerId));
    for (const charge of await Promise.all(charges)) charge.release();
  }
  return gate;
}

function customerIds(size: number): string[] {
  return Array.from({ length: size }, (_, index) => `customer-${index}`);
}

/** Not in the order in which they came: they would lie side by side in memory. */
function pick(customers: readonly string[], index: number): string {
  return customers[(index * 7_919) % customers.length] ?? "";
}
