import { abortedError } from "./aborted-error.ts";
import { parseJson, readText } from "./answer-body.ts";
import type { Answer } from "./call.ts";
import { CreditgateError, type Problem } from "./creditgate-error.ts";
import { type Deadline, startDeadline } from "./deadline.ts";
import { failureCode, wasNeverSent } from "./network-failure.ts";
import type { Settings } from "./options.ts";
import { parseProblem } from "./problem.ts";
import { readRetryAfter } from "./retry-after.ts";
import { serviceWords } from "./service-words.ts";

export interface Outgoing {
  /** The method and the address, for messages. */
  readonly call: string;
  readonly url: string;
  readonly init: RequestInit;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Sends a request once: a 2xx answer, or a `CreditgateError`. */
export async function attempt(settings: Settings, outgoing: Outgoing): Promise<Answer> {
  const { call, url, init, timeoutMs, signal } = outgoing;
  if (signal?.aborted) throw abortedError(call, signal.reason);
  const deadline = startDeadline(settings.timing, timeoutMs, signal);
  // Called without a receiver: workerd and browsers refuse their own fetch as another object's method.
  const { fetch } = settings;
  let status: number | undefined;
  try {
    const response = await fetch(url, { ...init, signal: deadline.signal });
    // An opaque redirect has the status 0.
    status = response.status || undefined;
    if (response.ok) return await readAnswer(settings, call, response);
    if (response.status < 400) throw await redirectedError(call, response);
    throw await httpError(settings, call, response, deadline);
  } catch (error) {
    if (error instanceof CreditgateError) throw error;
    throw failure(settings, outgoing, deadline, { cause: error, status });
  } finally {
    deadline.clear();
  }
}

async function readAnswer(settings: Settings, call: string, response: Response): Promise<Answer> {
  const { status } = response;
  const text = await readText(response, settings.maxAnswerBytes);
  if (text === undefined) {
    const message = `${call} answered more than ${settings.maxAnswerBytes} bytes`;
    throw new CreditgateError("answer_too_large", message, { status });
  }
  const idempotencyKey = response.headers.get("idempotency-key") ?? undefined;
  if (idempotencyKey === undefined && isPage(response, text)) {
    const what = "with a page of HTML: something other than the service answered";
    const message = `${call} answered ${status} ${what}; check the baseUrl ${settings.baseUrl}`;
    throw new CreditgateError("answer_invalid", message, { status });
  }
  return {
    status,
    body: parseJson(text),
    isEmpty: text === "",
    idempotencyKey,
    date: Date.parse(response.headers.get("date") ?? "") || undefined,
  };
}

/** A website that answers 200 wherever it is asked would be taken for a service that has billed. */
function isPage({ headers }: Response, text: string): boolean {
  return /^text\/html\b/i.test(headers.get("content-type") ?? "") && text.trimStart().startsWith("<");
}

async function redirectedError(call: string, response: Response): Promise<CreditgateError> {
  await response.body?.cancel().catch(() => {});
  const status = response.status || undefined;
  // The target is not told: it comes from outside.
  const message = `${call} was redirected; check the baseUrl, which is not the service's own`;
  return new CreditgateError("redirected", message, { status });
}

async function httpError(
  settings: Settings,
  call: string,
  response: Response,
  deadline: Deadline,
): Promise<CreditgateError> {
  const { status } = response;
  // The status is the news; a body that is lost, late or too large takes nothing from it.
  const text = await readText(response, settings.maxAnswerBytes).catch((error: unknown) => {
    if (deadline.passed() === "aborted") throw error;
    return undefined;
  });
  const problem = text === undefined ? undefined : parseProblem(text, settings.apiKey);
  return new CreditgateError("http", httpMessage(settings, call, status, problem), {
    status,
    retryAfterMs: readRetryAfter(response.headers.get("retry-after"), settings.timing.now()),
    problem,
  });
}

function httpMessage({ baseUrl }: Settings, call: string, status: number, problem?: Problem): string {
  const answered = `${call} answered ${status}`;
  const words = problem && serviceWords(problem);
  if (words !== undefined) return `${words} (${answered})`;
  // Proxies and web servers answer so where no route of theirs leads to the service.
  if (problem === undefined && (status === 404 || status === 405)) {
    return `${answered} without JSON: something other than the service answered; check the baseUrl ${baseUrl}`;
  }
  return answered;
}

function failure(
  { baseUrl }: Settings,
  { call, timeoutMs, signal }: Outgoing,
  deadline: Deadline,
  details: { readonly cause: unknown; readonly status: number | undefined },
): CreditgateError {
  const { cause, status } = details;
  switch (deadline.passed()) {
    case "aborted":
      return abortedError(call, signal?.reason, status);
    case "timeout":
      return new CreditgateError("timeout", `${call} had no whole answer within ${timeoutMs} ms`, details);
    case undefined:
      if (status === undefined && wasNeverSent(cause)) {
        const why = failureCode(cause) ?? "no connection";
        const message = `${call} could not be sent: ${why}; check the baseUrl ${baseUrl}, and that the service runs`;
        return new CreditgateError("not_sent", message, details);
      }
      return new CreditgateError("connection_lost", `${call} lost its connection`, details);
  }
}
