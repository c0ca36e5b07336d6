import { type Endpoint, ensures, reads } from "../endpoint.ts";
import type { GateRetryRequest, GatesQuery } from "./contract/gate.ts";

/** The operations on gates that say of themselves how they are. */
export interface GatesEndpoints {
  readonly gateList: Endpoint<undefined, GatesQuery>;
  readonly gateRetry: Endpoint<GateRetryRequest, undefined, "gate_id">;
}

const gates = "/admin/api/organizations/{organization_id}/gates";

export const gatesEndpoints: GatesEndpoints = {
  gateList: reads("gateList", gates),
  gateRetry: ensures("gateRetry", `${gates}/{gate_id}/retry`),
};
