import { verbose } from "#verbosity";
import { CreditgateError } from "./creditgate-error.ts";

/** Longer timers fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

export function checkTimeout(value: unknown): number {
  return checkInteger("timeoutMs", value, 1, LONGEST_TIMER_MS);
}

export function checkRetries(value: unknown): number {
  return checkInteger("retries", value, 0, 10);
}

export function checkAnswerBytes(value: unknown): number {
  return checkInteger("maxAnswerBytes", value, 1, Number.MAX_SAFE_INTEGER);
}

/** Whether it is a text that a header can carry as it is. */
export function isVisible(value: unknown): value is string {
  return typeof value === "string" && /^[\x21-\x7e]{1,256}$/.test(value);
}

export function checkVisible(option: string, value: unknown): string {
  if (isVisible(value)) return value;
  throw refused(option, verbose && "1 to 256 visible ASCII characters", value);
}

export function checkHeader(value: unknown): string {
  if (typeof value === "string" && /^[\w!#$%&'*+.^`|~-]+$/.test(value)) return value;
  throw refused("header", verbose && "the name of a header", value);
}

export function checkFetch<T>(value: T): T {
  if (typeof value === "function") return value;
  throw refused("fetch", verbose && "a function", value);
}

/** The value is a secret even when it is malformed: no message contains it. */
export function checkApiKey(value: unknown): string {
  if (typeof value === "string" && /^[\x21-\x7e]+$/.test(value)) return value;
  const text = verbose && (value === "" ? "an empty string" : "a string with others");
  const received = typeof value === "string" ? text : typeof value;
  throw new CreditgateError(
    "invalid_option",
    verbose
      ? `apiKey: expected visible ASCII characters, as the option or in CREDITGATE_API_KEY, received ${received}`
      : "apiKey",
  );
}

function checkInteger(option: string, value: unknown, min: number, max: number): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw refused(
    option,
    verbose &&
      (max === Number.MAX_SAFE_INTEGER ? `an integer, ${min} or more` : `an integer from ${min} to ${max}`),
    value,
  );
}

export function refused(option: string, expected: string | false, value: unknown): CreditgateError {
  const received =
    typeof value === "string" ? JSON.stringify(value) : typeof value === "number" ? `${value}` : typeof value;
  return new CreditgateError(
    "invalid_option",
    verbose ? `${option}: expected ${expected}, received ${received}` : `${option}: ${received}`,
  );
}

/** Checks the base URL and returns it without a trailing slash. Error messages contain it without its secrets. */
export function parseBaseUrl(value: unknown, allowInsecure: boolean): string {
  if (typeof value !== "string") throw badUrl(typeof value);
  const url = parse(value);
  if (url === undefined) throw badUrl(verbose && "a string that is no URL");
  if (url.username !== "" || url.password !== "") throw badUrl(verbose && "a URL with credentials");
  if (/[?#]/.test(value)) throw badUrl(verbose && "a URL with a query or a fragment");
  if (url.protocol === "http:" && !allowInsecure && !isLoopback(url.hostname)) {
    throw badUrl(verbose && "http to a host that is not this machine");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") throw badUrl(verbose && `a ${url.protocol} URL`);
  return url.origin + url.pathname.replace(/\/+$/, "");
}

function parse(value: string): URL | undefined {
  // Not URL.canParse, which some edge runtimes lack.
  try {
    return new URL(value);
  } catch {
    return undefined;
  }
}

function isLoopback(hostname: string): boolean {
  // The parser has already turned 127.1, 2130706433 and the like into four decimal parts.
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function badUrl(received: string | false): CreditgateError {
  return new CreditgateError(
    "invalid_option",
    verbose
      ? `baseUrl: expected an https URL without credentials, query or fragment (http only for loopback or with allowInsecure), as the option or in CREDITGATE_BASE_URL, received ${received}`
      : "baseUrl",
  );
}
