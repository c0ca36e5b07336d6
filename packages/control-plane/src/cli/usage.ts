import { resourceNames } from "./admin/resource-names.ts";
import { commands } from "./config.ts";

const known = Object.entries(commands).map(
  ([name, { summary }]) => `${`creditgate ${name} [options]`.padEnd(34)}${summary}\n`,
);

/** What `creditgate --help` prints. */
export const usage: string = `${known.join("")}
creditgate RESOURCE ACTION        administer a running control plane: ${resourceNames.join(", ")}
creditgate users                  who has an account; a link for one who has lost the password
creditgate doctor                 try a service as a gate would use it, and say what to mend
creditgate explain CODE           what a code of a denial, an error or a log line means, and what to do
creditgate leak                   find work that your application does and nobody pays
creditgate outbox                 look after what a gate could not deliver (@creditgate/sqlite)
creditgate postgres               look after the store and the outboxes of a fleet (@creditgate/postgres)
creditgate redis                  the same (@creditgate/redis)
creditgate --version

With --help each shows its options, as creditgate serve --help and creditgate wallets --help.

CREDITGATE_ADMIN_TOKEN=NAME:TOKEN[,...] opens /admin/api to those who have a token. Without it, and with the embedded
PostgreSQL, there is one in DIR/admin-token; without it, and with DATABASE_URL, there is no /admin/api.
With DATABASE_URL=postgres://... it uses that PostgreSQL instead of the embedded one.
`;
