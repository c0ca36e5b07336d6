import type { Database } from "../database/connection.ts";
import { createLink, hasUsers, linkPath } from "./links.ts";
import type { Site } from "./site.ts";

/** The address that makes the first account, an operator's; `undefined` where there is one. It works once, for a day. */
export async function firstOwnerLink(
  database: Database,
  site: Pick<Site, "address">,
  at: Date,
): Promise<string | undefined> {
  if (await hasUsers(database)) return undefined;
  const { secret } = await createLink(
    database,
    { kind: "first_owner", email: null, createdBy: "creditgate serve", makerId: undefined },
    at,
  );
  return site.address(linkPath(secret));
}
