import { type SelectQueryBuilder, sql } from "kysely";
import { autoTopUpRecord } from "../auto-top-up/settings.ts";
import type { Database } from "../database/connection.ts";
import type { Tables, WalletState, WalletUrgency } from "../database/tables.ts";
import { type TaggedRecord, tagged } from "./edits.ts";

/** A wallet as the admin API answers it: the balance entry of the API (2.1), what kind it is, and how it is. */
export type WalletRecord = {
  readonly customer_id: string;
  readonly credit_currency_key: string;
  readonly kind: "prepaid" | "postpaid";
  readonly state: WalletState;
  readonly urgency: WalletUrgency | null;
  readonly capacity: bigint | null;
  readonly low_threshold: bigint | null;
  readonly available: bigint;
  readonly pending: bigint;
  readonly overage_used: bigint;
  readonly overage_limit: bigint;
  readonly postpaid_used: bigint;
  readonly postpaid_limit: bigint;
  readonly auto_top_up: AutoTopUpRecord | null;
};

type AutoTopUpRecord = {
  readonly below: number;
  readonly credits: number;
  readonly price: { readonly amount: number; readonly currency: string };
  readonly max_per_period: number;
};

/** The wallets of an organisation, as records. */
export function selectWallets(
  database: Pick<Database, "selectFrom">,
  orgId: bigint,
): SelectQueryBuilder<Tables, "wallets", WalletRecord> {
  return database
    .selectFrom("wallets")
    .select(["customer_id", "currency as credit_currency_key", "kind", "state", "urgency"])
    .select([
      "available",
      "pending",
      "overage_used",
      "overage_limit",
      "postpaid_used",
      "postpaid_limit",
      "low_threshold",
    ])
    .select(sql<bigint | null>`wallet_capacity(wallets)`.as("capacity"))
    .select(autoTopUpRecord.as("auto_top_up"))
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
