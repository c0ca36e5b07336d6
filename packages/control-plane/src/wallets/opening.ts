import type { DatabaseTransaction } from "../database/connection.ts";
import { lockCustomer } from "../database/locks.ts";
import { limitReached, readLimit, requireRoomForCurrencies } from "../limits/limits.ts";
import type { WalletKey } from "./entry.ts";
import { lockOpening, noteOpenings } from "./missing-wallets.ts";

export interface WalletTerms {
  readonly kind: "prepaid" | "postpaid";
  readonly overageLimit: bigint;
  readonly postpaidLimit: bigint;
}

const prepaid: WalletTerms = { kind: "prepaid", overageLimit: 0n, postpaidLimit: 0n };

/**
 * Opens empty wallets where there are none, in one order for all, so that two who open the same do not deadlock. Usage
 * that has waited for one is settled then. Resolves how many there were not; throws a 422, and nothing may be committed
 * then, where a customer would have too many.
 */
export async function openWallets(
  transaction: DatabaseTransaction,
  keys: readonly WalletKey[],
  at: Date,
  terms: WalletTerms = prepaid,
): Promise<number> {
  if (keys.length === 0) return 0;
  // Before the count: two who open at once would each find room.
  for (const { orgId, customerId } of customersOf(keys)) await lockCustomer(transaction, orgId, customerId);
  const sorted = [...keys].sort((a, b) => (a.currency < b.currency ? -1 : 1));
  const [first] = sorted;
  const currencies = sorted.map(({ currency }) => currency);
  if (first !== undefined) await requireRoomForCurrencies(transaction, first.orgId, currencies, at);
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
  if (opened.length === 0) return 0;
  for (const customer of customersOf(opened)) await requireRoom(transaction, customer);
  await noteOpenings(transaction, opened);
  return opened.length;
}

function customersOf(keys: readonly WalletKey[]): readonly WalletKey[] {
  return [...new Map(keys.map((key) => [JSON.stringify([String(key.orgId), key.customerId]), key])).values()];
}

async function requireRoom(
  transaction: DatabaseTransaction,
  { orgId, customerId }: WalletKey,
): Promise<void> {
  const { count } = await transaction
    .selectFrom("wallets")
    .select(({ fn }) => fn.countAll<bigint>().as("count"))
    .where("org_id", "=", orgId)
    .where("customer_id", "=", customerId)
    .executeTakeFirstOrThrow();
  const most = await readLimit(transaction, orgId, "walletsOfCustomer");
  if (Number(count) > most)
    throw limitReached("walletsOfCustomer", most, `${count} for ${JSON.stringify(customerId)}`);
}
