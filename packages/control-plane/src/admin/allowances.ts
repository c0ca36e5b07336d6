import type { AllowanceChangeRequest } from "@creditgate/admin";
import type { Endpoint } from "@creditgate/client";
import type { Selectable } from "kysely";
import { type AuditAction, audit } from "../audit/audit-log.ts";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import { timeZoneOf } from "../database/existence.ts";
import type { AllowancesTable } from "../database/tables.ts";
import { answer, type Call } from "../endpoint/call.ts";
import type { Answer } from "../endpoint/idempotency.ts";
import type { JsonObject } from "../http/json.ts";
import { isUuid, Problem, unknown } from "../http/problem.ts";
import { createKeyset, listPart, readPart } from "../lists/keyset.ts";
import { checkedMicroCredits } from "../money/decimal.ts";
import type { PeriodSettings } from "../periods/settings.ts";
import {
  type Allowance,
  advance,
  changeAllowance,
  endAllowances,
  makeAllowance,
} from "../wallets/allowances.ts";
import type { Entry } from "../wallets/entry.ts";
import { lockWallets, post } from "../wallets/ledger.ts";
import type { Wallet } from "../wallets/wallet.ts";
import { lockForGrant, tooMuch } from "./grants.ts";
import type { AdminHandlers } from "./table.ts";

const byWallet = createKeyset("asc", [
  ["customer_id", "text"],
  ["currency", "text"],
  ["allowance_id", "uuid"],
]);

/** Credits of prepaid wallets that recur. */
export function allowanceHandlers(database: Database, defaults: Pick<PeriodSettings, "timeZone">) {
  return {
    async allowanceList({ orgId, query }) {
      let allowances = database.selectFrom("allowances").selectAll().where("org_id", "=", orgId);
      if (query.customerId !== undefined) allowances = allowances.where("customer_id", "=", query.customerId);
      const { rows, next } = await readPart(allowances, byWallet, listPart(query));
      return answer(200, { allowances: rows.map(record), next });
    },

    async allowanceCreate(call) {
      const { orgId, actor, at, body, once } = call;
      const { customerId, creditCurrencyKey: currency, reason } = body;
      const { source, every, anchor, priority = 50 } = body;
      const credits = checkedMicroCredits(body.credits);
      const rollover = checkedMicroCredits(body.rollover ?? 0);
      return once(async (transaction) => {
        const wallet = await lockForGrant(transaction, { orgId, customerId, currency });
        const { timeZone = await timeZoneOf(transaction, orgId, defaults) } = body;
        const due = await advance(transaction, wallet, at);
        const terms = { source, priority, credits, rollover, every, anchor, timeZone, orderId: null };
        const made = await makeAllowance(transaction, wallet, terms, at);
        if (made === undefined) throw tooMuch();
        await post(transaction, [wallet], [...due.entries, ...made.entries], at);
        const after = await readAllowance(transaction, orgId, made.allowanceId);
        const subject = { customer: customerId, currency, allowance: made.allowanceId, reason };
        await audit(transaction, { orgId, actor, action: "allowance.create", subject, after }, at);
        return answer(200, after);
      });
    },

    allowanceChange: (call) =>
      changing(database, call, "allowance.change", async (transaction, wallet, allowance) => {
        const terms = { ...allowance, ...termsIn(call.body) };
        const entries = await changeAllowance(transaction, wallet, allowance, terms, call.at);
        if (entries === undefined) throw tooMuch();
        return entries;
      }),

    allowanceEnd: (call) =>
      changing(database, call, "allowance.end", async (transaction, { orgId }, allowance) => {
        await endAllowances(transaction, orgId, [allowance]);
        return [];
      }),
  } satisfies Partial<AdminHandlers>;
}

function termsIn({ credits, rollover }: AllowanceChangeRequest): Partial<Allowance> {
  return {
    ...(credits === undefined ? {} : { credits: checkedMicroCredits(credits) }),
    ...(rollover === undefined ? {} : { rollover: checkedMicroCredits(rollover) }),
  };
}

/** Changes an allowance that has not ended, under the lock of its wallet. */
function changing<Body extends { readonly reason: string }>(
  database: Database,
  call: Pick<Call<Endpoint<Body, unknown, "allowanceId">>, "orgId" | "params" | "actor" | "at" | "body">,
  action: AuditAction,
  change: (
    transaction: DatabaseTransaction,
    wallet: Wallet,
    allowance: Allowance,
  ) => Promise<readonly Entry[]>,
): Promise<Answer> {
  const { orgId, actor, at } = call;
  const allowanceId = call.params.allowanceId.toLowerCase();
  return database.transaction().execute(async (transaction) => {
    const { customerId, creditCurrencyKey: currency } = await readAllowance(transaction, orgId, allowanceId);
    const [wallet] = await lockWallets(transaction, [{ orgId, customerId, currency }]);
    if (wallet === undefined) throw unknown("wallet", currency);
    const due = await advance(transaction, wallet, at);
    const allowance = due.allowances.find((own) => own.allowanceId === allowanceId);
    if (allowance === undefined)
      throw new Problem(409, "allowance_over", "expected an allowance that goes on, received one that ended");
    const before = await readAllowance(transaction, orgId, allowanceId);
    const entries = await change(transaction, wallet, allowance);
    await post(transaction, [wallet], [...due.entries, ...entries], at);
    const after = await readAllowance(transaction, orgId, allowanceId);
    const subject = { customer: customerId, currency, allowance: allowanceId, reason: call.body.reason };
    await audit(transaction, { orgId, actor, action, subject, before, after }, at);
    return answer(200, after);
  });
}

async function readAllowance(transaction: DatabaseTransaction, orgId: bigint, allowanceId: string) {
  const row = isUuid(allowanceId)
    ? await transaction
        .selectFrom("allowances")
        .selectAll()
        .where("org_id", "=", orgId)
        .where("allowance_id", "=", allowanceId)
        .executeTakeFirst()
    : undefined;
  if (row === undefined) throw unknown("allowance", allowanceId);
  return record(row);
}

function record(row: Selectable<AllowancesTable>) {
  return {
    allowanceId: row.allowance_id,
    customerId: row.customer_id,
    creditCurrencyKey: row.currency,
    credits: row.credits,
    rollover: row.rollover,
    every: row.every,
    anchor: row.anchor,
    timeZone: row.time_zone,
    source: row.source,
    priority: row.priority,
    orderId: row.order_id,
    grantId: row.grant_id,
    period: row.period.toISOString(),
    nextAt: row.next_at?.toISOString() ?? null,
  } satisfies JsonObject;
}
