import { parseBaseUrl } from "./base-url.ts";
import { CreditgateError } from "./creditgate-error.ts";
import { systemTiming, type Timing } from "./timing.ts";

/** How to reach the service. Read once, at creation. */
export interface ClientOptions {
  /**
   * Where the service is: https, or http on a loopback address. A path is kept; no credentials, query or fragment.
   * @default the environment variable CREDITGATE_BASE_URL
   */
  readonly baseUrl?: string | undefined;
  /**
   * The API key: visible ASCII. It travels in its header and nowhere else.
   * @default the environment variable CREDITGATE_API_KEY
   */
  readonly apiKey?: string | undefined;
  /**
   * The header that carries the API key.
   * @default "service-api-key"
   */
  readonly header?: string | undefined;
  /**
   * Milliseconds for one attempt, from the call of `fetch` to the last byte; 1 to 2,147,483,647.
   * @default 5000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Attempts after the first; 0 to 10. What is not safe to repeat is repeated only when it was never sent.
   * @default 2
   */
  readonly retries?: number | undefined;
  /**
   * Bytes of an answer that are read at most, from 1.
   * @default 1048576
   */
  readonly maxAnswerBytes?: number | undefined;
  /**
   * Allows http to any host. The API key and all data then travel in the clear: for private networks only.
   * @default false
   */
  readonly allowInsecure?: boolean | undefined;
  /**
   * The `fetch` to use.
   * @default the global one, looked up at each call
   */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * Time and chance for tests.
   * @internal
   */
  readonly timing?: Timing | undefined;
}

export interface Settings {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly header: string;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly maxAnswerBytes: number;
  readonly fetch: typeof globalThis.fetch;
  readonly timing: Timing;
}

/** Longer timers fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

export function readSettings(options: ClientOptions): Settings {
  const baseUrl = options.baseUrl ?? environment("CREDITGATE_BASE_URL");
  const apiKey = options.apiKey ?? environment("CREDITGATE_API_KEY");
  const { header = "service-api-key", maxAnswerBytes = 1_048_576, fetch, timing = systemTiming } = options;

  if (fetch !== undefined && typeof fetch !== "function") throw invalid("fetch", "a function", fetch);
  return {
    baseUrl: parseBaseUrl(baseUrl, options.allowInsecure === true),
    apiKey: checkApiKey(apiKey),
    header: checkHeader(header),
    timeoutMs: checkTimeout(options.timeoutMs ?? 5000),
    retries: checkRetries(options.retries ?? 2),
    maxAnswerBytes: checkInteger("maxAnswerBytes", maxAnswerBytes, 1, Number.MAX_SAFE_INTEGER),
    fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)),
    timing,
  };
}

export function checkTimeout(value: unknown): number {
  return checkInteger("timeoutMs", value, 1, LONGEST_TIMER_MS);
}

export function checkRetries(value: unknown): number {
  return checkInteger("retries", value, 0, 10);
}

export function checkIdempotencyKey(value: unknown): string {
  if (typeof value === "string" && /^[\x21-\x7e]{1,256}$/.test(value)) return value;
  throw invalid("idempotencyKey", "1 to 256 visible ASCII characters", value);
}

function checkApiKey(value: unknown): string {
  if (typeof value === "string" && /^[\x21-\x7e]+$/.test(value)) return value;
  const expected = "visible ASCII characters, as the option or in CREDITGATE_API_KEY";
  // The value is a secret even when it is malformed.
  const received = typeof value !== "string" ? typeof value : value === "" ? "an empty string" : "others";
  throw new CreditgateError("invalid_option", `apiKey: expected ${expected}, received ${received}`);
}

function checkHeader(value: unknown): string {
  if (typeof value === "string" && /^[\w!#$%&'*+.^`|~-]+$/.test(value)) return value;
  throw invalid("header", "the name of a header", value);
}

function checkInteger(option: string, value: unknown, min: number, max: number): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw invalid(option, `an integer from ${min} to ${max}`, value);
}

function invalid(option: string, expected: string, value: unknown): CreditgateError {
  const received =
    typeof value === "string" || typeof value === "number" ? JSON.stringify(value) : typeof value;
  return new CreditgateError("invalid_option", `${option}: expected ${expected}, received ${received}`);
}

/** The environment where there is one: this package also runs where `process` does not exist. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Readonly<Record<string, string | undefined>> } };
  return process?.env?.[name];
}
