import { readFileSync } from "node:fs";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { getHeapSpaceStatistics } from "node:v8";
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
  /** The part of what is kept that V8 has ready for young objects. */
  readonly young: number;
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
const start = residentBytes();
let highest = start;
const startedAt = performance.now();
for (let elapsed = 0; elapsed < seconds * 1_000; elapsed = performance.now() - startedAt) {
  const due = Math.floor((elapsed / 1_000) * perSecond) - (served - measuredFrom);
  await Promise.all(Array.from({ length: due }, serve));
  highest = Math.max(highest, residentBytes());
  await wait(everyMs);
}
await settleDown();
const kept = residentBytes();
const { heapUsed } = process.memoryUsage();
tell({
  served: served - measuredFrom,
  rss: { start, highest, kept },
  young: youngBytes(),
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

/** What V8 keeps ready for young objects, in bytes: up to 48 MiB, more or less by its own choice. */
function youngBytes(): number {
  return (
    getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.physical_space_size ?? 0
  );
}

/** Resident memory, in bytes; on Linux without the pages of files, which come and go with what else the machine does. */
function residentBytes(): number {
  try {
    const [, kilobytes] = /^RssAnon:\s*(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    if (kilobytes !== undefined) return Number(kilobytes) * 1_024;
  } catch {
    // No such file: not Linux.
  }
  return process.memoryUsage.rss();
}
