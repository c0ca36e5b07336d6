/** The data of each event of a `text/event-stream`, as the bytes come in. An unfinished last event is dropped. */
export async function* serverSentEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const line of lines(bytes)) {
    if (line === "") {
      if (data.length > 0) yield data.join("\n");
      data = [];
      continue;
    }
    const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === "data") data.push(value ?? "");
  }
}

async function* lines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of bytes) {
    rest += decoder.decode(chunk, { stream: true });
    // A carriage return at the end may be the first half of a line break.
    const complete = rest.split(/\r\n|\n|\r(?!$)/);
    rest = complete.pop() ?? "";
    yield* complete;
  }
}
