/** One event of a stream, with the bytes it came in. */
export interface ServerSentEvent {
  readonly block: Uint8Array<ArrayBuffer>;
  /** Empty where it has none, as a comment. */
  readonly data: string;
}

const lineFeed = 10;
const carriageReturn = 13;
const decoder = new TextDecoder();

/** Cuts the bytes of an event stream into events, however they arrive. */
export class ServerSentEvents {
  #rest: Uint8Array<ArrayBuffer> = new Uint8Array();

  /** The events that these bytes complete. */
  push(bytes: Uint8Array<ArrayBuffer>): ServerSentEvent[] {
    const events: ServerSentEvent[] = [];
    // What has been searched is not searched again: an image comes as one event of many chunks.
    const searched = this.#rest.length;
    const all = joined(this.#rest, bytes);
    let start = 0;
    for (let at = searched; at < all.length; at++) {
      if (!endsBlankLine(all, start, at)) continue;
      events.push(eventOf(all.slice(start, at + 1)));
      start = at + 1;
    }
    this.#rest = start === 0 ? all : all.subarray(start);
    return events;
  }

  /** What stands after the last blank line. */
  rest(): ServerSentEvent | undefined {
    const block = this.#rest;
    this.#rest = new Uint8Array();
    return block.length === 0 ? undefined : eventOf(block);
  }
}

/** Lines end with either character, or with both. */
function endsBlankLine(bytes: Uint8Array, start: number, at: number): boolean {
  const before = at > start ? bytes[at - 1] : undefined;
  if (bytes[at] === carriageReturn) return before === carriageReturn;
  if (bytes[at] !== lineFeed) return false;
  return before === lineFeed || (before === carriageReturn && at - 1 > start && bytes[at - 2] === lineFeed);
}

function joined(first: Uint8Array<ArrayBuffer>, second: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (first.length === 0) return second;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function eventOf(block: Uint8Array<ArrayBuffer>): ServerSentEvent {
  const lines = decoder
    .decode(block)
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith("data:"));
  return { block, data: lines.map((line) => line.slice(5).trimStart()).join("\n") };
}
