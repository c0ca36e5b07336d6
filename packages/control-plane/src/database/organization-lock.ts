import type { Selectable } from "kysely";
import type { DatabaseTransaction } from "./connection.ts";
import type { Tables } from "./tables.ts";

/** Lets one transaction at a time change what an organisation has. Usage, money and lists do not wait for it. */
export function lockOrganization(
  transaction: DatabaseTransaction,
  orgId: bigint,
): Promise<Selectable<Tables["organizations"]>> {
  return transaction
    .selectFrom("organizations")
    .selectAll()
    .where("org_id", "=", orgId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}
