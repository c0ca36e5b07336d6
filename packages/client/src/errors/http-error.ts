import { serviceMessage } from "#advice";
import { verbose } from "#verbosity";
import { CreditgateError, type Problem } from "./creditgate-error.ts";
import { isJsonObject } from "./json-object.ts";

/** What an error shows of the client that met it. */
interface AnsweredCall {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly timing: { now(): number };
}

/** An answer that refuses; its text is `undefined` where it did not come whole. */
interface Refusal {
  readonly status: number;
  readonly text: string | undefined;
  readonly retryAfter: string | undefined;
}

/** What an answer that refuses is thrown as, in the service's own text. */
export function httpError(
  settings: AnsweredCall,
  call: string,
  { status, text, retryAfter }: Refusal,
): CreditgateError {
  const problem = text === undefined ? undefined : parseProblem(text, settings.apiKey);
  return new CreditgateError("http", httpMessage(settings, call, status, problem), {
    status,
    retryAfterMs: readRetryAfter(retryAfter, settings.timing.now()),
    problem,
  });
}

function httpMessage({ baseUrl }: AnsweredCall, call: string, status: number, problem?: Problem): string {
  const answered = `${call} answered ${status}`;
  const message = problem && serviceMessage(problem);
  if (message !== undefined) return `${message} (${answered})`;
  // Proxies and web servers answer so where no route of theirs leads to the service.
  if (verbose && problem === undefined && (status === 404 || status === 405)) {
    return `${answered} without JSON: something other than the service answered; check the baseUrl ${baseUrl}`;
  }
  return answered;
}

/** Shorter keys are no secrets, but would be found in innocent words. */
const SHORTEST_SECRET = 8;

/** The JSON object of an error answer. A service that echoes the API key must not carry it into our errors. */
function parseProblem(text: string, apiKey: string): Problem | undefined {
  // As it is, and as a URL or a JSON text within the answer would write it.
  const spellings = [apiKey, encodeURIComponent(apiKey), JSON.stringify(apiKey).slice(1, -1)];
  const hide = (_: string, value: unknown): unknown =>
    typeof value === "string" && apiKey.length >= SHORTEST_SECRET
      ? spellings.reduce((text, spelling) => text.replaceAll(spelling, "[api key]"), value)
      : value;
  try {
    const body: unknown = JSON.parse(text, hide);
    return isJsonObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a `Retry-After` of seconds or of an HTTP date as milliseconds from now; `undefined` if it is neither. */
function readRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1000;
  // Date.parse takes many things for a date; an HTTP date begins with a day's name.
  const date = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

/**
 * The `code` of each problem by which the service refuses a usage report or a balance request as it is. The API shows no error
 * bodies: these are the service's own text, and any other code is that of something before it, such as a gateway.
 */
export const refusalCodes: RegExp =
  /^((agent|customer|indicator)_unknown|malformed_(json|request)|invalid_request|body_too_large|amount_out_of_range|idempotency_key_reused)$/;
