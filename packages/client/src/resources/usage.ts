import type { CallOptions } from "../call.ts";
import { checkCallOptions } from "../call-options.ts";
import { type UsageReportRequest, usageReportRequest } from "../contract/index.ts";
import { checkInput } from "../contract-check.ts";
import { CreditgateError } from "../creditgate-error.ts";
import { endpoints } from "../endpoints.ts";
import type { Transport } from "../transport.ts";
import { unknownUsageField, withoutDetails } from "../usage-fields.ts";

/** What is known of a usage report that the service has taken; it is settled within seconds. */
export interface UsageReceipt {
  /** The key that was sent. */
  readonly idempotencyKey: string;
  /** The service told the key back, so it honours keys: a repetition with the same key is not billed again. */
  readonly echoed: boolean;
  /** The answer; its fields are not shown by the API. */
  readonly body: unknown;
}

/** Usage (API, section 4.2). */
export interface Usage {
  /**
   * Reports usage once. Throws `invalid_option` for a field of `rawUsage` that is not known, since it would be billed as
   * nothing. Never retried after it may have arrived: repeat it with the same `idempotencyKey`.
   */
  report(report: UsageReportRequest, options?: CallOptions): Promise<UsageReceipt>;
}

export function createUsage(transport: Transport): Usage {
  return {
    async report(report, options = {}) {
      const { rawUsage, ...rest } = checkInput(endpoints.usageReport, usageReportRequest, report);
      const unknown = unknownUsageField(rawUsage);
      if (unknown !== undefined) {
        throw new CreditgateError("invalid_option", `${endpoints.usageReport.name}: rawUsage.${unknown}`);
      }
      checkCallOptions(endpoints.usageReport, options);
      const body = { ...rest, rawUsage: withoutDetails(rawUsage) };
      const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID();
      const answer = await transport.send(endpoints.usageReport, { body }, { ...options, idempotencyKey });
      return { idempotencyKey, echoed: answer.idempotencyKey === idempotencyKey, body: answer.body };
    },
  };
}
