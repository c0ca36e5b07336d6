/** One event of a stream, with the text it came in. */
export interface ServerSentEvent {
  readonly block: string;
  /** Empty where it has none, as a comment. */
  readonly data: string;
}

const blankLine = /\r\n\r\n|\n\n|\r\r|\n\r\n/g;
/** The longest blank line, but for its last character. */
const overlap = 3;

/** Cuts the text of an event stream into events, however it arrives. */
export class ServerSentEvents {
  #rest = "";

  /** The events that this text completes. */
  push(text: string): ServerSentEvent[] {
    const events: ServerSentEvent[] = [];
    // What has been searched is not searched again: an image comes as one event of many chunks.
    let searched = Math.max(0, this.#rest.length - overlap);
    this.#rest += text;
    let start = 0;
    for (;;) {
      blankLine.lastIndex = searched;
      const found = blankLine.exec(this.#rest);
      if (found === null) break;
      searched = found.index + found[0].length;
      events.push(eventOf(this.#rest.slice(start, searched)));
      start = searched;
    }
    if (start > 0) this.#rest = this.#rest.slice(start);
    return events;
  }

  /** What stands after the last blank line. */
  rest(): ServerSentEvent | undefined {
    const block = this.#rest;
    this.#rest = "";
    return block === "" ? undefined : eventOf(block);
  }
}

function eventOf(block: string): ServerSentEvent {
  const lines = block.split(/\r\n|\n|\r/).filter((line) => line.startsWith("data:"));
  return { block, data: lines.map((line) => line.slice(5).trimStart()).join("\n") };
}
