import type { CallOptions } from "./call.ts";
import { checkCallOptions } from "./call-options.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Transport } from "./transport.ts";

/** What is known of a request that the service has taken and that must count once. */
export interface Receipt {
  /** The key that was sent. */
  readonly idempotencyKey: string;
  /** The service told the key back, so it honours keys: a repetition with the same key counts once. */
  readonly echoed: boolean;
  /** The answer; its fields are not shown by the API. */
  readonly body: unknown;
}

/** Posts the body under the key of the options, or one of its own. */
export async function postForReceipt(
  transport: Transport,
  endpoint: Endpoint,
  body: unknown,
  options: CallOptions = {},
): Promise<Receipt> {
  checkCallOptions(endpoint, options);
  const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID();
  const answer = await transport.send(endpoint, { body }, { ...options, idempotencyKey });
  return { idempotencyKey, echoed: answer.idempotencyKey === idempotencyKey, body: answer.body };
}
