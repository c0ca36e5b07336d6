import type { Migration } from "../migration.ts";

export const linkMakers: Migration = {
  version: 72,
  name: "link-makers",
  sql: `
-- The person who has made a link, whose rights it needs when it is used: null for an admin token or a command on the machine.
alter table user_links add column maker_id uuid references users;
update user_links set maker_id = users.user_id
  from users
 where ended_at is null
   and (created_by = 'user:' || users.email or starts_with(created_by, 'user:' || users.email || '/'));
`,
};
