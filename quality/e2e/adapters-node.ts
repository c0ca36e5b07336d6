import { type EventEmitter, once } from "node:events";
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import type { AdapterAnswer, ExactRequest, RunningServer } from "@creditgate/conformance";

/** Listens on a free loopback port. */
export async function listen(listener: RequestListener): Promise<RunningServer> {
  // A runtime may reuse a connection at the moment in which the server closes it as idle; its request is then lost.
  const server = createServer({ keepAliveTimeout: 600_000 }, listener).listen(0, "127.0.0.1");
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
  return listen(webListener(handle));
}

/** Has web requests answered, over HTTP/1.1, or HTTP/2, whose types differ. */
export function webListener(
  handle: (request: Request) => Promise<Response>,
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  return async (incoming, outgoing) => {
    const client = new AbortController();
    // Over HTTP/2 the stream of a reset counts as finished, and the response to a HEAD emits no `close`.
    const { stream }: { readonly stream?: EventEmitter } = incoming as never;
    (stream ?? outgoing).once("close", () => {
      if (stream === undefined ? !outgoing.writableFinished : !outgoing.writableEnded) client.abort();
    });
    const { method = "GET", url = "/", headers: received } = incoming;
    // Without what HTTP/2 has beside names: the request line, and a symbol.
    const headers = Object.fromEntries(Object.entries(received).filter(([name]) => !name.startsWith(":")));
    const hasBody = method !== "GET" && method !== "HEAD";
    const request = new Request(`http://${headers.host ?? "localhost"}${url}`, {
      method,
      headers: headers as Record<string, string>,
      signal: client.signal,
      ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream, duplex: "half" }),
    });
    let response: Response;
    try {
      response = await handle(request);
    } catch {
      response = new Response("the handler threw", { status: Number(headers["x-error-status"] ?? 500) });
    }
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body === null || method === "HEAD") return void outgoing.end();
    outgoing.flushHeaders();
    const body = Readable.fromWeb(response.body as NodeReadableStream);
    body.once("error", () => outgoing.destroy());
    outgoing.once("close", () => body.destroy());
    body.pipe(outgoing);
  };
}

/** Sends exactly these headers, and resets the connection when the signal is aborted. */
export async function send(url: string, { method, headers, body, signal }: ExactRequest): Promise<Response> {
  // Node counts the bytes only where a body is usual.
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  // A connection of its own, though it says otherwise: that which a runtime closes as idle would lose the request that reuses it.
  const sent = { connection: "keep-alive", ...headers, ...length };
  const outgoing = httpRequest(url, { method, headers: sent, agent: false });
  // Before there is an answer the call rejects below; afterwards the body ends.
  outgoing.on("error", () => {});
  signal?.addEventListener("abort", () => outgoing.socket?.resetAndDestroy());
  outgoing.end(body);
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  const { statusCode = 0 } = incoming;
  const isEmpty = method === "HEAD" || statusCode === 204 || statusCode === 304;
  if (isEmpty) incoming.resume();
  return new Response(isEmpty ? null : (Readable.toWeb(incoming) as ReadableStream), {
    status: statusCode,
    headers: incoming.headers as Record<string, string>,
  });
}

/** The body of an answer as a stream of Node, which calls back when it is destroyed. */
export function nodeStream(
  body: AsyncIterable<string>,
  { pushes, disconnect }: Pick<AdapterAnswer, "pushes" | "disconnect">,
): Readable {
  const chunks = body[Symbol.asyncIterator]();
  const next = async (): Promise<void> => {
    const { done, value } = await chunks.next();
    stream.push(done ? null : value);
    if (pushes && !done) await next();
  };
  const pull = () => void next().catch((error) => stream.destroy(error));
  const stream = new Readable({
    read: pushes ? () => {} : pull,
    // As a generator ends that is returned: not at once.
    async destroy(error, destroyed) {
      await null;
      disconnect();
      destroyed(error);
    },
  });
  if (pushes) pull();
  return stream;
}
