import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * What happens to a request on its way.
 *
 * - `reset_before`: the connection breaks before the service has seen the request
 * - `lost_reply`: the service carries it out, and the connection breaks instead of its answer
 * - `truncated`: half of the answer arrives, then the connection ends
 * - `blackhole`: it is swallowed; no answer ever comes
 * - `slow`: all arrives, late
 */
export type NetworkFault = "reset_before" | "lost_reply" | "truncated" | "blackhole" | "slow";

/** A TCP proxy before the control plane that fails as networks do. */
export interface FaultProxy {
  readonly baseUrl: string;
  /** Decides what happens to the next request; `undefined` lets it pass. */
  fault: (request: string) => NetworkFault | undefined;
  /** How often each fault has struck. */
  readonly struck: ReadonlyMap<NetworkFault, number>;
  /** Has the service forget all idempotency keys: the header arrives under another name. */
  stripKeys: boolean;
  /** Hides from the gate that the service takes batches. */
  stripBatches: boolean;
  /** From here on connections are refused. */
  goDown(): Promise<void>;
  comeUp(): Promise<void>;
  close(): Promise<void>;
}

const keyHeader = /idempotency-key:/i;
/** As long as the header, so that nothing else moves. */
const stripped = "x-stripped-head:";
const batchHeader = /creditgate-usage-batch:/i;
const strippedBatch = "x-stripped-usage-batch:";
const slowMs = 30;

export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const { hostname, port: targetPort } = new URL(target);
  const struck = new Map<NetworkFault, number>();
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const service = connect(Number(targetPort), hostname);
    let fault: NetworkFault | undefined;
    for (const socket of [client, service]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        service.destroy();
      });
    }
    client.on("data", (data) => {
      // A head and a body may come in two pieces; fetch sends the next request only after the answer.
      const text = data.toString("latin1");
      if (/^(GET|POST) /.test(text)) {
        fault = proxy.fault(text);
        if (fault !== undefined) struck.set(fault, (struck.get(fault) ?? 0) + 1);
      }
      if (fault === "reset_before") client.resetAndDestroy();
      else if (fault !== "blackhole") {
        service.write(proxy.stripKeys ? Buffer.from(text.replace(keyHeader, stripped), "latin1") : data);
      }
    });
    service.on("data", (given) => {
      const data = proxy.stripBatches
        ? Buffer.from(given.toString("latin1").replace(batchHeader, strippedBatch), "latin1")
        : given;
      if (fault === "lost_reply") client.resetAndDestroy();
      else if (fault === "truncated") client.end(data.subarray(0, data.length >> 1));
      else if (fault === "slow") setTimeout(() => client.write(data), slowMs);
      else client.write(data);
    });
  });
  let port = 0;

  const proxy: FaultProxy = {
    get baseUrl() {
      return `http://127.0.0.1:${port}`;
    },
    fault: () => undefined,
    struck,
    stripKeys: false,
    stripBatches: false,
    async goDown() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    async comeUp() {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
      port = (server.address() as AddressInfo).port;
    },
    close: () => proxy.goDown(),
  };
  await proxy.comeUp();
  return proxy;
}
