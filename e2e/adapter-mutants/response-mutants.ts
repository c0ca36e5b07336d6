import { type Awaitable, gatedResponse } from "@creditgate/core";
import { line } from "./contract-lines.ts";
import type { AdapterMutant } from "./mutant.ts";
import { type Admitted, type WebParts, webAdapter } from "./web-adapter.ts";

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
    start: webAdapter(
      sending(async (response) =>
        response.body === null ? response : new Response(await response.arrayBuffer(), response),
      ),
    ),
    never: true,
    breaks: [
      line.firstChunk,
      line.backPressure,
      line.abortReported,
      line.abortDefault,
      line.abortNone,
      line.abortFunction,
      line.abortHold,
      line.abortTold,
      line.abortParting,
      line.leftAmid,
      line.leftGrace,
    ],
  },
  {
    name: "reads ahead of the client",
    start: webAdapter(
      streaming((body) =>
        body.pipeThrough(new TransformStream({}, {}, { highWaterMark: Number.POSITIVE_INFINITY })),
      ),
    ),
    breaks: [line.backPressure],
  },
  {
    name: "watches a copy of the stream, and drains it",
    start: webAdapter(
      streaming((body) => {
        const [watched, sent] = body.tee();
        watched.pipeTo(new WritableStream()).catch(() => {});
        return sent;
      }),
    ),
    never: true,
    breaks: [
      line.backPressure,
      line.abortReported,
      line.abortDefault,
      line.abortNone,
      line.abortFunction,
      line.abortHold,
      line.abortTold,
      line.abortParting,
      line.leftAmid,
    ],
  },
  {
    name: "does not tell the stream that its client has left",
    start: webAdapter(streaming(detached)),
    never: true,
    breaks: [line.abortTold, line.abortParting],
  },
  {
    name: "loses the handler's status",
    start: webAdapter(sending(({ body, headers }) => new Response(body, { headers }))),
    breaks: [line.success, line.noBody, line.failure],
  },
  {
    name: "loses the handler's headers",
    start: webAdapter(sending(({ body, status }) => new Response(body, { status }))),
    breaks: [line.headers],
  },
  {
    name: "loses the headers of streams",
    start: webAdapter(
      sending(
        (response) =>
          new Response(response.body, {
            status: response.status,
            headers: response.headers.get("content-type") === "text/plain" ? {} : response.headers,
          }),
      ),
    ),
    breaks: [line.headers],
  },
  {
    name: "swallows what the handler throws",
    start: webAdapter(() => ({
      life: (gated, handle) =>
        gatedResponse(gated, async (credits) => {
          try {
            return await handle(credits);
          } catch {
            return new Response(null, { status: 200 });
          }
        }),
    })),
    breaks: [line.handlerThrows, line.whoseError],
  },
  {
    name: "answers what throws in words of its own",
    start: webAdapter(() => ({
      answer: (response) => response.catch(() => Response.json({ error: "internal" }, { status: 500 })),
    })),
    breaks: [line.whoseError],
  },
  {
    name: "settles at the first chunk",
    start: webAdapter(() => ({
      life: (gated, handle) =>
        gatedResponse(gated, async (credits) => {
          const response = await handle(credits);
          const admission = await gated.admission;
          if (response.body === null || !admission.admitted) return response;
          const first = new TransformStream({
            async transform(chunk, controller) {
              await admission.end(response.status < 400 ? "completed" : "failed");
              controller.enqueue(chunk);
            },
          });
          return new Response(response.body.pipeThrough(first), response);
        }),
    })),
    breaks: [line.holdsStream, line.abortDefault, line.abortNone, line.abortFunction, line.abortParting],
  },
  {
    name: "does not settle when the stream fails",
    start: webAdapter(() => ({
      life(gated, handle) {
        let served = false;
        const end =
          ({ end }: Admitted): Admitted["end"] =>
          async (how) =>
            served && how === "failed" ? undefined : end(how);
        const admission = gated.admission.then((deciding) =>
          deciding.admitted ? { ...deciding, end: end(deciding) } : deciding,
        );
        return gatedResponse({ ...gated, admission }, async (credits) => {
          const response = await handle(credits);
          served = response.status < 400;
          return response;
        });
      },
    })),
    never: true,
    breaks: [line.streamFails],
  },
];
