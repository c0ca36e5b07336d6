import { abortedError } from "./aborted-error.ts";
import { parseJson, readText } from "./answer-body.ts";
import type { Answer } from "./call.ts";
import { CreditgateError } from "./creditgate-error.ts";
import { type Deadline, startDeadline } from "./deadline.ts";
import type { Endpoint } from "./endpoint.ts";
import { wasNeverSent } from "./network-failure.ts";
import type { Settings } from "./options.ts";
import { parseProblem } from "./problem.ts";
import { readRetryAfter } from "./retry-after.ts";

export interface Outgoing {
  readonly endpoint: Endpoint;
  readonly url: string;
  readonly init: RequestInit;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Sends a request once: a 2xx answer, or a `CreditgateError`. */
export async function attempt(settings: Settings, outgoing: Outgoing): Promise<Answer> {
  const { endpoint, url, init, timeoutMs, signal } = outgoing;
  if (signal?.aborted) throw abortedError(endpoint, signal.reason);
  const deadline = startDeadline(settings.timing, timeoutMs, signal);
  // Called without a receiver: workerd and browsers refuse their own fetch as another object's method.
  const { fetch } = settings;
  let status: number | undefined;
  try {
    const response = await fetch(url, { ...init, signal: deadline.signal });
    // An opaque redirect has the status 0.
    status = response.status || undefined;
    if (response.ok) return await readAnswer(settings, endpoint, response);
    if (response.status < 400) throw await redirectedError(endpoint, response);
    throw await httpError(settings, endpoint, response, deadline);
  } catch (error) {
    if (error instanceof CreditgateError) throw error;
    throw failure(outgoing, deadline, error, status);
  } finally {
    deadline.clear();
  }
}

async function readAnswer(settings: Settings, endpoint: Endpoint, response: Response): Promise<Answer> {
  const { status } = response;
  const text = await readText(response, settings.maxAnswerBytes);
  if (text === undefined) {
    const message = `${endpoint.method} ${endpoint.path} answered more than ${settings.maxAnswerBytes} bytes`;
    throw new CreditgateError("answer_too_large", message, { status });
  }
  return {
    status,
    body: parseJson(text),
    idempotencyKey: response.headers.get("idempotency-key") ?? undefined,
  };
}

async function redirectedError(endpoint: Endpoint, response: Response): Promise<CreditgateError> {
  await response.body?.cancel().catch(() => {});
  const status = response.status || undefined;
  // The target is not told: it comes from outside.
  const message = `${endpoint.method} ${endpoint.path} was redirected; the baseUrl is not the service's own`;
  return new CreditgateError("redirected", message, { status });
}

async function httpError(
  settings: Settings,
  endpoint: Endpoint,
  response: Response,
  deadline: Deadline,
): Promise<CreditgateError> {
  const { status } = response;
  // The status is the news; a body that is lost, late or too large takes nothing from it.
  const text = await readText(response, settings.maxAnswerBytes).catch((error: unknown) => {
    if (deadline.passed() === "aborted") throw error;
    return undefined;
  });
  return new CreditgateError("http", `${endpoint.method} ${endpoint.path} answered ${status}`, {
    status,
    retryAfterMs: readRetryAfter(response.headers.get("retry-after"), settings.timing.now()),
    problem: text === undefined ? undefined : parseProblem(text, settings.apiKey),
  });
}

function failure(outgoing: Outgoing, deadline: Deadline, cause: unknown, status?: number): CreditgateError {
  const { endpoint, timeoutMs, signal } = outgoing;
  const call = `${endpoint.method} ${endpoint.path}`;
  const details = { cause, status };
  switch (deadline.passed()) {
    case "aborted":
      return abortedError(endpoint, signal?.reason, status);
    case "timeout":
      return new CreditgateError("timeout", `${call} had no whole answer within ${timeoutMs} ms`, details);
    case undefined:
      if (status === undefined && wasNeverSent(cause)) {
        return new CreditgateError("not_sent", `${call} could not be sent: no connection`, details);
      }
      return new CreditgateError("connection_lost", `${call} lost its connection`, details);
  }
}
