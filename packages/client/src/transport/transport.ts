import { reportedOrganization } from "#reported-organization";
import { verbose } from "#verbosity";
import { CreditgateError } from "../errors/creditgate-error.ts";
import { checkRetries, checkTimeout, checkVisible } from "../errors/option-check.ts";
import type { Outgoing } from "../exchange/exchange.ts";
import { requestIdHeader } from "./answer.ts";
import { attempt } from "./attempt.ts";
import type { Answer, CallInput, CallOptions } from "./call.ts";
import { checkCallOptions } from "./call-options.ts";
import { callName, type Endpoint } from "./endpoint.ts";
import { formatGateIdentity, gateHeader } from "./gate-identity.ts";
import { type ClientOptions, missing, readSettings, type Settings } from "./options.ts";
import { requestPath } from "./request-path.ts";
import { pause, retryPauseMs } from "./retry.ts";

/** The untyped call on which the typed client is built: no schema, no zod. */
export interface Transport {
  /** Without a trailing slash. Throws `invalid_option` while it is given nowhere. */
  readonly baseUrl: string;
  /**
   * Distinguishes services and keys without revealing the key: 32 hex digits. Rejects with `invalid_option` as `send`
   * does. Of the `"organization"` it is the same for all of its keys at this address: by the option `organization`,
   * else as the service reports it, in one request. Rejects with `invalid_option` if neither names it, and as `send`
   * does.
   */
  fingerprint(of?: "key" | "organization"): Promise<string>;
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
  const fingerprints: { key?: string; organization?: string } = {};
  const transport: Transport = {
    get baseUrl() {
      return settings().baseUrl;
    },
    async fingerprint(of = "key") {
      const { baseUrl, apiKey, organization } = settings();
      const known = fingerprints[of];
      if (known !== undefined) return known;
      const what =
        of === "key"
          ? apiKey
          : organizationPart(organization ?? (await reportedOrganization(transport.send)));
      const fingerprint = await fingerprintOf(baseUrl, what);
      // The value is kept, not the promise: at the edge, promises may not cross requests.
      fingerprints[of] = fingerprint;
      return fingerprint;
    },
    async send(endpoint, input = {}, callOptions = {}) {
      return send(settings(), endpoint, input, callOptions);
    },
  };
  return transport;
}

/** What stands in the place of the key, which has no space in it. */
function organizationPart(name: string | undefined): string {
  if (name !== undefined) return `organization ${name}`;
  const expected = verbose && "the organisation of the API key, which the service does not report";
  throw missing("organization", expected, "CREDITGATE_ORGANIZATION");
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
  const timeoutMs = checkTimeout(options.timeoutMs ?? settings.timeoutMs);
  const outgoing = outgoingOf(settings, endpoint, input, options);
  for (let retry = 0; ; retry++) {
    try {
      // Each attempt has another id: the answer to an earlier one is not fresh for this one.
      if (options.fresh === true) outgoing.headers[requestIdHeader] = crypto.randomUUID();
      return await attempt(settings, { call, outgoing, timeoutMs, signal });
    } catch (error) {
      if (!(error instanceof CreditgateError) || retry >= retries) throw error;
      const pauseMs = retryPauseMs(endpoint, error, retry, () => settings.timing.random());
      if (pauseMs === undefined) throw error;
      await pause(settings.timing, pauseMs, call, signal);
    }
  }
}

function outgoingOf(
  settings: Settings,
  endpoint: Endpoint,
  input: CallInput,
  options: CallOptions,
): Outgoing & { readonly headers: Record<string, string> } {
  const headers: Record<string, string> = { accept: "application/json" };
  if (settings.credential !== undefined) headers[settings.header] = settings.credential;
  if (endpoint.keyed) {
    headers["idempotency-key"] = checkVisible(
      "idempotencyKey",
      options.idempotencyKey ?? crypto.randomUUID(),
    );
  }
  if (options.gate !== undefined) headers[gateHeader] = formatGateIdentity(options.gate);
  if (input.body !== undefined) headers["content-type"] = "application/json";
  return {
    method: endpoint.method,
    origin: settings.origin,
    path: requestPath(settings.basePath, endpoint, input),
    headers,
    body: input.body === undefined ? undefined : serialise(endpoint, input.body),
    maxAnswerBytes: settings.maxAnswerBytes,
  };
}

function serialise(endpoint: Endpoint, body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new CreditgateError("invalid_option", `${endpoint.name}: body${verbose ? ": expected JSON" : ""}`, {
      cause,
    });
  }
}

/** The first 128 bits of SHA-256, in hex, over the address of a service and what is distinguished there. */
async function fingerprintOf(baseUrl: string, what: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${baseUrl}\n${what}`));
  const bytes = new Uint8Array(digest).subarray(0, 16);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
