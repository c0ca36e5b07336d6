import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeStream } from "node:stream/web";

/** Serves a handler of web requests by Node's HTTP server. The request's signal fires when its client leaves. */
export function webListener(handle: (request: Request) => Promise<Response>): RequestListener {
  return (incoming, outgoing) => {
    answer(handle, incoming, outgoing).catch((error: unknown) => {
      // The client hears of it by the end of its connection.
      if (!outgoing.destroyed) console.error("llm-gateway:", error);
      outgoing.destroy();
    });
  };
}

async function answer(
  handle: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const client = new AbortController();
  const { socket } = incoming;
  const leave = () => {
    if (!outgoing.writableFinished) client.abort();
  };
  // An answer that waits behind another one of its connection has no socket, and hears nothing of its end.
  socket.once("close", leave);
  outgoing.once("close", () => {
    socket.off("close", leave);
    leave();
  });
  const request = webRequest(incoming, client.signal);
  const response = request === undefined ? new Response(null, { status: 400 }) : await handle(request);
  const { status, headers, body } = response;
  // What has not been read of the request stands between this answer and the next one.
  if (!incoming.complete) outgoing.shouldKeepAlive = false;
  outgoing.writeHead(status, Object.fromEntries(headers));
  if (body === null) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  await pipeline(body as NodeStream, outgoing, { signal: client.signal });
}

/** `undefined` for what is HTTP, and no request that the web knows, such as TRACE. */
function webRequest(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = "GET", url = "/", rawHeaders } = incoming;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  const hasBody = method !== "GET" && method !== "HEAD";
  try {
    return new Request(new URL(url, "http://gateway"), {
      method,
      headers,
      signal,
      // Node's Request reads what can be iterated.
      ...(hasBody && { body: incoming as unknown as ReadableStream, duplex: "half" }),
    });
  } catch {
    return undefined;
  }
}
