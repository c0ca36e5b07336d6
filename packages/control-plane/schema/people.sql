-- A person is one in all organisations, so most of these tables have no org_id. What a person may do in an organisation is
-- in members.
create table users (
  user_id       uuid primary key,
  email         text not null unique,
  name          text not null,
  password_hash text,
  is_operator   boolean not null,
  created_at    timestamptz not null,
  disabled_at   timestamptz
);
create index users_age on users (created_at, user_id);

create table members (
  org_id     bigint not null references organizations,
  user_id    uuid not null references users,
  roles      text[] not null check (cardinality(roles) > 0 and roles <@ array['read', 'money', 'keys', 'owner']),
  created_at timestamptz not null,
  primary key (org_id, user_id)
);
create index members_age on members (org_id, created_at, user_id);
create index members_user on members (user_id);

-- Of sessions, tokens and links only a hash is stored: who reads it cannot use it.
create table user_sessions (
  session_hash text primary key,
  user_id      uuid not null references users,
  created_at   timestamptz not null,
  used_at      timestamptz not null,
  expires_at   timestamptz not null
);
create index user_sessions_user on user_sessions (user_id);
create index user_sessions_end on user_sessions (expires_at);

create table user_tokens (
  token_hash text primary key,
  token_id   uuid not null unique,
  user_id    uuid not null references users,
  name       text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  used_at    timestamptz
);
create index user_tokens_user on user_tokens (user_id, created_at, token_id);

-- A person's account at an identity provider: its subject never changes, unlike an e-mail.
create table user_identities (
  issuer     text not null,
  subject    text not null,
  user_id    uuid not null references users,
  created_at timestamptz not null,
  primary key (issuer, subject),
  unique (user_id, issuer)
);

create table user_links (
  link_hash   text primary key,
  link_id     uuid not null unique,
  kind        text not null check (kind in ('first_owner', 'invitation', 'password')),
  email       text,
  org_id      bigint references organizations,
  roles       text[] not null default '{}',
  is_operator boolean not null default false,
  created_by  text not null,
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  -- Used, or revoked.
  ended_at    timestamptz,
  -- The person who has made the link, whose rights it needs when it is used; null for an admin token or the command line.
  maker_id    uuid references users,
  check ((email is null) = (kind = 'first_owner'))
);
create index user_links_organization on user_links (org_id, created_at, link_id) where ended_at is null;
create index user_links_email on user_links (email) where ended_at is null;

-- A sign-in that is under way at the identity provider, by the cookie of the browser that has begun it.
create table oidc_flows (
  flow_hash     text primary key,
  state         text not null,
  nonce         text not null,
  code_verifier text not null,
  expires_at    timestamptz not null
);
create index oidc_flows_end on oidc_flows (expires_at);
