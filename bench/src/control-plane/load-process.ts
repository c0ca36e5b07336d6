import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { task, tell } from "./child.ts";
import { apiKey, customers, reportOf } from "./fixture.ts";

export interface LoadTask {
  readonly url: string;
  readonly path: string;
  readonly connections: number;
  readonly durationMs: number;
}

export interface LoadAnswer {
  /** Requests that were answered with 202. */
  readonly accepted: number;
  /** Requests that were answered otherwise. */
  readonly refused: number;
  readonly elapsedMs: number;
}

/**
 * Posts one report after the other on each connection, and reads just as much of HTTP as it must: what the load costs,
 * the server does not get.
 */
const { url, path, connections, durationMs } = await task<LoadTask>();
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
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => {
      received += chunk;
      const head = received.indexOf("\r\n\r\n");
      if (head < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? Number.NaN);
      if (Number.isNaN(length)) return reject(new Error(`an answer without a length: ${received}`));
      if (received.length < head + 4 + length) return;
      if (received.startsWith("HTTP/1.1 202")) accepted += 1;
      else refused += 1;
      received = "";
      next();
    });
    socket.once("connect", next);
    socket.once("error", reject);
  });
}

function nextRequest(): string {
  const body = bodies[sent++ % bodies.length] ?? "";
  return `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nservice-api-key: ${apiKey}\r\nidempotency-key: ${randomUUID()}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}
