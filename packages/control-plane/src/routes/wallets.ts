import type { Endpoints, WalletTopUp } from "@creditgate/client";
import { type RawBuilder, sql } from "kysely";
import { audit } from "../audit/audit-log.ts";
import { type AskedBudgets, type BudgetReading, budgetsOf } from "../budgets/reading.ts";
import type { Database } from "../database/connection.ts";
import type { WalletsTable } from "../database/tables.ts";
import { answer, type Handler, type Handlers } from "../endpoint/call.ts";
import type { Answer } from "../endpoint/idempotency.ts";
import type { Json } from "../http/json.ts";
import { Problem, requireCustomer, unknown } from "../http/problem.ts";
import { invalid } from "../http/validation.ts";
import { maxCredits, microCredits } from "../money/decimal.ts";
import { type Credit, type TopUpResult, topUpWallets } from "../wallets/top-up.ts";

/** Balances and top-ups (API, section 4.1). */
export function walletHandlers(database: Database) {
  return {
    async walletBalance({ orgId, at, query: { customer_id } }) {
      const found = await readBalances(database, orgId, customer_id, at);
      if (found === undefined) throw unknown("customer", customer_id);
      return answer(200, { balances: balancesOf(found) });
    },

    async walletBudgets({ orgId, at, body: { customer_id, budgets } }) {
      const found = await readBalances(database, orgId, customer_id, at, budgets);
      if (found === undefined) throw unknown("customer", customer_id);
      return answer(200, { balances: balancesOf(found), budgets: budgetsOf(budgets, found.budgets) });
    },

    walletTopUp: (call) => topUp(call),
  } satisfies Partial<Handlers<Endpoints>>;
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

function balancesOf({ wallets }: Balances): Json {
  return new Map(wallets.map((wallet) => [wallet.currency, entryOf(wallet)]));
}

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
    ...(wallet.expiring === null ? {} : { expiring: wallet.expiring.map(expiryOf) }),
  };
}

function expiryOf({ at, credits }: Expiry): Json {
  return { at: new Date(at).toISOString(), credits: BigInt(credits) };
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
  /** What expires next, of a wallet with grants. */
  readonly expiring: readonly Expiry[] | null;
}

interface Expiry {
  readonly at: string;
  /** Micro-credits, as text. */
  readonly credits: string;
}

interface Balances {
  readonly wallets: readonly WalletBalances[];
  readonly budgets: readonly BudgetReading[];
}

/**
 * All wallets of a customer, each with what it will still be debited, and the budgets that are asked for; `undefined` if there is no
 * such customer.
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
  at: Date,
  budgets?: AskedBudgets,
): Promise<Balances | undefined> {
  type Row = Omit<WalletBalances, "unsettled"> & { readonly unsettled: string };
  type Common = { readonly isKnown: boolean; readonly budgets?: readonly BudgetReading[] | null };
  const read =
    budgets === undefined ? sql`` : sql`, (${readBudgets(orgId, customerId, budgets, at)}) as budgets`;
  const { rows } = await sql<Common & (Row | { readonly currency: null })>`
    select standby${budgets === undefined ? sql`` : sql`, budgets`}, customer.external_id is not null as "isKnown", wallet.currency, kind, pending,
           case when grants_at <= ${at} then greatest(0, available - expired_credits(wallet.org_id, wallet.customer_id, wallet.currency, ${at}))::bigint
                else available end as available,
           case when grants_at is not null then expiring_credits(wallet.org_id, wallet.customer_id, wallet.currency, ${at}) end as expiring,
           overage_used, overage_limit, postpaid_used, postpaid_limit,
           unsettled_usage(wallet.org_id, wallet.customer_id, wallet.currency) as unsettled
      from (select case when pg_is_in_recovery() then txid_current() end as standby${read}) as server
      left join customers as customer on (customer.org_id, customer.external_id) = (${orgId}, ${customerId})
      left join wallets as wallet on (wallet.org_id, wallet.customer_id) = (customer.org_id, customer.external_id)
     order by wallet.currency`.execute(database);
  if (!rows.some(({ isKnown }) => isKnown)) return undefined;
  const wallets = rows.flatMap((row) =>
    row.currency === null ? [] : [{ ...row, unsettled: BigInt(row.unsettled) }],
  );
  return { wallets, budgets: rows[0]?.budgets ?? [] };
}

/** In JSON, whose numbers would not hold all amounts. */
function readBudgets(orgId: bigint, customerId: string, asked: AskedBudgets, at: Date): RawBuilder<unknown> {
  const pairs = Object.entries(asked).flatMap(([currency, keys]) =>
    keys.map((key) => [currency, key] as const),
  );
  return sql`
    select json_agg(json_build_object('currency', currency, 'key', key, 'credit_limit', credit_limit::text, 'used', used::text,
                                      'unsettled', unsettled::text, 'period', period, 'resets_at', resets_at))
      from budgets_at(${orgId}, ${customerId}, ${pairs.map(([currency]) => currency)}::text[],
                      ${pairs.map(([, key]) => key)}::text[], ${at}::timestamptz)`;
}
