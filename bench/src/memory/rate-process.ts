import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { createGate, createRegistry } from "@creditgate/core";
import { createBatchClient } from "../batch-client.ts";
import { task, tell } from "../control-plane/child.ts";
import { collectGarbage } from "../garbage.ts";

/** How many requests, and how long. */
export interface RateTask {
  readonly perSecond: number;
  readonly seconds: number;
}

/** Bytes. */
export interface RateAnswer {
  readonly served: number;
  readonly rss: { readonly start: number; readonly highest: number; readonly kept: number };
  readonly heap: { readonly kept: number };
}

const customers = 1_000;
/** Requests come in bursts this far apart. */
const everyMs = 10;

const { perSecond, seconds } = await task<RateTask>();
const gate = createGate({
  client: createBatchClient(),
  currency: "ai_credits",
  wallet: "prepaid",
  registry: createRegistry(),
  openTelemetry: false,
  logger: false,
});
let served = 0;
// So that both have all customers in memory at the start.
while (served < customers) await serve();
const measuredFrom = served;
await settleDown();
const start = process.memoryUsage.rss();
let highest = start;
const startedAt = performance.now();
for (let elapsed = 0; elapsed < seconds * 1_000; elapsed = performance.now() - startedAt) {
  const due = Math.floor((elapsed / 1_000) * perSecond) - (served - measuredFrom);
  await Promise.all(Array.from({ length: due }, serve));
  highest = Math.max(highest, process.memoryUsage.rss());
  await wait(everyMs);
}
await settleDown();
const { rss: kept, heapUsed } = process.memoryUsage();
tell({
  served: served - measuredFrom,
  rss: { start, highest, kept },
  heap: { kept: heapUsed },
} satisfies RateAnswer);

async function serve(): Promise<void> {
  const customerId = `customer-${served++ % customers}`;
  const decision = await gate.authorize({ customerId, agentId: "chat", indicator: "message", hold: 1 });
  if (!decision.allowed) throw new Error(decision.denial.code);
  decision.charge.report({ provider: "openai", model: "gpt-5", inputTokens: 12, outputTokens: 40 });
  await decision.charge.settle();
}

async function settleDown(): Promise<void> {
  const { queued } = await gate.flush();
  if (queued > 0) throw new Error(`${queued} reports were not delivered`);
  collectGarbage();
  // V8 gives pages back to the system behind the collection.
  await wait(500);
}
