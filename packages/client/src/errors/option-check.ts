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
  throw refused(option, "1 to 256 visible ASCII characters", value);
}

export function checkHeader(value: unknown): string {
  if (typeof value === "string" && /^[\w!#$%&'*+.^`|~-]+$/.test(value)) return value;
  throw refused("header", "the name of a header", value);
}

export function checkFetch<T>(value: T): T {
  if (typeof value === "function") return value;
  throw refused("fetch", "a function", value);
}

/** The value is a secret even when it is malformed: no message contains it. */
export function checkApiKey(value: unknown): string {
  if (typeof value === "string" && /^[\x21-\x7e]+$/.test(value)) return value;
  const received =
    typeof value !== "string" ? typeof value : value === "" ? "an empty string" : "a string with others";
  throw new CreditgateError(
    "invalid_option",
    `apiKey: expected visible ASCII characters, as the option or in CREDITGATE_API_KEY, received ${received}`,
  );
}

function checkInteger(option: string, value: unknown, min: number, max: number): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw refused(
    option,
    max === Number.MAX_SAFE_INTEGER ? `an integer, ${min} or more` : `an integer from ${min} to ${max}`,
    value,
  );
}

export function refused(option: string, expected: string, value: unknown): CreditgateError {
  const received =
    typeof value === "string" ? JSON.stringify(value) : typeof value === "number" ? `${value}` : typeof value;
  return new CreditgateError("invalid_option", `${option}: expected ${expected}, received ${received}`);
}

/** Checks the base URL and returns it without a trailing slash. Error messages contain it without its secrets. */
export function parseBaseUrl(value: unknown, allowInsecure: boolean): string {
  if (typeof value !== "string") throw badUrl(typeof value);
  const url = parse(value);
  if (url === undefined) throw badUrl("a string that is no URL");
  if (url.username !== "" || url.password !== "") throw badUrl("a URL with credentials");
  if (/[?#]/.test(value)) throw badUrl("a URL with a query or a fragment");
  if (url.protocol === "http:" && !allowInsecure && !isLoopback(url.hostname)) {
    throw badUrl("http to a host that is not this machine");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") throw badUrl(`a ${url.protocol} URL`);
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

function badUrl(received: string): CreditgateError {
  const expected =
    "an https URL without credentials, query or fragment (http only for loopback or with allowInsecure), as the option or in CREDITGATE_BASE_URL";
  return new CreditgateError("invalid_option", `baseUrl: expected ${expected}, received ${received}`);
}
