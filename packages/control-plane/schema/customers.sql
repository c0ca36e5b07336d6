create table customers (
  org_id      bigint not null references organizations,
  external_id text not null,
  name        text not null,
  email       text,
  country     text,
  city        text,
  created_at  timestamptz not null default now(),
  -- Since when nothing personal is kept; the books stay.
  erased_at   timestamptz,
  address     text[],
  tax_id      text,
  locale      text,
  primary key (org_id, external_id)
);
create trigger customers_stay before delete or truncate or update of org_id, external_id on customers
  for each statement execute function refuse_removal();

-- The words of a text, in lower case. Separators are ASCII, so that the result does not depend on the locale.
create function words_of(text text) returns text[] language sql immutable parallel safe
  return array(select distinct word from regexp_split_to_table(lower(text), '[\x01-/:-@[-`{-\x7f]+') as word
                where word <> '');

-- What a customer is found by. The organisation comes before each word, so that a search reads no other's.
create function customer_words(org_id bigint, external_id text, name text, email text) returns tsvector
  language sql immutable parallel safe
  return array_to_tsvector(array(
    select org_id || ' ' || word from unnest(words_of(external_id || ' ' || name || ' ' || coalesce(email, ''))) as word));
create index customers_words on customers using gin (customer_words(org_id, external_id, name, email));
