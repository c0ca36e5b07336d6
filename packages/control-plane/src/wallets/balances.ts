import { sql } from "kysely";
import type { Database } from "../database/connection.ts";
import type { WalletsTable } from "../database/tables.ts";

export interface WalletBalances
  extends Omit<WalletsTable, "org_id" | "customer_id" | "accrues_from" | "state"> {
  /** Micro-credits of usage that is accepted and will be debited from this wallet. May be more than a `bigint` column holds. */
  readonly unsettled: bigint;
}

/**
 * All wallets of a customer, each with what it will still be debited; `undefined` if there is no such customer.
 *
 * One statement, since usage that is settled between two would be in neither or in both. A transaction would not do: in
 * READ COMMITTED each of its statements sees another instant. Usage that waits for a wallet which is open by now counts,
 * although it has an outcome: it is settled anew. On a standby, whose wallets are old, asking for a transaction id fails
 * with the SQLSTATE of a server that can only read, so the answer is 503 and the connection is not used again.
 */
export async function readBalances(
  database: Database,
  orgId: bigint,
  customerId: string,
): Promise<readonly WalletBalances[] | undefined> {
  type Row = Omit<WalletBalances, "unsettled"> & { readonly unsettled: string };
  const { rows } = await sql<{ readonly isKnown: boolean } & (Row | { readonly currency: null })>`
    select standby, customer.external_id is not null as "isKnown", wallet.currency, kind, available, pending,
           overage_used, overage_limit, postpaid_used, postpaid_limit,
           unsettled_usage(wallet.org_id, wallet.customer_id, wallet.currency) as unsettled
      from (select case when pg_is_in_recovery() then txid_current() end as standby) as server
      left join customers as customer on (customer.org_id, customer.external_id) = (${orgId}, ${customerId})
      left join wallets as wallet on (wallet.org_id, wallet.customer_id) = (customer.org_id, customer.external_id)
     order by wallet.currency`.execute(database);
  if (!rows.some(({ isKnown }) => isKnown)) return undefined;
  return rows.flatMap((row) => (row.currency === null ? [] : [{ ...row, unsettled: BigInt(row.unsettled) }]));
}
