import type { Denial } from "@creditgate/react";

/** What became of a question. */
export type Outcome =
  | { readonly kind: "answered" | "stopped"; readonly text: string }
  | { readonly kind: "denied" | "failed" };

/** How a question is sent, when it is to stop, and the callbacks for the answer so far and for what a pause lacks. */
export interface Asking {
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
  readonly onText: (text: string) => void;
  readonly onPause: (denial: Denial) => void;
}

/** Asks the chat, or several questions of the guide, and passes on the answer so far, until it has ended or the signal aborts. */
export async function ask(
  route: "chat" | "guide",
  question: string,
  { fetch, signal, onText, onPause }: Asking,
): Promise<Outcome> {
  let text = "";
  let line = "";
  try {
    const response = await fetch(`/api/${route}`, { method: "POST", body: question, signal });
    if (response.status === 402) return { kind: "denied" };
    if (!response.ok || response.body === null) return { kind: "failed" };
    onText(text);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      if (route === "chat") text += read.value;
      else {
        const lines = `${line}${read.value}`.split("\n");
        line = lines.pop() ?? "";
        for (const part of lines.map((json) => JSON.parse(json))) {
          text += part.text ?? "";
          if (part.denial) onPause(part.denial);
        }
      }
      onText(text);
    }
    return { kind: "answered", text };
  } catch {
    return signal.aborted ? { kind: "stopped", text } : { kind: "failed" };
  }
}
