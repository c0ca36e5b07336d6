import type { CallOptions } from "../../call.ts";
import { call, checkPath, posting } from "../../checked-call.ts";
import { checkInput } from "../../contract-check.ts";
import type { Transport } from "../../transport.ts";
import {
  type AdminVoiceSession,
  type ClosedVoiceSession,
  closedVoiceSession,
  type VoiceSessionCloseRequest,
  type VoiceSessionExpireAnswer,
  type VoiceSessionExpireRequest,
  type VoiceSessionListAnswer,
  type VoiceSessionListQuery,
  voiceSessionCloseRequest,
  voiceSessionExpireAnswer,
  voiceSessionExpireRequest,
  voiceSessionListAnswer,
  voiceSessionListQuery,
} from "../contract/voice-session.ts";
import { createListing, type Listing } from "../listing.ts";
import { unbilledEndpoints } from "../unbilled-endpoints.ts";

/** The voice calls of an organisation that have no indicator yet, the oldest first. */
export interface AdminVoiceSessions
  extends Listing<VoiceSessionListQuery, VoiceSessionListAnswer, AdminVoiceSession> {
  /**
   * Ends a call and bills it, once; 409 `session_closed` where it has ended, 422 `indicator_needed` where its agent has none in
   * CREDITS or several. Never retried once sent.
   */
  close(
    sessionId: string,
    request: VoiceSessionCloseRequest,
    options?: CallOptions,
  ): Promise<ClosedVoiceSession>;
  /** Ends calls of which nothing was heard for long, also those that were given up before. Retried. */
  expire(request: VoiceSessionExpireRequest, options?: CallOptions): Promise<VoiceSessionExpireAnswer>;
}

export function createAdminVoiceSessions(transport: Transport, organization_id: string): AdminVoiceSessions {
  const params = { organization_id };
  const post = posting(transport, params);
  return {
    ...createListing(transport, params, {
      endpoint: unbilledEndpoints.voiceSessionList,
      query: voiceSessionListQuery,
      answer: voiceSessionListAnswer,
      itemsOf: ({ sessions }) => sessions,
    }),
    async close(session_id, request, options) {
      const endpoint = unbilledEndpoints.voiceSessionClose;
      const path = checkPath(endpoint, { ...params, session_id });
      const body = checkInput(endpoint, voiceSessionCloseRequest, request);
      return call(transport, endpoint, closedVoiceSession, { params: path, body }, options);
    },
    expire: post(unbilledEndpoints.voiceSessionExpire, voiceSessionExpireRequest, voiceSessionExpireAnswer),
  };
}
