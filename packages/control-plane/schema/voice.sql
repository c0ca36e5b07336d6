-- A call, from its session to its indicator; the caller chooses its ID. It keeps the ID of its usage after that is dropped.
create table voice_sessions (
  org_id       bigint not null,
  session_id   text not null,
  agent_id     text not null,
  customer_id  text not null,
  opened_at    timestamptz not null,
  closed_at    timestamptz,
  usage_id     uuid,
  -- When it was given up: it got no indicator in time, and cannot be billed without one.
  abandoned_at timestamptz,
  primary key (org_id, session_id),
  foreign key (org_id, agent_id) references agents,
  foreign key (org_id, customer_id) references customers,
  check ((closed_at is null) = (usage_id is null))
);
create index voice_sessions_open on voice_sessions (opened_at) where closed_at is null and abandoned_at is null;
create index voice_sessions_unbilled on voice_sessions (org_id, opened_at, session_id) where closed_at is null;
create index voice_sessions_customer on voice_sessions (org_id, customer_id, opened_at, session_id) where closed_at is null;
create index voice_sessions_agent on voice_sessions (org_id, agent_id, opened_at, session_id) where closed_at is null;
create index voice_sessions_abandoned on voice_sessions (org_id, opened_at, session_id)
  where closed_at is null and abandoned_at is not null;

-- What was tracked in a call. It is priced when the call is closed, each part as of when it was received.
create table voice_usage (
  org_id            bigint not null,
  track_id          uuid not null,
  session_id        text not null,
  kind              text not null check (kind in ('stt', 'llm', 'tts')),
  provider          text,
  model             text,
  plan              text,
  audio_minutes     numeric check (audio_minutes >= 0),
  prompt_tokens     bigint check (prompt_tokens >= 0),
  completion_tokens bigint check (completion_tokens >= 0),
  cached_tokens     bigint check (cached_tokens >= 0),
  characters        bigint check (characters >= 0),
  received_at       timestamptz not null,
  primary key (org_id, track_id),
  foreign key (org_id, session_id) references voice_sessions,
  check ((kind = 'stt') = (audio_minutes is not null)),
  check ((kind = 'llm') = (num_nulls(prompt_tokens, completion_tokens, cached_tokens) = 0)),
  check ((kind = 'tts') = (characters is not null))
);
create index voice_usage_session on voice_usage (org_id, session_id, received_at);
create trigger voice_usage_append_only before update or delete or truncate on voice_usage
  for each statement execute function refuse_change();
