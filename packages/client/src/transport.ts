import { attempt } from "./attempt.ts";
import type { Answer, CallInput, CallOptions } from "./call.ts";
import { callName } from "./call-name.ts";
import { checkCallOptions } from "./call-options.ts";
import { CreditgateError } from "./creditgate-error.ts";
import type { Endpoint } from "./endpoint.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { checkIdempotencyKey, checkRetries, checkTimeout } from "./option-check.ts";
import { type ClientOptions, readSettings, type Settings } from "./options.ts";
import { pause } from "./pause.ts";
import { requestUrl } from "./request-url.ts";
import { retryPauseMs } from "./retry.ts";

/** The untyped call on which the typed client is built: no schema, no zod. */
export interface Transport {
  /** Without a trailing slash. Throws `invalid_option` while it is given nowhere. */
  readonly baseUrl: string;
  /** Tells services and keys apart without telling the key: 32 hex digits. Rejects with `invalid_option` as `send` does. */
  fingerprint(): Promise<string>;
  /**
   * Resolves with a 2xx answer; everything else throws a `CreditgateError`: `invalid_option` with the fix, before anything
   * is sent, where the address or the key of the service is given neither as an option nor in the environment.
   */
  send(endpoint: Endpoint, input?: CallInput, options?: CallOptions): Promise<Answer>;
}

/**
 * Creates the untyped transport. Throws `invalid_option` at once for an option that is malformed or not known. An address or
 * a key that is missing fails at the first call, with the fix: what only builds the program needs neither.
 */
export function createTransport(options: ClientOptions = {}): Transport {
  return transportOf(readSettings(options));
}

/** In a closure, so that neither JSON.stringify nor an inspector finds the key. */
export function transportOf(settings: () => Settings): Transport {
  let fingerprint: string | undefined;
  return {
    get baseUrl() {
      return settings().baseUrl;
    },
    async fingerprint() {
      const { baseUrl, apiKey } = settings();
      // The value is kept, not the promise: at the edge, promises may not cross requests.
      fingerprint ??= await fingerprintOf(baseUrl, apiKey);
      return fingerprint;
    },
    async send(endpoint, input = {}, callOptions = {}) {
      return send(settings(), endpoint, input, callOptions);
    },
  };
}

async function send(
  settings: Settings,
  endpoint: Endpoint,
  input: CallInput,
  options: CallOptions,
): Promise<Answer> {
  checkCallOptions(endpoint, options);
  const { signal } = options;
  const retries = checkRetries(options.retries ?? settings.retries);
  const call = callName(settings.baseUrl, endpoint);
  const outgoing = {
    call,
    url: requestUrl(settings.baseUrl, endpoint, input),
    init: requestInit(settings, endpoint, input, options),
    timeoutMs: checkTimeout(options.timeoutMs ?? settings.timeoutMs),
    signal,
  };
  for (let retry = 0; ; retry++) {
    try {
      return await attempt(settings, outgoing);
    } catch (error) {
      if (!(error instanceof CreditgateError) || retry >= retries) throw error;
      const pauseMs = retryPauseMs(endpoint, error, retry, settings.timing.random());
      if (pauseMs === undefined) throw error;
      await pause(settings.timing, pauseMs, call, signal);
    }
  }
}

function requestInit(
  settings: Settings,
  endpoint: Endpoint,
  input: CallInput,
  options: CallOptions,
): RequestInit {
  const headers: Record<string, string> = {
    accept: "application/json",
    [settings.header]: settings.credential,
  };
  if (endpoint.keyed) {
    headers["idempotency-key"] = checkIdempotencyKey(options.idempotencyKey ?? crypto.randomUUID());
  }
  // Not "error", which workerd refuses.
  const init: RequestInit = { method: endpoint.method, headers, redirect: "manual" };
  // Next 14 caches GETs unless told; some edge runtimes throw when told.
  if ("cache" in Request.prototype) init.cache = "no-store";
  if (input.body !== undefined) {
    headers["content-type"] = "application/json";
    init.body = serialise(endpoint, input.body);
  }
  return init;
}

function serialise(endpoint: Endpoint, body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new CreditgateError("invalid_option", `${endpoint.name}: body: expected JSON`, { cause });
  }
}
