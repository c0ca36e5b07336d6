import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { task, tell } from "./child.ts";
import { apiKey, customers, reportOf } from "./fixture.ts";

export interface LoadTask {
  readonly url: string;
  readonly path: string;
  readonly connections: number;
  readonly durationMs: number;
  /** How many reports a request carries; without it each request is a report. */
  readonly batchSize?: number;
}

export interface LoadAnswer {
  /** Reports that were answered with 202. */
  readonly accepted: number;
  /** Reports that were answered otherwise. */
  readonly refused: number;
  readonly elapsedMs: number;
}

/**
 * Posts one request after the other on each connection, and reads just as much of HTTP as it must: what the load costs,
 * the server does not get.
 */
const { url, path, connections, durationMs, batchSize } = await task<LoadTask>();
const { hostname, port, host } = new URL(url);
const bodies = customers.map(reportOf);
const start = performance.now();
const end = start + durationMs;
let sent = 0;
let accepted = 0;
let refused = 0;

await Promise.all(Array.from({ length: connections }, load));
tell({ accepted, refused, elapsedMs: performance.now() - start } satisfies LoadAnswer);
process.disconnect();

function load(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const next = (): void => {
      if (performance.now() >= end) {
        socket.end();
        resolve();
      } else socket.write(nextRequest());
    };
    let received = "";
    let expected = 0;
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => {
      received += chunk;
      if (expected === 0) {
        const head = received.indexOf("\r\n\r\n");
        if (head < 0) return;
        const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? Number.NaN);
        if (Number.isNaN(length)) return reject(new Error(`an answer without a length: ${received}`));
        expected = head + 4 + length;
      }
      if (received.length < expected) return;
      const taken = countTaken(received);
      accepted += taken;
      refused += (batchSize ?? 1) - taken;
      received = "";
      expected = 0;
      next();
    });
    socket.once("connect", next);
    socket.once("error", reject);
  });
}

function countTaken(answer: string): number {
  if (batchSize === undefined) return answer.startsWith("HTTP/1.1 202") ? 1 : 0;
  return answer.split('"status":202').length - 1;
}

function nextRequest(): string {
  if (batchSize === undefined) return requestOf(nextReport(), `idempotency-key: ${randomUUID()}\r\n`);
  const reports = Array.from(
    { length: batchSize },
    () => `{"key":"${randomUUID()}",${nextReport().slice(1)}`,
  );
  return requestOf(`{"reports":[${reports.join()}]}`, "");
}

function nextReport(): string {
  return bodies[sent++ % bodies.length] ?? "";
}

function requestOf(body: string, key: string): string {
  return `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nservice-api-key: ${apiKey}\r\n${key}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}
