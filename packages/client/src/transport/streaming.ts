import { abortedError, CreditgateError } from "../errors/creditgate-error.ts";
import { httpError } from "../errors/http-error.ts";
import type { CallInput } from "./call.ts";
import { callName, type Endpoint } from "./endpoint.ts";
import type { Settings } from "./options.ts";
import { requestPath } from "./request-path.ts";

interface StreamInput extends CallInput {
  readonly headers: Readonly<Record<string, string>>;
  /** Gives the request up, and ends the body. */
  readonly signal: AbortSignal;
}

/** Asks for an answer that goes on for as long as it is read: by `fetch`, which has streams everywhere. Throws as a call does. */
export async function openStream(
  settings: Settings,
  endpoint: Endpoint,
  { headers, signal, ...input }: StreamInput,
): Promise<ReadableStream<Uint8Array>> {
  const call = callName(settings.baseUrl, endpoint);
  const own: Record<string, string> = { accept: "text/event-stream", ...headers };
  if (settings.credential !== undefined) own[settings.header] = settings.credential;
  const url = settings.origin + requestPath(settings.basePath, endpoint, input);
  const init: RequestInit = { method: endpoint.method, headers: own, redirect: "manual", signal };
  if ("cache" in Request.prototype) init.cache = "no-store";
  const response = await settings.fetch(url, init).catch((cause: unknown) => {
    if (signal.aborted) throw abortedError(call, signal.reason);
    throw new CreditgateError("connection_lost", `${call} lost its connection`, { cause });
  });
  if (response.status >= 400) throw await refusal(settings, call, response);
  const type = response.headers.get("content-type") ?? "";
  if (!response.ok || response.body === null || !type.startsWith("text/event-stream")) {
    await response.body?.cancel().catch(() => undefined);
    const message = `${call} answered no events: something other than the service answered; check the baseUrl ${settings.baseUrl}`;
    throw new CreditgateError("answer_invalid", message, { status: response.status });
  }
  return response.body;
}

async function refusal(settings: Settings, call: string, response: Response): Promise<CreditgateError> {
  const { status, headers } = response;
  const text = await response.text().catch(() => undefined);
  return httpError(settings, call, { status, text, retryAfter: headers.get("retry-after") ?? undefined });
}
