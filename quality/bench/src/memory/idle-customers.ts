import { createGate, createRegistry, type Gate } from "@creditgate/core";
import { LRUCache } from "lru-cache";
import { createBatchClient } from "../batch-client.ts";
import { createInstantClient, prepaid, type Service } from "../instant-client.ts";
import { printTable } from "../table.ts";
import { heapParts } from "./heap-parts.ts";

/** What a customer may take whose balance is known, and for whom nothing is held or recorded. */
const target = 400;
/** Enough that what is not of a customer (code, tables of V8) does not show. */
const customers = 50_000;
/** Parts that take less are none of a customer: code, and what V8 counts itself. */
const least = 4;
/** They make what is made once: code, shapes, the lag watch's hundred. */
const warmUps = 1_000;

/** Bytes on the heap, for each customer, by the name of the class; `number`s are those that are no small integers. */
type CustomerParts = ReadonlyMap<string, number>;

interface State {
  readonly name: string;
  readonly service: Service;
  readonly works: boolean;
}

const states: readonly State[] = [
  { name: "let in, nothing used", service: createInstantClient(prepaid(100)), works: false },
  { name: "the same, 1e9 credits, a service that tells", service: createBatchClient(), works: false },
  { name: "usage acknowledged since", service: createInstantClient(prepaid(100)), works: true },
];

/** The heap that a customer takes whom the gate remembers and who does nothing, part by part. Throws if it is too much. */
export async function measureIdleCustomers(): Promise<void> {
  const measured: { readonly name: string; readonly parts: CustomerParts }[] = [];
  for (const { name, service, works } of states)
    measured.push({ name, parts: await idleCustomer(service, works, customers) });
  const names = [...new Set(measured.flatMap(({ parts }) => [...parts.keys()]))];
  printTable(
    ["bytes for each idle customer", "in all", ...names],
    measured.map(({ name, parts }) => [
      name,
      bytesOf(parts).toFixed(0),
      ...names.map((part) => (parts.get(part) ?? 0).toFixed(0)),
    ]),
  );
  const [first] = measured;
  const bytes = first === undefined ? Number.NaN : bytesOf(first.parts);
  const verdict = `an idle customer takes ${bytes.toFixed(0)} bytes (target: at most ${target})`;
  if (!(bytes <= target)) throw new Error(`Customers are too large: ${verdict}.`);
  console.log(
    `\nCustomers are small: ${verdict}. Of ${customers}, by heap snapshot, their ids of 15 letters and their slots in lru-cache included.`,
  );
}

/** What each of `count` customers adds to the heap. */
async function idleCustomer(service: Service, works: boolean, count: number): Promise<CustomerParts> {
  const gate = createGate({
    client: service,
    currency: "ai_credits",
    wallet: "prepaid",
    registry: createRegistry(),
    maxCustomers: count + warmUps,
    openTelemetry: false,
    logger: false,
  });
  await serve(gate, works, 0, warmUps);
  const before = await heapParts();
  await serve(gate, works, warmUps, count);
  const after = await heapParts();
  await gate.close({ graceMs: 0 });
  const grown = [...after].map(([part, bytes]) => [part, (bytes - (before.get(part) ?? 0)) / count] as const);
  const parts = grown.filter(([part, bytes]) => part !== "code" && bytes >= least);
  return new Map([...parts, ["lru-cache", await cacheSlot(count)] as const].sort(([, a], [, b]) => b - a));
}

/** What lru-cache takes for each customer when it is made; its Map grows with the customers, and is an `array`. */
async function cacheSlot(count: number): Promise<number> {
  const before = await heapBytes();
  const cache = new LRUCache<string, object>({ max: count });
  const after = await heapBytes();
  cache.set("kept until here", {});
  return (after - before) / count;
}

async function heapBytes(): Promise<number> {
  return bytesOf(new Map([...(await heapParts())].filter(([part]) => part === "array" || part === "native")));
}

function bytesOf(parts: CustomerParts): number {
  return [...parts.values()].reduce((sum, bytes) => sum + bytes, 0);
}

async function serve(gate: Gate, works: boolean, from: number, count: number): Promise<void> {
  for (let index = from; index < from + count; index++) {
    const customerId = `customer-${100_000 + index}`;
    const decision = await gate.authorize({ customerId, agentId: "chat", indicator: "message", hold: 1 });
    if (!decision.allowed) throw new Error(decision.denial.code);
    if (works) decision.charge.report({ model: "gpt-5", inputTokens: 12, outputTokens: 40 });
    await decision.charge.settle();
  }
  await gate.flush();
}
