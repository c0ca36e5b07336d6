import { wasNeverSent } from "#network-failure";
import { type Incoming, type Outgoing, type StartExchange, unanswered } from "./exchange.ts";

/** As much of `fetch` as is called: any implementation of the standard fits. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Exchanges by `fetch`. */
export function fetchExchange(fetch: Fetch): StartExchange {
  return (outgoing) => {
    const controller = new AbortController();
    return {
      incoming: exchange(fetch, outgoing, controller.signal),
      stop: (reason) => controller.abort(reason),
    };
  };
}

async function exchange(fetch: Fetch, outgoing: Outgoing, signal: AbortSignal): Promise<Incoming> {
  const { origin, path, maxAnswerBytes } = outgoing;
  try {
    // Called without a receiver: workerd and browsers refuse their own fetch as another object's method.
    const response = await fetch(origin + path, { ...initOf(outgoing), signal });
    return await read(response, maxAnswerBytes);
  } catch (error) {
    return unanswered(wasNeverSent(error) ? "never_sent" : "lost", error);
  }
}

function initOf({ method, headers, body }: Outgoing): RequestInit {
  // Not "error", which workerd refuses.
  const init: RequestInit = { method, headers, redirect: "manual" };
  // Next 14 caches GETs without this option; some edge runtimes throw with it.
  if ("cache" in Request.prototype) init.cache = "no-store";
  if (body !== undefined) init.body = body;
  return init;
}

async function read(response: Response, maxAnswerBytes: number): Promise<Incoming> {
  const head = {
    // An opaque redirect has the status 0.
    status: response.status || undefined,
    header: (name: string) => response.headers.get(name) ?? undefined,
  };
  if (!response.ok && response.status < 400) {
    await response.body?.cancel().catch(() => {});
    return { ...head, end: "whole", text: "", cause: undefined };
  }
  try {
    const text = await readText(response, maxAnswerBytes);
    return { ...head, end: text === undefined ? "too_large" : "whole", text: text ?? "", cause: undefined };
  } catch (cause) {
    return { ...head, end: "lost", text: "", cause };
  }
}

/** Reads a body up to this many bytes; `undefined` if it is longer, of which no more is read. */
async function readText(response: Response, maxBytes: number): Promise<string | undefined> {
  if (response.body === null) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      await reader.cancel().catch(() => {});
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
