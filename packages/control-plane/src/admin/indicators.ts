import { audit } from "../audit/audit-log.ts";
import type { Database } from "../database/connection.ts";
import { answer } from "../endpoint/call.ts";
import { Problem, requireAgent, unknown } from "../http/problem.ts";
import { requireRoomForIndicator } from "../limits/limits.ts";
import { createKeyset, listPart, readPartOfLarge } from "../lists/keyset.ts";
import {
  changePrice,
  type IndicatorKey,
  inForceFirst,
  selectVersions,
  termsInForce,
  versionBytes,
  versionOf,
} from "../pricing/prices.ts";
import { auditEdit } from "./edits.ts";
import { priceRecord, readPriceRecord, versionInForce } from "./price-record.ts";
import type { AdminHandlers } from "./table.ts";

const byName = createKeyset("asc", [["name", "text"]]);

const lastToHold = createKeyset("desc", [
  ["valid_from", "timestamptz"],
  ["version", "bigint"],
]);

/** Indicators, and the versions of their prices: each holds from some instant on, and none is ever changed. */
export function indicatorHandlers(database: Database) {
  return {
    async indicatorList({ orgId, at, params: { agentId }, query }) {
      await requireAgent(database, orgId, agentId);
      const indicators = database
        .selectFrom("indicators")
        .innerJoinLateral(
          (from) =>
            from
              .selectFrom("prices")
              .selectAll()
              .select(versionBytes.as("bytes"))
              .whereRef("prices.org_id", "=", "indicators.org_id")
              .whereRef("prices.agent_id", "=", "indicators.agent_id")
              .whereRef("prices.indicator", "=", "indicators.name")
              .orderBy(inForceFirst(at))
              .limit(1)
              .as("held"),
          (join) => join.onTrue(),
        )
        .selectAll("held")
        .select("name")
        .where("indicators.org_id", "=", orgId)
        .where("indicators.agent_id", "=", agentId);
      const { rows, next } = await readPartOfLarge(indicators, byName, listPart(query), (row) => row.bytes);
      const records = rows.map(({ name, ...row }) => ({ name, ...priceRecord(versionOf(row), row.version) }));
      return answer(200, { indicators: records, next });
    },

    async indicatorCreate({ orgId, actor, at, params: { agentId }, body: { name, ...terms } }) {
      const key = { orgId, agentId, indicator: name };
      const indicator = await database.transaction().execute(async (transaction) => {
        await requireAgent(transaction, orgId, agentId);
        await requireRoomForIndicator(transaction, orgId, agentId);
        const created = await transaction
          .insertInto("indicators")
          .values({ org_id: orgId, agent_id: agentId, name })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        if (created.numInsertedOrUpdatedRows !== 1n) {
          const detail = `name: expected one that the agent does not have, received ${JSON.stringify(name)}`;
          throw new Problem(409, "indicator_exists", detail);
        }
        await changePrice(transaction, key, terms, { validFrom: at, now: at, setBy: actor });
        const after = { name, ...(await readPriceRecord(transaction, key, 1, at)) };
        const change = { subject: { agent: agentId, indicator: name }, after };
        await audit(transaction, { orgId, actor, action: "indicator.create", ...change }, at);
        return after;
      });
      return answer(201, indicator);
    },

    async priceList({ orgId, at, params: { agentId, indicator }, query }) {
      const key = { orgId, agentId, indicator };
      const inForce = await versionInForce(database, key, at);
      if (inForce === undefined) throw await absent(database, key);
      const prices = selectVersions(database, key).select(versionBytes.as("bytes"));
      const { rows, next } = await readPartOfLarge(prices, lastToHold, listPart(query), (row) => row.bytes);
      return answer(200, { prices: rows.map((row) => priceRecord(versionOf(row), inForce)), next });
    },

    async priceSet(call) {
      const {
        orgId,
        actor,
        at,
        params: { agentId, indicator },
        body: { etag: _, validFrom, ...terms },
      } = call;
      const key = { orgId, agentId, indicator };
      return database.transaction().execute(async (transaction) => {
        const before = await termsInForce(transaction, key, at);
        const setting = {
          validFrom: validFrom === undefined ? at : new Date(validFrom),
          now: at,
          setBy: actor,
        };
        const change = await changePrice(transaction, key, terms, setting);
        if (!change.changed && change.reason === "indicator_unknown") throw await absent(transaction, key);
        if (!change.changed && change.reason === "in_the_past") {
          const detail = `validFrom: expected ${at.toISOString()}, which is now, or later, received ${JSON.stringify(validFrom)}`;
          throw new Problem(422, "valid_from_past", detail);
        }
        if (!("version" in change)) throw new TypeError("A change of a price has a version.");
        const after = await readPriceRecord(transaction, key, change.version, at);
        if (!change.changed) return answer(200, after);
        const newest = await selectVersions(transaction, key)
          .where("version", "=", change.version - 1)
          .executeTakeFirst();
        const what = {
          orgId,
          subject: { agent: agentId, indicator },
          ...(before === undefined ? {} : { before: priceRecord(before, before.version) }),
          after,
          current: newest && priceRecord(versionOf(newest), before?.version),
        };
        await auditEdit(transaction, call, { action: "price.set", ...what });
        return answer(201, after);
      });
    },
  } satisfies Partial<AdminHandlers>;
}

/** Says whether it is the agent or the indicator that is not there. */
async function absent(
  database: Pick<Database, "selectFrom">,
  { orgId, agentId, indicator }: IndicatorKey,
): Promise<Problem> {
  await requireAgent(database, orgId, agentId);
  return unknown("indicator", indicator);
}
