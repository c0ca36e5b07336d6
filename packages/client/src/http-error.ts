import { CreditgateError, type Problem } from "./creditgate-error.ts";
import type { Settings } from "./options.ts";
import { parseProblem } from "./problem.ts";
import { readRetryAfter } from "./retry-after.ts";
import { serviceWords } from "./service-words.ts";

/** An answer that refuses; its text is `undefined` where it did not come whole. */
export interface Refusal {
  readonly status: number;
  readonly text: string | undefined;
  readonly retryAfter: string | undefined;
}

/** What an answer that refuses is thrown as, in the words of the service. */
export function httpError(
  settings: Settings,
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
