import type { DatabaseTransaction } from "../database/connection.ts";
import type { WalletKey } from "./ledger.ts";
import { lockOpening, noteOpenings } from "./missing-wallets.ts";

export interface WalletTerms {
  readonly kind: "prepaid" | "postpaid";
  readonly overageLimit: bigint;
  readonly postpaidLimit: bigint;
}

const prepaid: WalletTerms = { kind: "prepaid", overageLimit: 0n, postpaidLimit: 0n };

/**
 * Opens empty wallets where there are none, in one order for all, so that two who open the same do not deadlock. Usage
 * that has waited for one is settled then. Resolves how many there were not.
 */
export async function openWallets(
  transaction: DatabaseTransaction,
  keys: readonly WalletKey[],
  at: Date,
  terms: WalletTerms = prepaid,
): Promise<number> {
  if (keys.length === 0) return 0;
  const sorted = [...keys].sort((a, b) => (a.currency < b.currency ? -1 : 1));
  await lockOpening(transaction, sorted);
  const opened = await transaction
    .insertInto("wallets")
    .values(
      sorted.map(({ orgId, customerId, currency }) => ({
        org_id: orgId,
        customer_id: customerId,
        currency,
        kind: terms.kind,
        available: 0n,
        pending: 0n,
        overage_used: 0n,
        overage_limit: terms.overageLimit,
        postpaid_used: 0n,
        postpaid_limit: terms.postpaidLimit,
        accrues_from: at,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(["org_id as orgId", "customer_id as customerId", "currency"])
    .execute();
  if (opened.length > 0) await noteOpenings(transaction, opened);
  return opened.length;
}
