/** An event of a `text/event-stream`. */
export interface ServerSentEvent {
  /** Of this one, or of the last one before that had one. */
  readonly id: string;
  readonly type: string;
  readonly data: string;
}

/** No event of ours comes near: what is longer is none. */
const mostCharacters = 1_048_576;

/**
 * Reads the events of a body, each as soon as it is complete; an incomplete one is dropped. Calls `onChunk` with each
 * arrival.
 */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
  onChunk: () => void,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let id = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onChunk();
      rest += decoder.decode(value, { stream: true });
      const parts = rest.split("\n\n");
      rest = parts.pop() ?? "";
      if (rest.length > mostCharacters) throw new TypeError("The event is too long.");
      for (const part of parts) {
        const fields = fieldsOf(part);
        id = fields.get("id") ?? id;
        const data = fields.get("data");
        if (data !== undefined) yield { id, type: fields.get("event") ?? "message", data };
      }
    }
  } finally {
    // Ends the connection where the reader leaves; it may have ended.
    reader.cancel().catch(() => undefined);
  }
}

/** Lines that begin with a colon are comments. The service writes `\n` only, and one line of data. */
function fieldsOf(part: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const line of part.split("\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).replace(/^ /, ""));
  }
  return fields;
}
