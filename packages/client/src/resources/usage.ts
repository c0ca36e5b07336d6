import { type UsageReportRequest, usageReportRequest } from "../contract/usage.ts";
import { unknownUsageField, withoutDetails } from "../contract/usage-fields.ts";
import { CreditgateError } from "../errors/creditgate-error.ts";
import type { CallOptions } from "../transport/call.ts";
import { checkCallOptions } from "../transport/call-options.ts";
import { checkInput } from "../transport/checked-call.ts";
import type { Endpoint } from "../transport/endpoint.ts";
import { endpoints } from "../transport/endpoints.ts";
import type { Transport } from "../transport/transport.ts";

/** What is known of a request that the service has taken and that must count once. */
export interface Receipt {
  /** The key that was sent. */
  readonly idempotencyKey: string;
  /** The service echoed the key, so it honours keys: a repetition with the same key counts once. */
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

/** Usage (API, section 4.2). */
export interface Usage {
  /**
   * Reports usage once; it is settled within seconds. Throws `invalid_option` for a field of `rawUsage` that is not known, since it would be
   * billed as nothing. Never retried after it may have arrived: repeat it with the same `idempotencyKey`.
   */
  report(report: UsageReportRequest, options?: CallOptions): Promise<Receipt>;
}

export function createUsage(transport: Transport): Usage {
  return {
    async report(report, options) {
      const { rawUsage, ...rest } = checkInput(endpoints.usageReport, usageReportRequest, report);
      const unknown = unknownUsageField(rawUsage);
      if (unknown !== undefined) {
        throw new CreditgateError("invalid_option", `${endpoints.usageReport.name}: rawUsage.${unknown}`);
      }
      const body = { ...rest, rawUsage: withoutDetails(rawUsage) };
      return postForReceipt(transport, endpoints.usageReport, body, options);
    },
  };
}
