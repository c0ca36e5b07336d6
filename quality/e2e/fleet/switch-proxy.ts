import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A port of a TCP server, or the path of a socket. */
export type Target = number | string;

/** An address that leads to one server, and later to another, as one that moves with the primary. */
export interface SwitchProxy {
  readonly port: number;
  /** Connections to the old target break. */
  lead(target: Target): void;
  close(): Promise<void>;
}

export async function startSwitchProxy(first: Target): Promise<SwitchProxy> {
  let target = first;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = typeof target === "number" ? connect(target, "127.0.0.1") : connect(target);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    lead(next) {
      target = next;
      breakAll();
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      breakAll();
      await closed;
    },
  };
}
