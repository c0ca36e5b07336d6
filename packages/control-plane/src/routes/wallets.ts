import type { Endpoints, WalletTopUp } from "@creditgate/client";
import { sql } from "kysely";
import { audit } from "../audit/audit-log.ts";
import type { Database } from "../database/connection.ts";
import type { WalletsTable } from "../database/tables.ts";
import { answer, type Handler, type Handlers } from "../http/call.ts";
import type { Answer } from "../http/idempotency.ts";
import type { Json } from "../http/json.ts";
import { Problem } from "../http/problem.ts";
import { requireCustomer, unknown } from "../http/references.ts";
import { invalid } from "../http/validation.ts";
import { maxCredits, microCredits } from "../money/decimal.ts";
import { type Credit, type TopUpResult, topUpWallets } from "../wallets/top-up.ts";

/** Balances and top-ups (API, section 4.1). */
export function walletHandlers(
  database: Database,
): Pick<Handlers<Endpoints>, "walletBalance" | "walletTopUp"> {
  return {
    async walletBalance({ orgId, query: { customer_id } }) {
      const wallets = await readBalances(database, orgId, customer_id);
      if (wallets === undefined) throw unknown("customer", customer_id);
      const balances = new Map<string, Json>(wallets.map((wallet) => [wallet.currency, entryOf(wallet)]));
      return answer(200, { balances });
    },

    walletTopUp: (call) => topUp(call),
  };
}

/** Each is an entry of the ledger, of those that one transaction writes. */
const mostTopUps = 500;

/** Tops up wallets of a customer, for one who may; what could not be done is in the answer. A reason is for the audit log. */
export const topUp = async (
  { orgId, actor, at, body, once }: Parameters<Handler<Endpoints["walletTopUp"]>>[0],
  reason?: string,
): Promise<Answer> => {
  const { customer_id, top_ups } = body;
  if (top_ups.length > mostTopUps) {
    const detail = `top_ups: expected at most ${mostTopUps} in a request, received ${top_ups.length}`;
    throw new Problem(422, "too_many_top_ups", detail);
  }
  const credits = top_ups.map(creditOf);
  return once(async (transaction) => {
    await requireCustomer(transaction, orgId, customer_id);
    const { results, before, after } = await topUpWallets(transaction, orgId, customer_id, credits, at);
    // A payment is delivered again, with its key, until there is a wallet for it: that must not get this answer then.
    if (!results.some(({ success }) => success)) return { ...answer(200, report(results)), idle: true };
    const subject = reason === undefined ? customer_id : { customer: customer_id, reason };
    const change = { subject, before, after };
    await audit(transaction, { orgId, actor, action: "wallet.top_up", ...change }, at);
    return answer(200, report(results));
  });
};

function entryOf(wallet: WalletBalances): Json {
  return {
    available: wallet.available,
    pending: wallet.pending,
    overage_used: wallet.overage_used,
    overage_limit: wallet.overage_limit,
    postpaid_used: wallet.postpaid_used,
    postpaid_limit: wallet.postpaid_limit,
    unsettled: wallet.unsettled,
    kind: wallet.kind,
  };
}

function creditOf({ credit_currency_key, credits }: WalletTopUp, index: number): Credit {
  const amount = credits > maxCredits ? undefined : microCredits(credits);
  if (amount !== undefined) return { currency: credit_currency_key, amount };
  throw invalid([
    {
      pointer: `/top_ups/${index}/credits`,
      detail: `expected at most ${maxCredits} credits with at most 6 decimals, received ${credits}`,
    },
  ]);
}

function report(results: readonly TopUpResult[]): Json {
  const done = results.filter(({ success }) => success).length;
  return {
    message: `${done} of ${results.length} wallets topped up`,
    results: results.map(({ currency, ...rest }) => ({ credit_currency_key: currency, ...rest })),
  };
}

interface WalletBalances extends Omit<WalletsTable, "org_id" | "customer_id" | "accrues_from" | "state"> {
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
