import { Agent, type IncomingMessage, request as requestByHttp } from "node:http";
import { request as requestByHttps, Agent as SecureAgent } from "node:https";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createUnzip } from "node:zlib";
import { chunkReader } from "./node-chunks.ts";

/**
 * As much of `fetch` as the gateway needs, on Node's HTTP client: the global one adds more to the first token of each answer. It gives up
 * where there is no byte for `silentMs`.
 */
export function createNodeFetch(silentMs = 300_000): typeof fetch {
  const agent = new Agent({ keepAlive: true });
  const secureAgent = new SecureAgent({ keepAlive: true });
  return async (input, { method = "GET", headers, body, signal } = {}) => {
    const { protocol, hostname, port, pathname, search } = new URL(String(input));
    const options = {
      method,
      // In brackets an address is no name.
      host: hostname.replace(/^\[|\]$/g, ""),
      port,
      path: pathname + search,
      // Each token as it comes. What is packed all the same is unpacked.
      headers: { ...plainHeaders(headers), "accept-encoding": "identity" },
    };
    const outgoing =
      protocol === "https:"
        ? requestByHttps({ ...options, agent: secureAgent })
        : requestByHttp({ ...options, agent });
    outgoing.setTimeout(silentMs, () => outgoing.destroy(new Error(`no byte for ${silentMs} ms`)));
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      // Once there is an answer, its reader receives errors; an unhandled error ends a process.
      outgoing.once("response", resolve).on("error", reject);
    });
    const stop = () => outgoing.destroy(reasonOf(signal));
    if (signal?.aborted) stop();
    // Node's own option for it listens to much more.
    else signal?.addEventListener("abort", stop);
    outgoing.end(body);
    return responseOf(await answer);
  };
}

function plainHeaders(headers: HeadersInit = {}): Record<string, string> {
  const isPlain = !(headers instanceof Headers || Array.isArray(headers));
  return isPlain ? headers : Object.fromEntries(new Headers(headers));
}

function reasonOf(signal: AbortSignal | null | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error("aborted", { cause: reason });
}

function responseOf(incoming: IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(incoming.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  try {
    const body = unpacked(incoming, headers.get("content-encoding"));
    return new Response(bodyOf(body), { status: incoming.statusCode ?? 502, headers });
  } catch (error) {
    // A status that has no body, such as 204: no model answers so.
    incoming.destroy();
    throw error;
  }
}

/** The bytes before they were packed. Throws for a way of packing that is not known: they would be billed as no answer. */
function unpacked(incoming: IncomingMessage, encoding: string | null): Readable {
  if (encoding === null || encoding === "identity") return incoming;
  const unpacking = unpackers.get(encoding.toLowerCase());
  if (unpacking === undefined) throw new Error(`the answer is packed in an unknown way: ${encoding}`);
  // The reader of the output receives errors.
  return pipeline(incoming, unpacking(), () => {});
}

const unpackers: ReadonlyMap<string, () => NodeJS.ReadWriteStream & Readable> = new Map([
  ["gzip", createUnzip],
  ["x-gzip", createUnzip],
  ["deflate", createUnzip],
  ["br", createBrotliDecompress],
]);

/** The bytes, as they are read. What is not wanted any more is broken off. */
function bodyOf(incoming: Readable): ReadableStream {
  const next = chunkReader(incoming);
  const source: UnderlyingDefaultSource = {
    async pull(controller) {
      const chunk = await next();
      if (chunk === undefined) controller.close();
      else controller.enqueue(chunk);
    },
    cancel() {
      incoming.destroy();
    },
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}
