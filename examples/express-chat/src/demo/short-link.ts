import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A short address for a long link, which would not fit into a line of the screen. */
export interface ShortLink {
  readonly url: string;
  close(): void;
}

export async function openShortLink(link: string): Promise<ShortLink> {
  const server = createServer((_request, response) => {
    response.writeHead(302, { location: link, "cache-control": "no-store" }).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
