import type { ModelCall } from "../call/model-call.ts";
import { type StreamWatch, watchedStream } from "../call/watched-stream.ts";
import { type Fields, fieldsOf, listOf } from "../usage/fields.ts";
import { type ServerSentEvent, ServerSentEvents } from "./server-sent-events.ts";
import type { Piece, Wire } from "./wire.ts";

interface Reading {
  readonly call: ModelCall;
  readonly wire: Wire;
  readonly request: Fields;
  /** Whether the caller has not asked for the chunk that tells the usage. */
  readonly hidesUsage: boolean;
}

/** The same answer, read by the call as it passes. */
export function meteredResponse(response: Response, reading: Reading): Response {
  const { call, wire, request } = reading;
  const { body, ok } = response;
  if (!ok) {
    call.end("failed");
    call.detach();
    return response;
  }
  call.answered();
  const taken = wire.taken?.(request);
  call.told(taken, true);
  if (body === null) {
    call.end("finished");
    call.detach();
    return response;
  }
  const type = response.headers.get("content-type") ?? "";
  const isStream = /event-stream/.test(type);
  // Sound, for one, is not text.
  const watch = isStream ? eventWatch(reading) : taken === undefined ? answerWatch(reading) : passing;
  const { status, statusText, headers, url } = response;
  const metered = new Response(watchedStream(body, call, watch), { status, statusText, headers });
  // A response that is made has none.
  Object.defineProperty(metered, "url", { value: url });
  return metered;
}

const passing: StreamWatch<Uint8Array<ArrayBuffer>> = { see: (chunk) => [chunk], rest: () => [] };

/** Reads an answer when it is whole. */
function answerWatch({ call, wire }: Reading): StreamWatch<Uint8Array<ArrayBuffer>> {
  const decoder = new TextDecoder();
  const texts: string[] = [];
  return {
    see(chunk) {
      texts.push(decoder.decode(chunk, { stream: true }));
      return [chunk];
    },
    rest() {
      understand(() => {
        const body: unknown = JSON.parse(texts.join("") + decoder.decode());
        // Gemini streams a list where it is not asked for events.
        if (Array.isArray(body)) for (const one of listOf(body)) hear(call, wire.answer(fieldsOf(one) ?? {}));
        else hear(call, wire.answer(fieldsOf(body) ?? {}));
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
        hear(call, piece);
        passes = !(hidesUsage && piece.onlyUsage === true);
      });
    }
    return passes;
  };
  return {
    see(chunk) {
      const found = events.push(chunk).filter(see);
      // Whole, where nothing of it is to be taken out.
      return hidesUsage ? found.map(({ block }) => block) : [chunk];
    },
    rest() {
      const last = events.rest();
      return last !== undefined && see(last) && hidesUsage ? [last.block] : [];
    },
  };
}

function hear(call: ModelCall, { text, usage, final = false, model, failed, last }: Piece): void {
  call.named(model);
  call.wrote(text);
  call.told(usage, final);
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
