/** One event of a stream, with the bytes it came in. */
export interface ServerSentEvent {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Empty where it has none, as a comment. */
  readonly data: string;
}

const lineFeed = 10;
const carriageReturn = 13;
const decoder = new TextDecoder();

/** Cuts the bytes of an event stream into events, however they arrive. */
export class ServerSentEvents {
  /** What stands after the last blank line: joined once, since an image comes as one event of many chunks. */
  #rest: Uint8Array<ArrayBuffer>[] = [];
  /** The two bytes before the next one, of the same event. */
  #before: readonly [second: number | undefined, last: number | undefined] = none;

  /** The events that these bytes complete. */
  push(bytes: Uint8Array<ArrayBuffer>): ServerSentEvent[] {
    const events: ServerSentEvent[] = [];
    const before = this.#before;
    let start = 0;
    /** Of the event that begins at `start`, which for the first one is in earlier bytes. */
    const byteAt = (at: number) => (at >= start ? bytes[at] : start === 0 ? before.at(at) : undefined);
    for (const at of lineEnds(bytes)) {
      if (!endsBlankLine(byteAt(at - 2), byteAt(at - 1), bytes[at])) continue;
      events.push(eventOf(this.#taken(bytes.slice(start, at + 1))));
      start = at + 1;
    }
    this.#before = [byteAt(bytes.length - 2), byteAt(bytes.length - 1)];
    // A copy: the chunk goes on to its reader, who may change it.
    if (start < bytes.length) this.#rest.push(bytes.slice(start));
    return events;
  }

  /** Whether the next byte begins an event. */
  get isBetween(): boolean {
    return this.#rest.length === 0;
  }

  /** What stands after the last blank line. */
  rest(): ServerSentEvent | undefined {
    const bytes = this.#taken();
    this.#before = none;
    return bytes.length === 0 ? undefined : eventOf(bytes);
  }

  #taken(...end: Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
    const [first = new Uint8Array(), ...more] = [...this.#rest.splice(0), ...end];
    return more.length === 0 ? first : joined([first, ...more]);
  }
}

const none = [undefined, undefined] as const;

/** Where there is a character that ends lines. Searched for by the engine: a loop over all bytes takes longer than all else about an event. */
function* lineEnds(bytes: Uint8Array): Generator<number> {
  const next = (byte: number, from: number) => {
    const at = bytes.indexOf(byte, from);
    return at === -1 ? bytes.length : at;
  };
  let feed = next(lineFeed, 0);
  let carriage = next(carriageReturn, 0);
  for (let at = Math.min(feed, carriage); at < bytes.length; at = Math.min(feed, carriage)) {
    yield at;
    if (at === feed) feed = next(lineFeed, at + 1);
    else carriage = next(carriageReturn, at + 1);
  }
}

/** Lines end with either character, or with both. */
export function endsBlankLine(
  second: number | undefined,
  last: number | undefined,
  byte: number | undefined,
): boolean {
  if (byte === carriageReturn) return last === carriageReturn;
  if (byte !== lineFeed) return false;
  return last === lineFeed || (last === carriageReturn && second === lineFeed);
}

/** Of all of them; `undefined` for none. */
export function bytesOf(events: readonly ServerSentEvent[]): Uint8Array<ArrayBuffer> | undefined {
  const [first, ...more] = events;
  return more.length === 0 ? first?.bytes : joined(events.map(({ bytes }) => bytes));
}

function joined(parts: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function eventOf(bytes: Uint8Array<ArrayBuffer>): ServerSentEvent {
  const lines = decoder
    .decode(bytes)
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith("data:"));
  return { bytes, data: lines.map((line) => line.slice(5).trimStart()).join("\n") };
}
