import type { Migration } from "../migration.ts";

export const customerWords: Migration = {
  version: 18,
  name: "customer-words",
  sql: `
-- The words of a text, in lower case. What separates them is ASCII, so that it does not depend on the locale.
create function words_of(text text) returns text[] language sql immutable parallel safe
  return array(select distinct word from regexp_split_to_table(lower(text), '[\\x01-/:-@[-\`{-\\x7f]+') as word
                where word <> '');

-- What a customer is found by, with the organisation before each word: no search reads what is another's.
create function customer_words(org_id bigint, external_id text, name text, email text) returns tsvector
  language sql immutable parallel safe
  return array_to_tsvector(array(
    select org_id || ' ' || word from unnest(words_of(external_id || ' ' || name || ' ' || coalesce(email, ''))) as word));
`,
};
