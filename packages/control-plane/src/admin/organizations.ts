import {
  type OrganizationSettingsRequest,
  organizationCreateRequest,
  organizationSettingsRequest,
  periodCloseRequest,
} from "@creditgate/client/admin";
import { Router } from "express";
import { type Selectable, sql } from "kysely";
import { z } from "zod";
import type { Database } from "../database/connection.ts";
import type { Tables } from "../database/tables.ts";
import { errorCode } from "../errors/error-code.ts";
import { type JsonObject, sendJson } from "../http/json.ts";
import { Problem } from "../http/problem.ts";
import { invalid, parse } from "../http/validation.ts";
import { closePeriods } from "../periods/period.ts";
import { isTimeZone, type PeriodSettings } from "../periods/settings.ts";
import type { Clock } from "../time/clock.ts";
import { audit } from "./audit-log.ts";
import { administrator } from "./authentication.ts";
import { longPage, organizationOf, organizationPath, parseQuery } from "./scope.ts";

const query = z.object(longPage);

/** `null` takes a setting back: the server's holds then. */
const settings: z.ZodType<OrganizationSettingsRequest> = organizationSettingsRequest.refine(
  ({ timeZone }) => timeZone === null || timeZone === undefined || isTimeZone(timeZone),
  { path: ["timeZone"], message: "expected a time zone such as Europe/Amsterdam" },
);

/** Organisations, their billing periods, and closing these by hand. */
export function organizationRoutes(database: Database, clock: Clock, defaults: PeriodSettings): Router {
  const router = Router();

  router.get("/admin/api/organizations", async (request, response) => {
    const { page, limit } = parseQuery(query, request);
    const rows = await database
      .selectFrom("organizations")
      .selectAll()
      .orderBy("org_id")
      .limit(limit)
      .offset(BigInt(page - 1) * BigInt(limit))
      .execute();
    sendJson(response, 200, { organizations: rows.map(record), page, limit });
  });

  router.post("/admin/api/organizations", async (request, response) => {
    const { name } = parse(organizationCreateRequest, request.body, "body");
    const at = new Date(clock.now());
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
      const after = record(created);
      const who = { orgId: created.org_id, actor: administrator(response) };
      await audit(transaction, { ...who, action: "organization.create", subject: name, after }, at);
      return after;
    });
    sendJson(response, 201, organization);
  });

  router.post(`${organizationPath}/settings`, async (request, response) => {
    const body = parse(settings, request.body, "body");
    await requireTimeZone(database, body.timeZone);
    const orgId = await organizationOf(database, request);
    const at = new Date(clock.now());
    const organization = await database.transaction().execute(async (transaction) => {
      const before = await transaction
        .selectFrom("organizations")
        .selectAll()
        .where("org_id", "=", orgId)
        .forNoKeyUpdate()
        .executeTakeFirstOrThrow();
      const { billingPeriod, billingAnchor, timeZone } = body;
      const next = {
        billing_period: billingPeriod === undefined ? before.billing_period : billingPeriod,
        billing_anchor: billingAnchor === undefined ? before.billing_anchor : billingAnchor,
        time_zone: timeZone === undefined ? before.time_zone : timeZone,
      };
      const isWeekly = (next.billing_period ?? defaults.period) === "weekly";
      if (isWeekly && (next.billing_anchor ?? 1) > 7) {
        const detail = `expected a day of the week, 1 to 7, received ${next.billing_anchor}`;
        throw invalid([{ pointer: "/billingAnchor", detail }]);
      }
      await transaction.updateTable("organizations").set(next).where("org_id", "=", orgId).execute();
      const after = record({ ...before, ...next });
      const change = { subject: before.name, before: record(before), after };
      const who = { orgId, actor: administrator(response) };
      await audit(transaction, { ...who, action: "organization.settings", ...change }, at);
      return after;
    });
    sendJson(response, 200, organization);
  });

  router.post(`${organizationPath}/close-period`, async (request, response) => {
    const { early = false } = parse(periodCloseRequest, request.body ?? {}, "body");
    const orgId = await organizationOf(database, request);
    const now = new Date(clock.now());
    const actor = administrator(response);
    sendJson(response, 200, { ...(await closePeriods({ database, defaults, now, orgId, early, actor })) });
  });

  return router;
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

function record(organization: Selectable<Tables["organizations"]>): JsonObject {
  return {
    organizationId: String(organization.org_id),
    name: organization.name,
    billingPeriod: organization.billing_period,
    billingAnchor: organization.billing_anchor,
    timeZone: organization.time_zone,
    createdAt: organization.created_at.toISOString(),
  };
}
