import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Stands before PostgreSQL, and can stop passing on what comes, as a network or a host that hangs. */
export interface StuckProxy {
  /** The URL, through the proxy. */
  readonly databaseUrl: string;
  stick(): void;
  /** The connections that there are stay open and silent; new ones work. */
  failOver(): void;
  close(): Promise<void>;
}

export async function startStuckProxy(databaseUrl: string): Promise<StuckProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const silent = new WeakSet<Socket>();
  let isStuck = false;
  const server = createServer((client) => {
    const upstream = connectTo(target);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("error", () => undefined);
      from.on("data", (data) => {
        if (!isStuck && !silent.has(from)) to.write(data);
      });
      from.on("close", () => to.destroy());
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  return {
    databaseUrl: url.href,
    stick() {
      isStuck = true;
    },
    failOver() {
      for (const socket of sockets) silent.add(socket);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Over TCP, or through the socket in the folder that stands for the host. */
function connectTo({ hostname, port }: URL): Socket {
  const host = decodeURIComponent(hostname);
  return host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(Number(port || 5432), host);
}
