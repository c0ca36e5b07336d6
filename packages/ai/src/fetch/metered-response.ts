import { AnswerText, textIn } from "../call/answer-text.ts";
import type { ModelCall } from "../call/model-call.ts";
import { type StreamWatch, watchedStream } from "../call/watched-stream.ts";
import { type Fields, fieldsOf, listOf } from "../usage/fields.ts";
import { bytesOf, endsBlankLine, type ServerSentEvent, ServerSentEvents } from "./server-sent-events.ts";
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
  if (read === undefined) return { see: (chunk) => chunk, rest: () => undefined };
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
      return chunk;
    },
    rest() {
      understand(() => {
        const body = answer.body();
        isRead = true;
        // Gemini streams a list where it is not asked for events.
        if (Array.isArray(body)) for (const one of listOf(body)) receive(call, read(fieldsOf(one) ?? {}));
        else receive(call, read(fieldsOf(body) ?? {}));
      });
      return undefined;
    },
  };
}

/**
 * Reads events after they have passed, and those before the usage not at all if it says everything. Events are read before
 * they pass if one of them may have to be taken out.
 */
function eventWatch({ call, wire, hidesUsage }: Reading): StreamWatch<Uint8Array<ArrayBuffer>> {
  const events = new ServerSentEvents();
  const unread = new UnreadBytes();
  const read = wire.events();
  const pieceOf = ({ data }: ServerSentEvent): Piece => {
    if (data === "") return {};
    if (data === "[DONE]") return { last: true };
    try {
      return read(fieldsOf(JSON.parse(data)) ?? {});
    } catch {
      // What was not understood is estimated.
      return {};
    }
  };
  const receiveAll = (pieces: readonly Piece[]) => {
    for (const piece of pieces) receive(call, piece);
  };
  /** What came before these pieces is whole events. */
  const receiveLast = (before: Uint8Array<ArrayBuffer>, pieces: readonly Piece[]) => {
    const at = pieces.findLastIndex(saysAll);
    const rest = pieces.slice(at);
    if (at >= 0 && call.isNamed && !rest.some(({ text }) => text) && !failure.test(decoder.decode(before)))
      return receiveAll(rest);
    receiveAll(new ServerSentEvents().push(before).map(pieceOf));
    receiveAll(pieces);
  };
  const catchUp = () => {
    const bytes = unread.take();
    const end = wire.lastSaysAll && events.isBetween ? lastEvents(bytes) : 0;
    if (end > 0) receiveLast(bytes.subarray(0, end), events.push(bytes.subarray(end)).map(pieceOf));
    else for (const event of events.push(bytes)) receive(call, pieceOf(event));
  };
  call.onCatchUp(catchUp);
  let isBetween = true;
  return {
    see(chunk) {
      if (!hidesUsage || (isBetween && isOfChoices(chunk))) {
        if (!unread.add(chunk)) {
          catchUp();
          if (!unread.add(chunk)) receiveAll(events.push(chunk).map(pieceOf));
        }
        return chunk;
      }
      const found = events.push(chunk);
      const pieces = found.map(pieceOf);
      receiveLast(unread.take(), pieces);
      isBetween = events.isBetween;
      return bytesOf(found.filter((_, at) => pieces[at]?.onlyUsage !== true));
    },
    rest() {
      catchUp();
      const last = events.rest();
      if (last === undefined) return undefined;
      const piece = pieceOf(last);
      receive(call, piece);
      return hidesUsage && piece.onlyUsage !== true ? last.bytes : undefined;
    },
  };
}

const decoder = new TextDecoder();

/** What an event that reports a failure has. */
const failure = /"error"(?!\s*:\s*null)|\.failed"/;

/** Whether what the model has written need not be known. */
function saysAll({ usage, final }: Piece): boolean {
  return final === true && usage?.usage.inputTokens !== undefined && usage.usage.outputTokens !== undefined;
}

/** More than the last events take, from the usage on. */
const lastBytes = 4_096;

/** Where the last events begin; 0 for few. */
function lastEvents(bytes: Uint8Array): number {
  for (let at = bytes.length - lastBytes; at > 0; at = bytes.lastIndexOf(lineFeed, at - 1))
    if (bytes[at] === lineFeed && bytes[at - 1] === lineFeed) return at + 1;
  return 0;
}

/** Whether these are whole events with a choice in each list: none of them has only the usage. */
function isOfChoices(bytes: Uint8Array): boolean {
  const { length } = bytes;
  if (!endsBlankLine(bytes[length - 3], bytes[length - 2], bytes[length - 1])) return false;
  for (let at = bytes.indexOf(closingBracket); at !== -1; at = bytes.indexOf(closingBracket, at + 1))
    if (bytes[at - 1] !== closingBrace) return false;
  return true;
}

const lineFeed = 0x0a;
const closingBracket = 0x5d;
const closingBrace = 0x7d;

/** More than an answer of 3,000 chunks has. A longer one is read in smaller parts, since the event loop waits for each. */
const mostUnread = 1024 * 1024;
const mostOfLong = 64 * 1024;

/** Copies, since the chunks go on to a reader who may change them. */
class UnreadBytes {
  #bytes = new Uint8Array(16 * 1024);
  #length = 0;
  #most = mostUnread;

  /** Whether there is room for them. */
  add(bytes: Uint8Array): boolean {
    const end = this.#length + bytes.length;
    if (end > this.#most) {
      this.#most = mostOfLong;
      return false;
    }
    if (end > this.#bytes.length) {
      const longer = new Uint8Array(Math.min(this.#most, Math.max(end, 2 * this.#bytes.length)));
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length = end;
    return true;
  }

  /** All of them, until others are added. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return taken;
  }
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
