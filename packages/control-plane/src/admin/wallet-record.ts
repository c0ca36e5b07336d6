import type { Database } from "../database/connection.ts";

/** A wallet as the admin API answers it: the balance entry of the API (2.1), and what kind it is. */
export type WalletRecord = {
  readonly customer_id: string;
  readonly credit_currency_key: string;
  readonly kind: "prepaid" | "postpaid";
  readonly available: bigint;
  readonly pending: bigint;
  readonly overage_used: bigint;
  readonly overage_limit: bigint;
  readonly postpaid_used: bigint;
  readonly postpaid_limit: bigint;
};

/** The wallets of some customers, or one of theirs. */
export async function readWallets(
  database: Pick<Database, "selectFrom">,
  orgId: bigint,
  customerIds: readonly string[],
  currency?: string,
): Promise<WalletRecord[]> {
  if (customerIds.length === 0) return [];
  let query = database
    .selectFrom("wallets")
    .select(["customer_id", "currency as credit_currency_key", "kind", "available", "pending"])
    .select(["overage_used", "overage_limit", "postpaid_used", "postpaid_limit"])
    .where("org_id", "=", orgId)
    .where("customer_id", "in", customerIds)
    .orderBy("currency");
  if (currency !== undefined) query = query.where("currency", "=", currency);
  return query.execute();
}
