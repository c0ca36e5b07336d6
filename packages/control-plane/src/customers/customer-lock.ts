import type { DatabaseTransaction } from "../database/connection.ts";

/**
 * Lets one transaction at a time change the orders of a customer; it comes before the locks of wallets. Usage and
 * top-ups do not wait for it. `false` where there is no such customer.
 */
export async function lockCustomer(
  transaction: DatabaseTransaction,
  orgId: bigint,
  customerId: string,
): Promise<boolean> {
  const customer = await transaction
    .selectFrom("customers")
    .select("external_id")
    .where("org_id", "=", orgId)
    .where("external_id", "=", customerId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return customer !== undefined;
}
