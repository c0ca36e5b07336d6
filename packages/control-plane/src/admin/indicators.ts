import type { Database } from "../database/connection.ts";
import { createKeyset, readPart } from "../database/keyset.ts";
import { answer } from "../http/call.ts";
import { listPart } from "../http/list.ts";
import { Problem } from "../http/problem.ts";
import { requireAgent, unknown } from "../http/references.ts";
import { requireRoomForIndicator } from "../limits/room.ts";
import { changePrice, type IndicatorKey, termsOf } from "../pricing/prices.ts";
import { termsAt } from "../pricing/terms.ts";
import { audit } from "./audit-log.ts";
import { priceRecord, readPriceRecord } from "./price-record.ts";
import type { AdminHandlers } from "./table.ts";

const byName = createKeyset("asc", [["name", "text"]]);

const lastToHold = createKeyset("desc", [
  ["valid_from", "timestamptz"],
  ["version", "bigint"],
]);

/** Indicators, and the versions of their prices: each holds from some instant on, and none is ever changed. */
export function indicatorHandlers(
  database: Database,
): Pick<AdminHandlers, "indicatorList" | "indicatorCreate" | "priceList" | "priceSet"> {
  return {
    async indicatorList({ orgId, at, params: { agent_id: agentId }, query }) {
      await requireAgent(database, orgId, agentId);
      const indicators = database
        .selectFrom("indicators")
        .select("name")
        .where("org_id", "=", orgId)
        .where("agent_id", "=", agentId);
      const { rows, next } = await readPart(indicators, byName, listPart(query));
      const records = await Promise.all(
        rows.map(async ({ name }) => {
          const inForce = termsAt(await termsOf(database, { orgId, agentId, indicator: name }), at);
          return inForce === undefined ? [] : [{ name, ...priceRecord(inForce, inForce) }];
        }),
      );
      return answer(200, { indicators: records.flat(), next });
    },

    async indicatorCreate({ orgId, actor, at, params: { agent_id: agentId }, body: { name, ...terms } }) {
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

    async priceList({ orgId, at, params: { agent_id: agentId, indicator }, query }) {
      const key = { orgId, agentId, indicator };
      const versions = await termsOf(database, key);
      if (versions.length === 0) throw await absent(database, key);
      const inForce = termsAt(versions, at);
      const prices = database
        .selectFrom("prices")
        .select("version")
        .where("org_id", "=", orgId)
        .where("agent_id", "=", agentId)
        .where("indicator", "=", indicator);
      const { rows, next } = await readPart(prices, lastToHold, listPart(query));
      const records = rows.flatMap(({ version }) =>
        versions.filter((terms) => terms.version === version).map((terms) => priceRecord(terms, inForce)),
      );
      return answer(200, { prices: records, next });
    },

    async priceSet({ orgId, actor, at, params: { agent_id: agentId, indicator }, body }) {
      const { validFrom, ...terms } = body;
      const key = { orgId, agentId, indicator };
      return database.transaction().execute(async (transaction) => {
        const before = termsAt(await termsOf(transaction, key), at);
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
        const what = {
          subject: { agent: agentId, indicator },
          ...(before === undefined ? {} : { before: priceRecord(before, before) }),
          after,
        };
        await audit(transaction, { orgId, actor, action: "price.set", ...what }, at);
        return answer(201, after);
      });
    },
  };
}

/** Says whether it is the agent or the indicator that is not there. */
async function absent(
  database: Pick<Database, "selectFrom">,
  { orgId, agentId, indicator }: IndicatorKey,
): Promise<Problem> {
  await requireAgent(database, orgId, agentId);
  return unknown("indicator", indicator);
}
