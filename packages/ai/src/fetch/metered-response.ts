import { AnswerText, textIn } from "../call/answer-text.ts";
import type { ModelCall } from "../call/model-call.ts";
import { type StreamWatch, watchedStream } from "../call/watched-stream.ts";
import { type Fields, fieldsOf, listOf } from "../usage/fields.ts";
import { type ServerSentEvent, ServerSentEvents } from "./server-sent-events.ts";
import type { Piece, Wire } from "./wire.ts";

interface Reading {
  readonly call: ModelCall;
  readonly wire: Wire;
  readonly request: Fields;
  /** Whether the caller has not asked for the chunk with the usage. */
  readonly hidesUsage: boolean;
}

/** The same answer, read by the call as it passes. */
export function meteredResponse(response: Response, reading: Reading): Response {
  const { call, wire, request } = reading;
  const { ok } = response;
  const body = webStream(response.body);
  if (!ok) {
    call.end("failed");
    call.detach();
    return response;
  }
  call.answered();
  call.took(wire.taken?.(request));
  if (body === null) {
    call.end("finished");
    call.detach();
    return response;
  }
  const type = response.headers.get("content-type") ?? "";
  // Some servers call a stream text; what is asked for decides then.
  const isStream = /event-stream/.test(type) || (request.stream === true && !/json/.test(type));
  const watch = isStream ? eventWatch(reading) : answerWatch(reading);
  const { status, statusText, headers, url } = response;
  const metered = new Response(watchedStream(body, call, watch), { status, statusText, headers });
  // A response that is made has none.
  Object.defineProperty(metered, "url", { value: url });
  return metered;
}

/** Some clients' own `fetch` answers with a stream of Node. */
function webStream(body: Response["body"]): Response["body"] {
  if (body === null || typeof body.getReader === "function") return body;
  const chunks = (body as AsyncIterable<Uint8Array<ArrayBuffer>>)[Symbol.asyncIterator]();
  const source: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> = {
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await chunks.return?.()),
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}

/** A response is read ahead of its reader up to this many bytes: it is complete, and its end contains the usage. */
const mostAhead = 1024 * 1024;

/** Reads an answer when it is whole; of one that breaks off, what has come. */
function answerWatch({ call, wire }: Reading): StreamWatch<Uint8Array<ArrayBuffer>> {
  const read = wire.answer;
  // Sound, for one.
  if (read === undefined) return { see: (chunk) => [chunk], rest: () => [] };
  const answer = new AnswerText();
  let length = 0;
  let isRead = false;
  call.onOver(() => {
    if (!isRead) understand(() => call.wrote(textIn(answer.text)));
  });
  return {
    ahead: () => length < mostAhead,
    see(chunk) {
      length += chunk.length;
      answer.add(chunk);
      return [chunk];
    },
    rest() {
      understand(() => {
        const body = answer.body();
        isRead = true;
        // Gemini streams a list where it is not asked for events.
        if (Array.isArray(body)) for (const one of listOf(body)) receive(call, read(fieldsOf(one) ?? {}));
        else receive(call, read(fieldsOf(body) ?? {}));
      });
      return [];
    },
  };
}

/** Reads events as they pass. */
function eventWatch({ call, wire, hidesUsage }: Reading): StreamWatch<Uint8Array<ArrayBuffer>> {
  const events = new ServerSentEvents();
  const read = wire.events();
  /** Whether the event goes on. */
  const see = ({ data }: ServerSentEvent): boolean => {
    let passes = true;
    if (data === "[DONE]") call.end("finished");
    else if (data !== "") {
      understand(() => {
        const piece = read(fieldsOf(JSON.parse(data)) ?? {});
        receive(call, piece);
        passes = !(hidesUsage && piece.onlyUsage === true);
      });
    }
    return passes;
  };
  return {
    see(chunk) {
      const found = events.push(chunk).filter(see);
      // Whole, where nothing of it is to be taken out.
      return hidesUsage ? found.map(({ bytes }) => bytes) : [chunk];
    },
    rest() {
      const last = events.rest();
      return last !== undefined && see(last) && hidesUsage ? [last.bytes] : [];
    },
  };
}

function receive(call: ModelCall, { text, usage, final = false, model, failed, last }: Piece): void {
  call.named(model);
  call.wrote(text);
  call.reported(usage, final);
  if (failed) call.failed();
  if (last) call.end("finished");
}

/** Billing never breaks a model call. */
function understand(read: () => void): void {
  try {
    read();
  } catch {
    // What was not understood is estimated.
  }
}
