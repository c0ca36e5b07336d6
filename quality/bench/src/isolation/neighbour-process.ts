import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { task, tell } from "../control-plane/child.ts";
import { reportOf } from "../control-plane/fixture.ts";
import { neighbourKey as apiKey } from "./neighbour.ts";
import { createSocketClient } from "./socket-client.ts";

export interface NeighbourTask {
  readonly url: string;
  readonly durationMs: number;
}

export interface NeighbourAnswer {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Requests that were answered with an error, or not at all. */
  readonly failed: number;
}

const connections = 16;
/** Between two requests of a connection: 16 connections make 320 requests a second. */
const pauseMs = 50;

async function measure({ url, durationMs }: NeighbourTask): Promise<NeighbourAnswer> {
  const { host } = new URL(url);
  const end = performance.now() + durationMs;
  const times: number[] = [];
  let failed = 0;
  await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      const client = createSocketClient(url);
      for (let sent = index; performance.now() < end; sent++) {
        await setTimeout(pauseMs * (0.5 + Math.random()));
        const start = performance.now();
        const status = await client.send(sent % 2 === 0 ? usage(host, sent) : balance(host, sent));
        times.push(performance.now() - start);
        if (status !== 200 && status !== 202) failed += 1;
      }
      client.close();
    }),
  );
  times.sort((a, b) => a - b);
  const quantile = (part: number) => times[Math.floor(part * (times.length - 1))] ?? Number.NaN;
  return { p50Ms: quantile(0.5), p99Ms: quantile(0.99), failed };
}

function usage(host: string, sent: number): string {
  const body = reportOf(`customer-${sent % 1_000}`);
  return `POST /api/v2/usage HTTP/1.1\r\nhost: ${host}\r\nservice-api-key: ${apiKey}\r\nidempotency-key: ${randomUUID()}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

function balance(host: string, sent: number): string {
  return `GET /api/v1/wallet/balance?customer_id=customer-${sent % 1_000} HTTP/1.1\r\nhost: ${host}\r\nservice-api-key: ${apiKey}\r\n\r\n`;
}

tell(await measure(await task<NeighbourTask>()));
process.disconnect();
