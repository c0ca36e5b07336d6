-- Answers that a repeated Idempotency-Key gets again, as they were sent, in partitions by month (UTC).
create table idempotent_answers (
  org_id          bigint not null,
  operation       text not null,
  idempotency_key text not null,
  request_hash    text not null check (request_hash ~ '^[0-9a-f]{64}$'),
  status          integer,
  body            text,
  created_at      timestamptz not null
) partition by range (created_at);

-- A key is unique in a month by an index. Around the beginning of a month, when two who ask under one key may be answered
-- in two months at once, it is unique here.
create table answer_keys_at_turn (
  org_id          bigint not null,
  operation       text not null,
  idempotency_key text not null,
  created_at      timestamptz not null,
  primary key (org_id, operation, idempotency_key)
);

-- Whether a key was answered before an instant. A function, so that a connection plans it once over all partitions.
create function was_answered(bigint, text, text, before timestamptz) returns boolean
  language plpgsql stable set search_path from current as $$
begin
  return exists (select from idempotent_answers
                  where org_id = $1 and operation = $2 and idempotency_key = $3 and created_at < before);
end
$$;
