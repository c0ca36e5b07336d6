import type { Migration } from "../migration.ts";

/** The calls that are not billed, by whose they are, and those that were given up. */
export const voiceSessionIndexes: Migration = {
  version: 28,
  name: "voice-session-indexes",
  online: [
    "create index concurrently if not exists voice_sessions_customer on voice_sessions (org_id, customer_id, opened_at, session_id) where closed_at is null",
    "create index concurrently if not exists voice_sessions_agent on voice_sessions (org_id, agent_id, opened_at, session_id) where closed_at is null",
    "create index concurrently if not exists voice_sessions_abandoned on voice_sessions (org_id, opened_at, session_id) where closed_at is null and abandoned_at is not null",
  ],
};
