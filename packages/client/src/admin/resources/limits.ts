import type { CallOptions } from "../../call.ts";
import { call, posting } from "../../checked-call.ts";
import type { Transport } from "../../transport.ts";
import {
  type LimitListAnswer,
  type LimitSetRequest,
  limitListAnswer,
  limitSetRequest,
} from "../contract/limit.ts";
import { adminEndpoints } from "../endpoints.ts";

/** What an organisation may have, and ask for. */
export interface AdminLimits {
  /** All of them, with what it has. Retried. */
  list(options?: CallOptions): Promise<LimitListAnswer>;
  /** Sets limits for this organisation; an operator's. Retried. */
  set(limits: LimitSetRequest, options?: CallOptions): Promise<LimitListAnswer>;
}

export function createAdminLimits(transport: Transport, organization_id: string): AdminLimits {
  const params = { organization_id };
  return {
    list: (options) => call(transport, adminEndpoints.limitList, limitListAnswer, { params }, options),
    set: posting(transport, params)(adminEndpoints.limitSet, limitSetRequest, limitListAnswer),
  };
}
