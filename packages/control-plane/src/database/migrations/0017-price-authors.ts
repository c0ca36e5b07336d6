import type { Migration } from "../migration.ts";

export const priceAuthors: Migration = {
  version: 17,
  name: "price-authors",
  sql: `
-- Who set a version: what administrators have set, a fixture does not take back. Null: a fixture, before this was noted.
alter table prices add column set_by text;
alter table agents add column edited_by text;
`,
};
