import type { ColumnType, Generated } from "kysely";

/** Voice calls as Kysely sees them. */
export interface VoiceTables {
  voice_sessions: {
    org_id: bigint;
    session_id: string;
    agent_id: string;
    customer_id: string;
    opened_at: Date;
    closed_at: Generated<Date | null>;
    usage_id: Generated<string | null>;
    abandoned_at: Generated<Date | null>;
  };
  voice_usage: VoiceUsageTable;
}

/** Which counts there are goes by the kind. */
export interface VoiceUsageTable {
  org_id: bigint;
  track_id: string;
  session_id: string;
  kind: "stt" | "llm" | "tts";
  provider: string | null;
  model: string | null;
  plan: string | null;
  /** Decimal text. */
  audio_minutes: ColumnType<string | null, string | undefined, never>;
  prompt_tokens: ColumnType<bigint | null, bigint | undefined, never>;
  completion_tokens: ColumnType<bigint | null, bigint | undefined, never>;
  cached_tokens: ColumnType<bigint | null, bigint | undefined, never>;
  characters: ColumnType<bigint | null, bigint | undefined, never>;
  received_at: Date;
}
