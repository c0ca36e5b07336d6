import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A server on loopback. */
export interface Listening {
  readonly url: string;
  stop(): void;
}

export async function listen(server: Server): Promise<Listening> {
  server.keepAliveTimeout = 0;
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
