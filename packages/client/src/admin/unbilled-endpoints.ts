import { changes, type Endpoint, ensures, reads } from "../endpoint.ts";
import type { PartQuery } from "./contract/part.ts";
import type { UnbilledUsageQuery, UsageResettleRequest } from "./contract/unbilled.ts";
import type {
  VoiceSessionCloseRequest,
  VoiceSessionExpireRequest,
  VoiceSessionListQuery,
} from "./contract/voice-session.ts";

/** The operations on what is not billed: usage, periods and calls. */
export interface UnbilledEndpoints {
  readonly periodFailureList: Endpoint<undefined, PartQuery>;
  readonly settlementFailureList: Endpoint<undefined, PartQuery>;
  readonly unbilledUsageList: Endpoint<undefined, UnbilledUsageQuery>;
  readonly usageResettle: Endpoint<UsageResettleRequest, undefined>;
  readonly voiceSessionList: Endpoint<undefined, VoiceSessionListQuery>;
  readonly voiceSessionClose: Endpoint<VoiceSessionCloseRequest, undefined, "session_id">;
  readonly voiceSessionExpire: Endpoint<VoiceSessionExpireRequest, undefined>;
}

const organization = "/admin/api/organizations/{organization_id}";

export const unbilledEndpoints: UnbilledEndpoints = {
  periodFailureList: reads("periodFailureList", `${organization}/period-failures`),
  settlementFailureList: reads("settlementFailureList", `${organization}/settlement-failures`),
  unbilledUsageList: reads("unbilledUsageList", `${organization}/unbilled-usage`),
  // Usage that is settled is not taken up again.
  usageResettle: ensures("usageResettle", `${organization}/usage/resettle`),
  voiceSessionList: reads("voiceSessionList", `${organization}/voice-sessions`),
  voiceSessionClose: changes("voiceSessionClose", `${organization}/voice-sessions/{session_id}/close`),
  voiceSessionExpire: ensures("voiceSessionExpire", `${organization}/voice-sessions/expire`),
};
