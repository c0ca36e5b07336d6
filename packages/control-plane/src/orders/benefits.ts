import type { DatabaseTransaction } from "../database/connection.ts";
import { sumByCurrency } from "../invoices/creation.ts";
import type { Credit } from "../wallets/top-up.ts";

/** The credits that come with an order, one amount per currency. */
export async function benefitsOf(
  transaction: DatabaseTransaction,
  orgId: bigint,
  orderId: string,
): Promise<readonly Credit[]> {
  const benefits = await transaction
    .selectFrom("credit_benefits")
    .select(["currency", "amount"])
    .where("org_id", "=", orgId)
    .where("order_id", "=", orderId)
    .execute();
  return sumByCurrency(benefits);
}
