import { once } from "node:events";
import { createServer, get as httpGet, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import type { RunningServer } from "@creditgate/core/testing";

/** Listens on a free loopback port. */
export async function listen(listener: RequestListener): Promise<RunningServer> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Serves web requests over Node's HTTP server, as srvx and @hono/node-server do. */
export function serve(handle: (request: Request) => Promise<Response>): Promise<RunningServer> {
  return listen(async (incoming, outgoing) => {
    const client = new AbortController();
    outgoing.once("close", () => {
      if (!outgoing.writableFinished) client.abort();
    });
    const { method = "GET", url = "/", headers } = incoming;
    const hasBody = method !== "GET" && method !== "HEAD";
    const request = new Request(`http://${headers.host}${url}`, {
      method,
      headers: headers as Record<string, string>,
      signal: client.signal,
      ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream, duplex: "half" }),
    });
    let response: Response;
    try {
      response = await handle(request);
    } catch {
      response = new Response("the handler threw", { status: 500 });
    }
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body === null || method === "HEAD") return void outgoing.end();
    outgoing.flushHeaders();
    const body = Readable.fromWeb(response.body as NodeReadableStream);
    body.once("error", () => outgoing.destroy());
    outgoing.once("close", () => body.destroy());
    body.pipe(outgoing);
  });
}

/** A GET with exactly these headers. */
export async function get(url: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  const [incoming] = (await once(httpGet(url, { headers }), "response")) as [IncomingMessage];
  const chunks = await incoming.toArray();
  return new Response(Buffer.concat(chunks), {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers as Record<string, string>,
  });
}
