import type { Endpoint } from "@creditgate/client";
import type { Selectable } from "kysely";
import { type AuditAction, audit } from "../audit/audit-log.ts";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import type { GrantsTable } from "../database/tables.ts";
import { answer, type Call } from "../endpoint/call.ts";
import type { Answer } from "../endpoint/idempotency.ts";
import type { JsonObject } from "../http/json.ts";
import { isUuid, Problem, requireUnerased, unknown } from "../http/problem.ts";
import { createKeyset, listPart, readPart } from "../lists/keyset.ts";
import { checkedMicroCredits } from "../money/decimal.ts";
import { advance } from "../wallets/allowances.ts";
import type { Entry, WalletKey } from "../wallets/entry.ts";
import { addGrant, grantRow, newGrant, takeBack } from "../wallets/grants.ts";
import { lockWallets, post, unsettledOf } from "../wallets/ledger.ts";
import type { Grant, Wallet } from "../wallets/wallet.ts";
import type { AdminHandlers } from "./table.ts";

const byBeginning = createKeyset("asc", [
  ["customer_id", "text"],
  ["currency", "text"],
  ["effective_at", "timestamptz"],
  ["grant_id", "uuid"],
]);

/** Each debit of a wallet reads those that are not over. */
const mostOpen = 1_000;

/** Credits of prepaid wallets that expire, or are spent before or after others. */
export function grantHandlers(database: Database) {
  return {
    async grantList({ orgId, query }) {
      let grants = database.selectFrom("grants").selectAll().where("org_id", "=", orgId);
      if (query.customerId !== undefined) grants = grants.where("customer_id", "=", query.customerId);
      if (query.state !== undefined) grants = grants.where("state", "=", query.state);
      const { rows, next } = await readPart(grants, byBeginning, listPart(query));
      return answer(200, { grants: rows.map(record), next });
    },

    async grantCreate(call) {
      const { orgId, actor, at, body, once } = call;
      const { customerId, creditCurrencyKey: currency, source, priority = 50, reason } = body;
      const amount = checkedMicroCredits(body.credits);
      const effectiveAt = body.effectiveAt === undefined ? at : new Date(body.effectiveAt);
      const expiresAt = body.expiresAt === undefined ? null : new Date(body.expiresAt);
      return once(async (transaction) => {
        // Not before: a repetition is answered as the first was, also after these instants.
        if (effectiveAt < at) throw outOfTime("effectiveAt", "expected none before now", effectiveAt);
        if (expiresAt !== null && (expiresAt <= at || expiresAt <= effectiveAt))
          throw outOfTime("expiresAt", "expected one after now and after effectiveAt", expiresAt);
        const wallet = await lockForGrant(transaction, { orgId, customerId, currency });
        const terms = { source, priority, amount, effectiveAt, expiresAt, orderId: null, allowanceId: null };
        const grant = newGrant(terms);
        addGrant(wallet, grant);
        const { entries } = await advance(transaction, wallet, at);
        await post(transaction, [wallet], entries, at);
        if (grant.state === "scheduled" && effectiveAt <= at) throw tooMuch();
        const after = record(grantRow(wallet, grant));
        const subject = { customer: customerId, currency, grant: grant.grantId, reason };
        await audit(transaction, { orgId, actor, action: "grant.create", subject, after }, at);
        return answer(200, after);
      });
    },

    grantExtend: (call) =>
      changing(database, call, "grant.extend", async (_, grant) => {
        const expiresAt = new Date(call.body.expiresAt);
        if (grant.expiresAt?.getTime() === expiresAt.getTime()) return [];
        if (grant.expiresAt === null || expiresAt <= grant.expiresAt)
          throw outOfTime("expiresAt", "expected one later than before", expiresAt);
        grant.expiresAt = expiresAt;
        return [];
      }),

    grantVoid: (call) =>
      changing(database, call, "grant.void", async (transaction, grant, wallet) => {
        const entries = takeBack(wallet, grant, await unsettledOf(transaction, wallet));
        if (entries === undefined)
          throw new Problem(
            422,
            "credits_used",
            "expected credits that accepted usage does not need, received none",
          );
        return entries;
      }),
  } satisfies Partial<AdminHandlers>;
}

/** Locks the wallet of a grant that is to be made. */
export async function lockForGrant(transaction: DatabaseTransaction, key: WalletKey): Promise<Wallet> {
  await requireUnerased(transaction, key.orgId, key.customerId);
  const [wallet] = await lockWallets(transaction, [key]);
  if (wallet === undefined) throw unknown("wallet", key.currency);
  if (wallet.kind === "postpaid")
    throw new Problem(422, "wallet_postpaid", "expected a prepaid wallet, received a postpaid one");
  if (wallet.grants.length >= mostOpen)
    throw new Problem(422, "too_many_grants", `expected at most ${mostOpen} grants, received one more`);
  return wallet;
}

export function tooMuch(): Problem {
  const detail = "credits: expected what the wallet can hold, received more";
  return new Problem(422, "amount_out_of_range", detail);
}

/** Changes a grant that has not expired, under the lock of its wallet. */
function changing<Body extends { readonly reason: string }>(
  database: Database,
  call: Pick<Call<Endpoint<Body, unknown, "grantId">>, "orgId" | "params" | "actor" | "at" | "body">,
  action: AuditAction,
  change: (transaction: DatabaseTransaction, grant: Grant, wallet: Wallet) => Promise<readonly Entry[]>,
): Promise<Answer> {
  const { orgId, params, actor, at, body } = call;
  const { grantId } = params;
  if (!isUuid(grantId)) throw unknown("grant", grantId);
  return database.transaction().execute(async (transaction) => {
    const found = await transaction
      .selectFrom("grants")
      .select(["customer_id as customerId", "currency"])
      .where("org_id", "=", orgId)
      .where("grant_id", "=", grantId)
      .executeTakeFirst();
    if (found === undefined) throw unknown("grant", grantId);
    const [wallet] = await lockWallets(transaction, [{ orgId, ...found }]);
    const grant = wallet?.grants.find((open) => open.grantId === grantId.toLowerCase());
    const hasExpired =
      grant?.state === "expired" || (grant?.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY) <= at.getTime();
    if (wallet === undefined || grant === undefined || hasExpired)
      throw new Problem(
        409,
        "grant_over",
        "expected a grant that has not expired or ended, received one that has",
      );
    const before = record(grantRow(wallet, grant));
    await post(transaction, [wallet], await change(transaction, grant, wallet), at);
    const after = record(grantRow(wallet, grant));
    const subject = {
      customer: wallet.customerId,
      currency: wallet.currency,
      grant: grantId,
      reason: body.reason,
    };
    await audit(transaction, { orgId, actor, action, subject, before, after }, at);
    return answer(200, after);
  });
}

function outOfTime(field: string, expected: string, received: Date): Problem {
  return new Problem(422, "grant_out_of_time", `${field}: ${expected}, received ${received.toISOString()}`);
}

type GrantRow = Selectable<GrantsTable>;

function record(row: GrantRow): JsonObject {
  return {
    grantId: row.grant_id,
    customerId: row.customer_id,
    creditCurrencyKey: row.currency,
    source: row.source,
    priority: row.priority,
    credits: row.amount,
    remaining: row.remaining,
    state: row.state,
    effectiveAt: row.effective_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    orderId: row.order_id,
    allowanceId: row.allowance_id,
  };
}
