import { type SelectQueryBuilder, sql } from "kysely";
import { autoTopUpRecord } from "../auto-top-up/settings.ts";
import type { Database } from "../database/connection.ts";
import type { Tables, WalletState, WalletUrgency } from "../database/tables.ts";
import { type TaggedRecord, tagged } from "./edits.ts";

/** A wallet as the admin API answers it: the balance entry of the API (2.1), what kind it is, and how it is. */
export type WalletRecord = {
  readonly customerId: string;
  readonly creditCurrencyKey: string;
  readonly kind: "prepaid" | "postpaid";
  readonly state: WalletState;
  readonly urgency: WalletUrgency | null;
  readonly capacity: bigint | null;
  readonly lowThreshold: bigint | null;
  readonly available: bigint;
  readonly pending: bigint;
  readonly overageUsed: bigint;
  readonly overageLimit: bigint;
  readonly postpaidUsed: bigint;
  readonly postpaidLimit: bigint;
  readonly autoTopUp: AutoTopUpRecord | null;
};

type AutoTopUpRecord = {
  readonly below: number;
  readonly credits: number;
  readonly price: { readonly amount: number; readonly currency: string };
  readonly maxPerPeriod: number;
};

/** The wallets of an organisation, as records. */
export function selectWallets(
  database: Pick<Database, "selectFrom">,
  orgId: bigint,
): SelectQueryBuilder<Tables, "wallets", WalletRecord> {
  return database
    .selectFrom("wallets")
    .select(["customer_id as customerId", "currency as creditCurrencyKey", "kind", "state", "urgency"])
    .select([
      "available",
      "pending",
      "overage_used as overageUsed",
      "overage_limit as overageLimit",
      "postpaid_used as postpaidUsed",
      "postpaid_limit as postpaidLimit",
      "low_threshold as lowThreshold",
    ])
    .select(sql<bigint | null>`wallet_capacity(wallets)`.as("capacity"))
    .select(autoTopUpRecord.as("autoTopUp"))
    .where("org_id", "=", orgId);
}

/** The wallets of some customers, or one of theirs. */
export async function readWallets(
  database: Pick<Database, "selectFrom">,
  orgId: bigint,
  customerIds: readonly string[],
  currency?: string,
): Promise<TaggedRecord<WalletRecord>[]> {
  if (customerIds.length === 0) return [];
  let query = selectWallets(database, orgId).where("customer_id", "in", customerIds).orderBy("currency");
  if (currency !== undefined) query = query.where("currency", "=", currency);
  return (await query.execute()).map((wallet) => tagged("wallet.limits", wallet));
}
