import {
  partQuery,
  type UnbilledEndpoints,
  unbilledUsageQuery,
  usageResettleRequest,
  voiceSessionCloseRequest,
  voiceSessionExpireRequest,
  voiceSessionListQuery,
} from "@creditgate/client/admin";
import type { Readers } from "../http/call.ts";
import type { AdminServed } from "./roles.ts";

type UnbilledTable = {
  readonly [Of in keyof UnbilledEndpoints]: AdminServed & Readers<UnbilledEndpoints[Of]>;
};

/** What may be done about what is not billed, and what it takes. */
export const unbilledTable: UnbilledTable = {
  periodFailureList: { scope: "read", query: { schema: partQuery } },
  settlementFailureList: { scope: "read", query: { schema: partQuery } },
  unbilledUsageList: { scope: "read", query: { schema: unbilledUsageQuery } },
  usageResettle: { scope: "money", body: { schema: usageResettleRequest } },
  voiceSessionList: { scope: "read", query: { schema: voiceSessionListQuery } },
  voiceSessionClose: { scope: "money", body: { schema: voiceSessionCloseRequest } },
  voiceSessionExpire: { scope: "money", body: { schema: voiceSessionExpireRequest } },
};
