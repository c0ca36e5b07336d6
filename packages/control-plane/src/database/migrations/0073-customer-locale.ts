import type { Migration } from "../migration.ts";

export const customerLocale: Migration = {
  version: 73,
  name: "customer-locale",
  sql: `
-- A null is a language that is not known. A replica of the version before erases it too.
alter table customers add column locale text;
create or replace function erase_address() returns trigger language plpgsql as $$
begin
  new.address := null;
  new.tax_id := null;
  new.locale := null;
  return new;
end
$$;
`,
};
