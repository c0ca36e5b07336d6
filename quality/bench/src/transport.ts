import { randomUUID } from "node:crypto";
import { createTransport, endpoints, type Transport } from "@creditgate/client";
import { Pool } from "undici";
import { type Contender, compare } from "./comparison.ts";
import { startChild } from "./control-plane/child.ts";
import { printTable } from "./table.ts";

/** Reports that are on their way at once. */
const concurrency = 32;

const apiKey = "cg_test_bench";
const report = {
  agentId: "chat",
  customerId: "customer-1",
  indicator: "message",
  rawUsage: { provider: "openai", model: "gpt-5", inputTokens: 12, outputTokens: 40 },
};

const yardstick = "undici: request";

/** What it costs a process to send a usage report, to a service in another process that answers at once. */
export async function benchmarkTransport(): Promise<void> {
  const service = startChild<object, { url: string }>("../ladder/process.js", {});
  const effort = { rounds: 9, operations: 10_000 };
  try {
    const { url } = await service.answer();
    const pool = new Pool(url, { connections: 256 });
    const timings = await compare(
      [
        sending(yardstick, () => requestByUndici(pool)),
        sending("fetch", () => requestByFetch(url)),
        sendingBy("client, on Node", createTransport({ baseUrl: url, apiKey })),
        sendingBy("client, with fetch", createTransport({ baseUrl: url, apiKey, fetch: globalThis.fetch })),
      ],
      effort,
    );
    await pool.close();
    const bare = timings.find(({ name }) => name === yardstick);
    printTable(
      ["us per report", "median", "x undici", "CPU", "x undici"],
      timings.map(({ name, median, cpu }) => [
        name,
        (median / 1e3).toFixed(1),
        (median / (bare?.median ?? Number.NaN)).toFixed(2),
        (cpu / 1e3).toFixed(1),
        (cpu / (bare?.cpu ?? Number.NaN)).toFixed(2),
      ]),
    );
    console.log(
      `\nMedians of ${effort.rounds} rounds of ${effort.operations} reports each, in turns, ${concurrency} at once. The CPU is that of the process that sends.`,
    );
  } finally {
    await service.stop();
  }
}

function sending(name: string, send: () => Promise<void>): Contender {
  return {
    name,
    async prepare(operations) {
      let left = operations;
      const sendAll = async (): Promise<void> => {
        while (left-- > 0) await send();
      };
      return async () => {
        await Promise.all(Array.from({ length: concurrency }, sendAll));
      };
    },
  };
}

function sendingBy(name: string, transport: Transport): Contender {
  return sending(name, async () => {
    const { status } = await transport.send(endpoints.usageReport, { body: report }, { retries: 0 });
    if (status !== 201) throw new Error(`answered ${status}`);
  });
}

function requestOf(): { method: "POST"; headers: Record<string, string>; body: string } {
  const headers = {
    "content-type": "application/json",
    "service-api-key": apiKey,
    "idempotency-key": randomUUID(),
  };
  return { method: "POST", headers, body: JSON.stringify(report) };
}

async function requestByUndici(pool: Pool): Promise<void> {
  const { statusCode, body } = await pool.request({ path: "/api/v2/usage", ...requestOf() });
  await body.json();
  if (statusCode !== 201) throw new Error(`answered ${statusCode}`);
}

async function requestByFetch(url: string): Promise<void> {
  const response = await fetch(`${url}/api/v2/usage`, requestOf());
  await response.json();
  if (response.status !== 201) throw new Error(`answered ${response.status}`);
}
