import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { ControlPlaneError } from "../control-plane-error.ts";
import { errorCode } from "../error-code.ts";

export interface ListenOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
}

export interface Listener {
  readonly url: string;
  /** Takes no new requests, and resolves when those in flight are answered; after the grace they are cut off. */
  drain(graceMs: number): Promise<void>;
}

export async function listen(handler: RequestListener, { host, port }: ListenOptions): Promise<Listener> {
  const server = createServer(handler);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => reject(refusal(cause, host, port)));
    server.listen({ host, port }, resolve);
  });
  return {
    url: urlOf(server.address(), host),
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
