import { platformExchange } from "#platform-exchange";
import { verbose } from "#verbosity";
import { CreditgateError } from "../errors/creditgate-error.ts";
import {
  checkAnswerBytes,
  checkApiKey,
  checkFetch,
  checkHeader,
  checkRetries,
  checkTimeout,
  checkVisible,
  parseBaseUrl,
  refused,
} from "../errors/option-check.ts";
import { unknownName } from "../errors/unknown-name.ts";
import type { StartExchange } from "../exchange/exchange.ts";
import { type Fetch, fetchExchange } from "../exchange/fetch-exchange.ts";
import { systemTiming, type Timing } from "./timing.ts";

/**
 * How to reach the service. Read once, at creation; an address or a key that is missing then, in the environment too, is
 * looked for in the environment again at the first call.
 */
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
   * The organisation that owns the API key, by a name of your choice: 1 to 256 visible ASCII characters, the same in
   * all processes that share wallets, whichever key they have. Only a shared ledger needs it.
   * @default the environment variable CREDITGATE_ORGANIZATION, else as the service reports it
   */
  readonly organization?: string | undefined;
  /**
   * The header that carries the API key.
   * @default "service-api-key"
   */
  readonly header?: string | undefined;
  /**
   * Milliseconds for one attempt, from its start to the last byte; 1 to 2,147,483,647.
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
   * @default on Node connections of undici that are kept; elsewhere the global one, looked up at each call
   */
  readonly fetch?: Fetch | undefined;
  /**
   * Time and chance for tests.
   * @internal
   */
  readonly timing?: Timing | undefined;
}

/** Every option present and checked. */
export interface Settings extends Access {
  /** The parts of `baseUrl`: scheme and authority, and what every path begins with. */
  readonly origin: string;
  readonly basePath: string;
  readonly header: string;
  /** What the header carries: the key, or what has the key in it; `undefined` where a cookie says who asks. */
  readonly credential: string | undefined;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly maxAnswerBytes: number;
  readonly startExchange: StartExchange;
  /** For answers that are read while they come. */
  readonly fetch: Fetch;
  readonly timing: Timing;
}

/** Where the service is, and who asks: without both no request can be made. */
interface Access {
  readonly baseUrl: string;
  /** The secret, which is found in no error. */
  readonly apiKey: string;
  /** `undefined`: the service reports it. */
  readonly organization: string | undefined;
}

const optionNames: Readonly<Record<keyof ClientOptions, true>> = {
  baseUrl: true,
  apiKey: true,
  organization: true,
  header: true,
  timeoutMs: true,
  retries: true,
  maxAnswerBytes: true,
  allowInsecure: true,
  fetch: true,
  timing: true,
};

/**
 * Checks the options at once, and gives a function for the settings. Where the address or the key is missing it looks in
 * the environment again, and throws if it is still missing: a build has no environment, and sends nothing.
 */
export function readSettings(options: ClientOptions): () => Settings {
  if (typeof options !== "object" || options === null)
    throw refused("options", verbose && "an object", options);
  const unknown = unknownName(options, optionNames);
  if (unknown !== undefined) throw new CreditgateError("invalid_option", unknown);
  // Node 18 has none; without this line the first call fails with a ReferenceError.
  if (globalThis.crypto === undefined) {
    throw refused("runtime", verbose && "one with Web Crypto, such as Node 20.19 or newer", undefined);
  }
  const rest = {
    header: checkHeader(options.header ?? "service-api-key"),
    timeoutMs: checkTimeout(options.timeoutMs ?? 5000),
    retries: checkRetries(options.retries ?? 2),
    maxAnswerBytes: checkAnswerBytes(options.maxAnswerBytes ?? 1_048_576),
    startExchange: options.fetch === undefined ? platformExchange : fetchExchange(checkFetch(options.fetch)),
    fetch: options.fetch ?? ((url: string, init: RequestInit) => globalThis.fetch(url, init)),
    timing: options.timing ?? systemTiming,
  };
  const access = readAccess(options);
  let settings: Settings | undefined;
  const complete = (found: Partial<Access>): Settings => {
    const access = completeAccess(found);
    const { origin } = new URL(access.baseUrl);
    return {
      ...rest,
      ...access,
      credential: access.apiKey,
      origin,
      basePath: access.baseUrl.slice(origin.length),
    };
  };
  if (access.baseUrl !== undefined && access.apiKey !== undefined) settings = complete(access);
  return () => {
    settings ??= complete(readAccess(options));
    return settings;
  };
}

function readAccess(options: ClientOptions): Partial<Access> {
  const baseUrl = options.baseUrl ?? environment("CREDITGATE_BASE_URL");
  const apiKey = options.apiKey ?? environment("CREDITGATE_API_KEY");
  const organization = options.organization ?? environment("CREDITGATE_ORGANIZATION");
  return {
    organization: organization === undefined ? undefined : checkVisible("organization", organization),
    ...(baseUrl !== undefined && { baseUrl: parseBaseUrl(baseUrl, options.allowInsecure === true) }),
    ...(apiKey !== undefined && { apiKey: checkApiKey(apiKey) }),
  };
}

function completeAccess({ baseUrl, apiKey, organization }: Partial<Access>): Access {
  if (baseUrl === undefined)
    throw missing("baseUrl", verbose && "the URL of the service", "CREDITGATE_BASE_URL");
  if (apiKey === undefined)
    throw missing("apiKey", verbose && "the API key of the service", "CREDITGATE_API_KEY");
  return { baseUrl, apiKey, organization };
}

export function missing(
  option: string,
  expected: string | false,
  variable: string,
  factory = "createClient",
): CreditgateError {
  return new CreditgateError(
    "invalid_option",
    verbose
      ? `${option}: expected ${expected}, received none; set ${variable}, or give ${factory}() the option ${option}`
      : option,
  );
}

/** The environment where there is one: this package also runs where `process` does not exist. */
export function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Readonly<Record<string, string | undefined>> } };
  // Some platforms set a variable that has no value to nothing.
  return process?.env?.[name] || undefined;
}
