import { failureCode } from "#network-failure";
import { verbose } from "#verbosity";
import { abortedError, CreditgateError } from "../errors/creditgate-error.ts";
import { httpError } from "../errors/http-error.ts";
import type { Incoming, Outgoing } from "../exchange/exchange.ts";
import { isFresh, parseJson, readDate, readLimit, readUsageParts, requestIdHeader } from "./answer.ts";
import type { Answer } from "./call.ts";
import { readSeparateLedgers } from "./gate-identity.ts";
import type { Settings } from "./options.ts";
import { type Deadline, startDeadline } from "./timing.ts";

export interface Attempt {
  /** The method and the address, for messages. */
  readonly call: string;
  readonly outgoing: Outgoing;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Sends a request once: a 2xx answer, or a `CreditgateError`. */
export async function attempt(settings: Settings, request: Attempt): Promise<Answer> {
  const { call, outgoing, timeoutMs, signal } = request;
  if (signal?.aborted) throw abortedError(call, signal.reason);
  const exchange = settings.startExchange(outgoing);
  const deadline = startDeadline(settings.timing, timeoutMs, signal, (reason) => exchange.stop(reason));
  const incoming = await exchange.incoming;
  deadline.clear();
  const { end, status } = incoming;
  if (status !== undefined && status >= 400) throw refusal(settings, request, incoming, deadline);
  if (end === "never_sent" || end === "lost") throw failure(settings, request, incoming, deadline);
  if (status === undefined || status >= 300) throw redirectedError(call, status);
  return readAnswer(settings, request, incoming, status);
}

function readAnswer(
  { baseUrl, maxAnswerBytes }: Settings,
  { call, outgoing }: Attempt,
  incoming: Incoming,
  status: number,
): Answer {
  const { text } = incoming;
  if (incoming.end === "too_large") {
    const message = verbose ? `${call} answered more than ${maxAnswerBytes} bytes` : call;
    throw new CreditgateError("answer_too_large", message, { status });
  }
  const idempotencyKey = incoming.header("idempotency-key");
  if (idempotencyKey === undefined && isPage(incoming)) {
    const message = verbose
      ? `${call} answered ${status} with a page of HTML: something other than the service answered; check the baseUrl ${baseUrl}`
      : call;
    throw new CreditgateError("answer_invalid", message, { status });
  }
  return {
    status,
    body: parseJson(text),
    isEmpty: text === "",
    idempotencyKey,
    date: readDate(incoming),
    isFresh: isFresh(outgoing.headers[requestIdHeader], incoming),
    batchLimit: readLimit(incoming, "creditgate-usage-batch"),
    budgetLimit: readLimit(incoming, "creditgate-budgets"),
    usageParts: readUsageParts(incoming),
    organization: incoming.header("creditgate-organization"),
    separateLedgers: readSeparateLedgers(incoming),
  };
}

/** A website that answers 200 wherever it is asked would be taken for a service that has billed. */
function isPage(incoming: Incoming): boolean {
  return (
    incoming.text.trimStart().startsWith("<") && /^text\/html\b/i.test(incoming.header("content-type") ?? "")
  );
}

function redirectedError(call: string, status: number | undefined): CreditgateError {
  // The target is not shown: it comes from outside.
  const message = verbose
    ? `${call} was redirected; check the baseUrl, which is not the service's own`
    : call;
  return new CreditgateError("redirected", message, { status });
}

function refusal(
  settings: Settings,
  request: Attempt,
  incoming: Incoming,
  deadline: Deadline,
): CreditgateError {
  const { call, signal } = request;
  const { status = 0, end, text } = incoming;
  // The status is what matters. A body that is lost, late or too large does not change it.
  if (end === "lost" && deadline.passed() === "aborted") return abortedError(call, signal?.reason, status);
  const retryAfter = incoming.header("retry-after");
  return httpError(settings, call, { status, text: end === "whole" ? text : undefined, retryAfter });
}

function failure(
  { baseUrl }: Settings,
  { call, timeoutMs, signal }: Attempt,
  { end, status, cause }: Incoming,
  deadline: Deadline,
): CreditgateError {
  const passed = deadline.passed();
  const details = { cause, status };
  if (passed === "aborted") return abortedError(call, signal?.reason, status);
  if (end === "never_sent") {
    const why =
      verbose && (passed === "timeout" ? `no connection within ${timeoutMs} ms` : failureCode(cause));
    const message = verbose
      ? `${call} could not be sent: ${why ?? "no connection"}; check the baseUrl ${baseUrl}, and that the service runs`
      : call;
    return new CreditgateError("not_sent", message, details);
  }
  if (passed === "timeout") {
    const message = verbose ? `${call} had no whole answer within ${timeoutMs} ms` : call;
    return new CreditgateError("timeout", message, details);
  }
  return new CreditgateError("connection_lost", verbose ? `${call} lost its connection` : call, details);
}
