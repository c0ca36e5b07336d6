import type { Awaitable } from "@creditgate/core";
import { gatedResponse } from "@creditgate/core/adapter";
import type { AdapterMutant } from "./mutant.ts";
import { type WebParts, webAdapter } from "./web-adapter.ts";

/** The life as it is, of a handler that has answered so. */
function sending(change: (response: Response) => Awaitable<Response>): () => Partial<WebParts> {
  return () => ({
    life: (gated, handle) => gatedResponse(gated, async (credits) => change(await handle(credits))),
  });
}

/** The response with this body in place of its own, if it has one. */
function streaming(change: (body: ReadableStream<Uint8Array>) => ReadableStream): () => Partial<WebParts> {
  return sending((response) =>
    response.body === null ? response : new Response(change(response.body), response),
  );
}

/** What it reads it hands on, and what is done to it does not reach the source. */
function detached(body: ReadableStream<Uint8Array>): ReadableStream {
  const reader = body.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Adapters that change, hold up or lose what the handler answers. */
export const responseMutants: readonly AdapterMutant[] = [
  {
    name: "holds the answer back until it is complete",
    adapter: webAdapter(
      sending(async (response) =>
        response.body === null ? response : new Response(await response.arrayBuffer(), response),
      ),
    ),
    breaks: ["lets the first chunk arrive while the handler is still blocked before its second"],
  },
  {
    name: "reads ahead of the client",
    adapter: webAdapter(
      streaming((body) =>
        body.pipeThrough(new TransformStream({}, {}, { highWaterMark: Number.POSITIVE_INFINITY })),
      ),
    ),
    breaks: ["asks a stream for no more than its client takes"],
  },
  {
    name: "does not tell the stream that its client has disconnected",
    adapter: webAdapter(streaming(detached)),
    breaks: ["cancels the stream of a client that has disconnected"],
  },
  {
    name: "loses the handler's headers",
    adapter: webAdapter(sending(({ body, status }) => new Response(body, { status }))),
    breaks: ["answers with the handler's headers"],
  },
  {
    name: "answers what throws in words of its own",
    adapter: webAdapter(() => ({
      answer: (response) => response.catch(() => Response.json({ error: "internal" }, { status: 500 })),
    })),
    breaks: ["has the framework answer for what throws, as it would without a gate"],
  },
];
