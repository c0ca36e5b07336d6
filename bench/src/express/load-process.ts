import { connect } from "node:net";
import { task, tell } from "../control-plane/child.ts";

export interface LoadTask {
  readonly url: string;
  readonly connections: number;
  readonly durationMs: number;
}

export interface LoadAnswer {
  readonly answered: number;
  readonly elapsedMs: number;
}

/**
 * Asks again on each connection as soon as it is answered, and reads just as much of HTTP as it must: what the load costs,
 * the server does not get.
 */
const { url, connections, durationMs } = await task<LoadTask>();
const { hostname, port, host } = new URL(url);
const requests = Array.from(
  { length: 1_000 },
  (_, index) => `GET /chat HTTP/1.1\r\nhost: ${host}\r\nx-customer: customer-${index}\r\n\r\n`,
);
const start = performance.now();
const end = start + durationMs;
let sent = 0;
let answered = 0;

await Promise.all(Array.from({ length: connections }, load));
tell({ answered, elapsedMs: performance.now() - start } satisfies LoadAnswer);
process.disconnect();

function load(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const next = (): void => {
      if (performance.now() < end) socket.write(requests[sent++ % requests.length] ?? "", "latin1");
      else socket.end(resolve);
    };
    let received = "";
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => {
      received += chunk;
      // The answer is small JSON: it ends with its only brace.
      if (!received.endsWith("}")) return;
      if (!received.startsWith("HTTP/1.1 200")) return reject(new Error(`answered ${received}`));
      answered += 1;
      received = "";
      next();
    });
    socket.once("connect", next);
    socket.once("error", reject);
  });
}
