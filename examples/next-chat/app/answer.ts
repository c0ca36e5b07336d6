/** What became of a question. */
export type Outcome =
  | { readonly kind: "answered" | "stopped"; readonly text: string }
  | { readonly kind: "denied" | "failed" };

/** How a question is sent, when it is to stop, and the callback for the answer so far. */
export interface Asking {
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
  readonly onText: (text: string) => void;
}

/** Asks, and passes on the answer so far, until it has ended or the signal aborts. */
export async function ask(question: string, { fetch, signal, onText }: Asking): Promise<Outcome> {
  let text = "";
  try {
    const response = await fetch("/api/chat", { method: "POST", body: question, signal });
    if (response.status === 402) return { kind: "denied" };
    if (!response.ok || response.body === null) return { kind: "failed" };
    onText(text);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      text += read.value;
      onText(text);
    }
    return { kind: "answered", text };
  } catch {
    return signal.aborted ? { kind: "stopped", text } : { kind: "failed" };
  }
}
