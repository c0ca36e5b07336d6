import { parseBaseUrl } from "./base-url.ts";
import {
  checkAnswerBytes,
  checkApiKey,
  checkFetch,
  checkHeader,
  checkRetries,
  checkTimeout,
} from "./option-check.ts";
import { systemTiming, type Timing } from "./timing.ts";

/** As much of `fetch` as is called: any implementation of the standard fits. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

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
  readonly fetch?: Fetch | undefined;
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
  readonly fetch: Fetch;
  readonly timing: Timing;
}

export function readSettings(options: ClientOptions): Settings {
  return {
    baseUrl: parseBaseUrl(
      options.baseUrl ?? environment("CREDITGATE_BASE_URL"),
      options.allowInsecure === true,
    ),
    apiKey: checkApiKey(options.apiKey ?? environment("CREDITGATE_API_KEY")),
    header: checkHeader(options.header ?? "service-api-key"),
    timeoutMs: checkTimeout(options.timeoutMs ?? 5000),
    retries: checkRetries(options.retries ?? 2),
    maxAnswerBytes: checkAnswerBytes(options.maxAnswerBytes ?? 1_048_576),
    fetch: checkFetch(options.fetch ?? ((url, init) => globalThis.fetch(url, init))),
    timing: options.timing ?? systemTiming,
  };
}

/** The environment where there is one: this package also runs where `process` does not exist. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Readonly<Record<string, string | undefined>> } };
  return process?.env?.[name];
}
