import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ControlPlaneError, errorCode } from "../errors/control-plane-error.ts";
import { limitConnections, type RefusedConnection } from "./connection-limits.ts";

export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Connections at once; more are closed as they come. @default 2000 */
  readonly maxConnections?: number;
  /** Connections of one address at once; an IPv6 address counts with its whole /64. @default all */
  readonly maxPerAddress?: number;
  /** Called with each connection beyond these. */
  readonly onRefused?: (connection: RefusedConnection) => void;
  /** From the start of a connection or request to the end of its head, in milliseconds; a fifth where half of the connections are taken. @default 10000 */
  readonly headTimeoutMs?: number;
  /** From the start of a request to the end of its body, in milliseconds. @default 30000 */
  readonly requestTimeoutMs?: number;
}

export interface Listener {
  readonly url: string;
  /** From now on each answer ends its connection, and says so: clients take their next request elsewhere. */
  startDraining(): void;
  /** Takes no new connections, and resolves when the requests under way are answered; after the grace they are cut. */
  drain(graceMs: number): Promise<void>;
}

export async function listen(handler: RequestListener, options: ListenOptions): Promise<Listener> {
  const { host, port, maxConnections = 2_000, headTimeoutMs = 10_000, requestTimeoutMs = 30_000 } = options;
  const { maxPerAddress = maxConnections, onRefused } = options;
  const underWay = new Set<ServerResponse>();
  let isDraining = false;
  const server = createServer(
    {
      headersTimeout: headTimeoutMs,
      requestTimeout: requestTimeoutMs,
      // How late a timeout is noticed at most.
      connectionsCheckingInterval: Math.min(1_000, headTimeoutMs),
    },
    (request, response) => {
      underWay.add(response);
      response.once("close", () => underWay.delete(response));
      if (isDraining) response.shouldKeepAlive = false;
      handler(request, response);
    },
  );
  limitConnections(server, { maxConnections, maxPerAddress, headTimeoutMs, onRefused });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => reject(refusal(cause, host, port)));
    server.listen({ host, port }, resolve);
  });
  return {
    url: urlOf(server.address(), host),
    startDraining() {
      isDraining = true;
      for (const response of underWay) response.shouldKeepAlive = false;
    },
    async drain(graceMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A connection that is kept alive becomes idle only when its last request has been answered.
      const idle = setInterval(() => server.closeIdleConnections(), 20);
      const cut = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(idle);
      clearTimeout(cut);
    },
  };
}

function urlOf(address: AddressInfo | string | null, host: string): string {
  if (address === null || typeof address === "string") throw new TypeError("The server listens on no port.");
  return `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`;
}

function refusal(cause: Error, host: string, port: number): ControlPlaneError {
  const why: Readonly<Record<string, string>> = {
    EADDRINUSE: `expected a free port, received ${port}, which is in use on ${host}. Stop what listens there, or use another --port (0 takes a free one)`,
    EACCES: `expected a port that may be opened, received ${port}. Use one from 1024 on`,
    EADDRNOTAVAIL: `expected a --host of this machine, received ${host}`,
    ENOTFOUND: `expected a --host of this machine, received ${host}`,
  };
  const message = why[errorCode(cause) ?? ""] ?? `cannot listen on ${host}:${port} (${cause.message})`;
  return new ControlPlaneError("port_unavailable", `--port: ${message}.`, { cause });
}
