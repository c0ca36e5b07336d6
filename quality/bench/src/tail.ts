import { setTimeout as delay } from "node:timers/promises";
import { CreditgateError } from "@creditgate/client";
import { createGate, createRegistry, type Gate } from "@creditgate/core";
import { createLeasedLedger } from "@creditgate/fleet";
import { createBatchClient } from "./batch-client.ts";
import { startRedisServer } from "./fleet/redis-server.ts";
import { connect, type StoreConnection } from "./fleet/store-connection.ts";
import { redisStores, startPostgresStores } from "./fleet/store-server.ts";
import type { Service } from "./instant-client.ts";
import { printTable } from "./table.ts";

const connections = 32;
/** What the application does between authorize and settle. */
const workMs = 5;
const latencyMs = 20;
/** Of the p99. */
const targetMs = 1;

/** The billing service in turn: it answers late, not at all, and again. */
export const phases = ["takes 20 ms", "hangs", "returns"] as const;
export type Phase = (typeof phases)[number];

/** How long each call took, in milliseconds. */
export interface Times {
  readonly authorize: number[];
  readonly settle: number[];
}

/** How long a request waits in `authorize()` and `settle()` if its balance is cached, whatever the billing service does. */
export async function benchmarkTail(): Promise<void> {
  const rows: string[][] = [];
  const add = async (ledger: string, connection?: StoreConnection) => {
    for (const [phase, times] of await measureTail(3_000, connection)) {
      rows.push([ledger, phase, ...[times.authorize, times.settle].flatMap(percentiles)]);
    }
  };
  await add("memory");
  for (const start of [async () => redisStores(await startRedisServer()), startPostgresStores]) {
    const server = await start();
    const connection = connect(await server.open("tail"));
    try {
      await add(server.kind, connection);
    } finally {
      await connection.close();
      await server.stop();
    }
  }
  const header = ["ms", "p50", "p99", "most"];
  printTable(
    [
      "ledger",
      "billing",
      ...header.map((one) => `authorize ${one}`).slice(1),
      ...header.map((one) => `settle ${one}`).slice(1),
    ],
    rows,
  );
  const p99 = Math.max(...rows.flatMap((row) => [Number(row[3]), Number(row[6])]));
  console.log(
    `\nMilliseconds; ${connections} connections with ${workMs} ms of work, 3 s for each row. The worst p99 is ${p99} ms: ` +
      `${p99 <= targetMs ? "within" : "beyond"} the target of ${targetMs}.`,
  );
}

function percentiles(times: readonly number[]): string[] {
  const sorted = [...times].sort((one, other) => one - other);
  return [0.5, 0.99, 1].map((part) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN).toFixed(3),
  );
}

/** Serves all connections for so long in each phase. */
export async function measureTail(
  phaseMs: number,
  connection?: StoreConnection,
): Promise<ReadonlyMap<Phase, Times>> {
  const service = new MoodyService();
  const ledger = connection && createLeasedLedger(connection.store);
  const gate = createGate({
    client: service,
    currency: "ai_credits",
    wallet: "prepaid",
    registry: createRegistry(),
    openTelemetry: false,
    logger: false,
    ...(ledger !== undefined && { ledger }),
  });
  const measured = new Map<Phase, Times>();
  try {
    // The balances are read, and what was leased is there.
    await serveAll(gate, 200);
    for (const phase of phases) {
      service.turn(phase);
      measured.set(phase, await serveAll(gate, phaseMs));
    }
  } finally {
    service.turn("returns");
    await gate.close();
    await ledger?.close();
  }
  return measured;
}

async function serveAll(gate: Gate, forMs: number): Promise<Times> {
  const times: Times = { authorize: [], settle: [] };
  const end = performance.now() + forMs;
  const serve = async (customerId: string): Promise<void> => {
    while (performance.now() < end) {
      const began = performance.now();
      const decision = await gate.authorize({ customerId, agentId: "chat", indicator: "message", hold: 1 });
      times.authorize.push(performance.now() - began);
      if (!decision.allowed) throw new Error(`${customerId}: ${decision.denial.code}`);
      await delay(workMs);
      decision.charge.report({ provider: "openai", model: "gpt-5", inputTokens: 12, outputTokens: 40 });
      const ended = performance.now();
      await decision.charge.settle();
      times.settle.push(performance.now() - ended);
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => serve(`customer-${index}`)));
  return times;
}

/** Takes 20 ms, or hangs until it returns; then what hung has failed. */
class MoodyService implements Service {
  readonly #service = createBatchClient();
  readonly fingerprint: Service["fingerprint"] = this.#service.fingerprint;
  #returned: Promise<void> | undefined;
  #return = () => {};

  turn(phase: Phase): void {
    this.#return();
    this.#returned = undefined;
    if (phase === "hangs") {
      this.#returned = new Promise((resolve) => {
        this.#return = resolve;
      });
    }
  }

  send: Service["send"] = async (...call) => {
    await delay(latencyMs);
    if (this.#returned === undefined) return this.#service.send(...call);
    await this.#returned;
    throw new CreditgateError("timeout", "the service has not answered");
  };
}
