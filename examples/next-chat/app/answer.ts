import type { Denial } from "./paywall.tsx";

/** What became of a question. */
export type Outcome =
  | { readonly kind: "answered" | "stopped"; readonly text: string }
  | { readonly kind: "denied"; readonly denial: Denial }
  | { readonly kind: "failed" };

/** Asks, and tells the answer as far as it has come, until it has ended or the signal says stop. */
export async function ask(
  question: string,
  signal: AbortSignal,
  onText: (text: string) => void,
): Promise<Outcome> {
  let text = "";
  try {
    const response = await fetch("/api/chat", { method: "POST", body: question, signal });
    if (response.status === 402) return { kind: "denied", denial: await response.json() };
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
