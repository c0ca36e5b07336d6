import { verbose } from "#verbosity";
import { CreditgateError } from "../errors/creditgate-error.ts";
import { unknownName } from "../errors/unknown-name.ts";
import type { CallOptions, KeyedCallOptions } from "./call.ts";
import type { Endpoint } from "./endpoint.ts";

const optionNames: Readonly<Record<keyof CallOptions, true>> = {
  signal: true,
  timeoutMs: true,
  retries: true,
  idempotencyKey: true,
  fresh: true,
  gate: true,
};

/**
 * Throws `invalid_option` for a name that is not known, also one without a value, and for a key that is given as
 * `undefined`: it would be another key at each call, and what must happen once would happen each time.
 */
export function checkCallOptions({ name }: Endpoint, options: CallOptions): void {
  for (const option in options) {
    if (Object.hasOwn(optionNames, option)) continue;
    throw new CreditgateError("invalid_option", `${name}: ${unknownName({ [option]: true }, optionNames)}`);
  }
  if ("idempotencyKey" in options && options.idempotencyKey === undefined)
    throw noKey(name, verbose && "or leave it out");
}

/** As {@link checkCallOptions}; the key must be there. */
export function checkKeyed(endpoint: Endpoint, options: KeyedCallOptions): void {
  // A caller without types may pass nothing.
  const given: CallOptions = options ?? {};
  checkCallOptions(endpoint, given);
  if (given.idempotencyKey === undefined) throw noKey(endpoint.name, "so that a repetition counts once");
}

function noKey(name: string, why: string | false): CreditgateError {
  const message = verbose
    ? `expected 1 to 256 visible ASCII characters, received undefined; give the id of what is to happen once, such as the payment's, ${why}`
    : "undefined";
  return new CreditgateError("invalid_option", `${name}: idempotencyKey: ${message}`);
}
