import { once } from "node:events";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { GatewayRequest } from "./gateway-request.ts";
import { chunkReader } from "./node-chunks.ts";

type Handle = (request: GatewayRequest) => Promise<Response>;

/**
 * Serves the gateway by Node's HTTP server. The request's signal fires when its client disconnects. One that takes nothing of its answer for
 * `stalledMs` has left.
 */
export function nodeListener(handle: Handle, stalledMs = 300_000): RequestListener {
  return (incoming, outgoing) => {
    answer({ handle, stalledMs }, incoming, outgoing).catch((error: unknown) => {
      // The client notices by the end of its connection.
      if (!outgoing.destroyed && !incoming.socket.destroyed) console.error("llm-gateway:", error);
      outgoing.destroy();
    });
  };
}

async function answer(
  { handle, stalledMs }: { readonly handle: Handle; readonly stalledMs: number },
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const client = new AbortController();
  const { socket } = incoming;
  const leave = () => {
    if (!outgoing.writableFinished) client.abort();
  };
  // An answer that waits behind another one of its connection has no socket, and no event for its end. There may be
  // many.
  socket.setMaxListeners(0).once("close", leave);
  outgoing.once("close", () => {
    socket.off("close", leave);
    leave();
  });
  const request = gatewayRequest(incoming, client.signal);
  const response = request === undefined ? new Response(null, { status: 400 }) : await handle(request);
  const { status, headers, body } = response;
  // What has not been read of the request stands between this answer and the next one.
  if (!incoming.complete) outgoing.shouldKeepAlive = false;
  outgoing.writeHead(status, Object.fromEntries(headers));
  if (body !== null) await write(body, outgoing, { left: client.signal, stalledMs });
  outgoing.end();
}

/** Each chunk as it comes, as fast as the client takes them. */
async function write(
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
  { left, stalledMs }: Leaving,
): Promise<void> {
  const reader = body.getReader();
  left.addEventListener("abort", () => void reader.cancel(left.reason).catch(() => {}));
  // A first chunk that has come with the head goes on with it.
  const flushing = setImmediate(() => outgoing.flushHeaders());
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearImmediate(flushing);
      if (!outgoing.write(value)) await drained(outgoing, { left, stalledMs });
    }
  } finally {
    clearImmediate(flushing);
  }
}

interface Leaving {
  readonly left: AbortSignal;
  readonly stalledMs: number;
}

/** A connection that stays open, and is not read, would keep the hold and the provider's connection for ever. */
async function drained(outgoing: ServerResponse, { left, stalledMs }: Leaving): Promise<void> {
  const stalled = setTimeout(() => outgoing.destroy(), stalledMs);
  try {
    await once(outgoing, "drain", { signal: left });
  } finally {
    clearTimeout(stalled);
  }
}

const origin = "http://gateway";

/** `undefined` for an address that is none. A web `Request` would take a quarter of a millisecond to make. */
function gatewayRequest(incoming: IncomingMessage, signal: AbortSignal): GatewayRequest | undefined {
  const { method = "GET", url = "/", headersDistinct } = incoming;
  if (!URL.canParse(url, origin)) return undefined;
  return {
    method,
    url: new URL(url, origin).href,
    headers: {
      get: (name) => headersDistinct[name]?.join(", ") ?? null,
      has: (name) => headersDistinct[name] !== undefined,
    },
    body: chunksOf(incoming),
    signal,
  };
}

async function* chunksOf(incoming: IncomingMessage): AsyncGenerator<Uint8Array> {
  const next = chunkReader(incoming);
  // Most bodies are complete before the stream has emitted its end.
  while (!incoming.complete || incoming.readableLength > 0) {
    const chunk = await next();
    if (chunk === undefined) return;
    yield chunk;
  }
}
