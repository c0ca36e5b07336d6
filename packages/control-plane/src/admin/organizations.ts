import { type Selectable, sql } from "kysely";
import { audit } from "../audit/audit-log.ts";
import type { Database } from "../database/connection.ts";
import { lockOrganization } from "../database/locks.ts";
import type { Tables } from "../database/tables.ts";
import { answer } from "../endpoint/call.ts";
import { errorCode } from "../errors/control-plane-error.ts";
import type { JsonObject } from "../http/json.ts";
import { Problem } from "../http/problem.ts";
import { invalid } from "../http/validation.ts";
import { createKeyset, listPart, readPart } from "../lists/keyset.ts";
import { checkedMicroCredits } from "../money/decimal.ts";
import { closePeriods } from "../periods/period.ts";
import type { PeriodSettings } from "../periods/settings.ts";
import { auditEdit, type TaggedRecord, tagged } from "./edits.ts";
import type { AdminHandlers } from "./table.ts";

const byAge = createKeyset("asc", [["org_id", "bigint"]]);

/** Organisations, their billing periods, and closing these by hand. */
export function organizationHandlers(database: Database, defaults: PeriodSettings) {
  return {
    async organizationList({ query, visitor: { person, isOperator } }) {
      let organizations = database.selectFrom("organizations").selectAll();
      if (!isOperator) {
        const own = database
          .selectFrom("members")
          .select("org_id")
          .where("user_id", "=", person?.userId ?? null);
        organizations = organizations.where("org_id", "in", own);
      }
      const { rows, next } = await readPart(organizations, byAge, listPart(query));
      return answer(200, { organizations: rows.map(described), next });
    },

    async organizationCreate({ actor, at, body: { name } }) {
      const organization = await database.transaction().execute(async (transaction) => {
        const created = await transaction
          .insertInto("organizations")
          .values({ name, created_at: at })
          .onConflict((conflict) => conflict.doNothing())
          .returningAll()
          .executeTakeFirst();
        if (created === undefined) {
          const detail = `name: expected one that is free, received ${JSON.stringify(name)}`;
          throw new Problem(409, "organization_exists", detail);
        }
        const change = { orgId: created.org_id, actor, subject: name, after: record(created) };
        await audit(transaction, { action: "organization.create", ...change }, at);
        return described(created);
      });
      return answer(201, organization);
    },

    async organizationSettings(call) {
      const { orgId, body } = call;
      await requireTimeZone(database, body.timeZone);
      const organization = await database.transaction().execute(async (transaction) => {
        const before = await lockOrganization(transaction, orgId);
        const { billingPeriod, billingAnchor, timeZone, lowThreshold } = body;
        const { usageKeptMonths, answersKeptMonths, auditKeptMonths, ledgerKeptMonths } = body;
        const next = {
          billing_period: billingPeriod === undefined ? before.billing_period : billingPeriod,
          billing_anchor: billingAnchor === undefined ? before.billing_anchor : billingAnchor,
          time_zone: timeZone === undefined ? before.time_zone : timeZone,
          low_threshold: thresholdOf(lowThreshold, before.low_threshold),
          usage_kept_months: usageKeptMonths === undefined ? before.usage_kept_months : usageKeptMonths,
          answers_kept_months:
            answersKeptMonths === undefined ? before.answers_kept_months : answersKeptMonths,
          audit_kept_months: auditKeptMonths === undefined ? before.audit_kept_months : auditKeptMonths,
          ledger_kept_months: ledgerKeptMonths === undefined ? before.ledger_kept_months : ledgerKeptMonths,
        };
        const isWeekly = (next.billing_period ?? defaults.period) === "weekly";
        if (isWeekly && (next.billing_anchor ?? 1) > 7) {
          const detail = `expected a day of the week, 1 to 7, received ${next.billing_anchor}`;
          throw invalid([{ pointer: "/billingAnchor", detail }]);
        }
        await transaction.updateTable("organizations").set(next).where("org_id", "=", orgId).execute();
        const after = { ...before, ...next };
        const change = { orgId, subject: before.name, before: record(before), after: record(after) };
        const current = described(before);
        await auditEdit(transaction, call, { action: "organization.settings", current, ...change });
        return described(after);
      });
      return answer(200, organization);
    },

    async periodClose({ orgId, actor, at: now, body: { early = false } }) {
      return answer(200, { ...(await closePeriods({ database, defaults, now, orgId, early, actor })) });
    },
  } satisfies Partial<AdminHandlers>;
}

/** One that PostgreSQL did not know would keep the periods of all organisations from being closed. */
async function requireTimeZone(database: Database, zone: string | null | undefined): Promise<void> {
  if (zone === null || zone === undefined) return;
  try {
    await sql`select now() at time zone ${zone}`.execute(database);
  } catch (error) {
    if (errorCode(error) !== "22023") throw error;
    const detail = `expected a time zone that PostgreSQL knows, received ${JSON.stringify(zone)}`;
    throw invalid([{ pointer: "/timeZone", detail }]);
  }
}

function described(organization: Selectable<Tables["organizations"]>): TaggedRecord {
  return tagged("organization.settings", record(organization));
}

function record(organization: Selectable<Tables["organizations"]>): JsonObject {
  return {
    organizationId: String(organization.org_id),
    name: organization.name,
    billingPeriod: organization.billing_period,
    billingAnchor: organization.billing_anchor,
    timeZone: organization.time_zone,
    lowThreshold: organization.low_threshold,
    usageKeptMonths: organization.usage_kept_months,
    answersKeptMonths: organization.answers_kept_months,
    auditKeptMonths: organization.audit_kept_months,
    ledgerKeptMonths: organization.ledger_kept_months,
    createdAt: organization.created_at.toISOString(),
  };
}

function thresholdOf(credits: number | null | undefined, before: bigint | null): bigint | null {
  if (credits === undefined) return before;
  return credits === null ? null : checkedMicroCredits(credits);
}
