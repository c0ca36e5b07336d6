import type { CallOptions } from "../call.ts";
import { type UsageReportRequest, usageReportRequest } from "../contract/index.ts";
import { checkInput } from "../contract-check.ts";
import { CreditgateError } from "../creditgate-error.ts";
import { endpoints } from "../endpoints.ts";
import { postForReceipt, type Receipt } from "../receipt.ts";
import type { Transport } from "../transport.ts";
import { unknownUsageField, withoutDetails } from "../usage-fields.ts";

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
