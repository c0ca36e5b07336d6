import type { CallOptions } from "../../call.ts";
import { call, checkPath, posting } from "../../checked-call.ts";
import { checkInput } from "../../contract-check.ts";
import type { Transport } from "../../transport.ts";
import {
  type GateRetryAnswer,
  type GatesAnswer,
  type GatesQuery,
  gateRetryAnswer,
  gateRetryRequest,
  gatesAnswer,
  gatesQuery,
} from "../contract/gate.ts";
import { gatesEndpoints } from "../gates-endpoints.ts";

/** The gates of an organisation that say of themselves how they are (`startHeartbeat` of `@creditgate/core`). */
export interface Gates {
  /** How they are, how they have decided, and which of their reports wait for an operator. Retried. */
  list(query?: GatesQuery, options?: CallOptions): Promise<GatesAnswer>;
  /** Asks a gate to send parked or dead reports again: it does with its next heartbeat. Retried. */
  retry(gateId: string, reportIds: readonly string[], options?: CallOptions): Promise<GateRetryAnswer>;
}

export function createGates(transport: Transport, organization_id: string): Gates {
  const { gateList, gateRetry } = gatesEndpoints;
  return {
    list: async (query = {}, options) => {
      const input = { params: { organization_id }, query: { ...checkInput(gateList, gatesQuery, query) } };
      return call(transport, gateList, gatesAnswer, input, options);
    },
    retry: async (gate_id, reportIds, options) => {
      const params = checkPath(gateRetry, { organization_id, gate_id });
      return posting(transport, params)(gateRetry, gateRetryRequest, gateRetryAnswer)({ reportIds }, options);
    },
  };
}
