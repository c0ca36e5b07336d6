import { type LimitName, limitNames } from "@creditgate/client/admin";
import type { Database } from "../database/connection.ts";
import { lockOrganization } from "../database/organization-lock.ts";
import type { OwnLimits } from "../database/tables.ts";
import { answer } from "../http/call.ts";
import type { JsonObject } from "../http/json.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import { type Rates, usualLimits } from "../limits/limits.ts";
import { countOf, type OrganizationLimit } from "../limits/room.ts";
import { audit } from "./audit-log.ts";
import type { AdminHandlers } from "./table.ts";

/** What an organisation may have and ask for. Operators set it: it is what keeps one from taking all. */
export function limitHandlers(
  database: Database,
  keys: KeyRing,
  rates: Rates,
): Pick<AdminHandlers, "limitList" | "limitSet"> {
  const usual: Readonly<Record<LimitName, number>> = { ...usualLimits, ...rates };

  const read = async (orgId: bigint, own: OwnLimits, at: Date): Promise<JsonObject> => {
    const used = new Map<LimitName, number>();
    for (const name of counted) used.set(name, await countOf(database, orgId, name, at));
    const limits = limitNames.map((name) => ({
      name,
      most: own[name] ?? usual[name],
      isOwn: own[name] !== undefined,
      used: used.get(name) ?? null,
    }));
    return { limits };
  };

  return {
    async limitList({ orgId, at }) {
      const { limits } = await database
        .selectFrom("organizations")
        .select("limits")
        .where("org_id", "=", orgId)
        .executeTakeFirstOrThrow();
      return answer(200, await read(orgId, limits, at));
    },

    async limitSet({ orgId, actor, at, body }) {
      const own = await database.transaction().execute(async (transaction) => {
        const { limits: before, name } = await lockOrganization(transaction, orgId);
        const after = changed(before, body);
        await transaction
          .updateTable("organizations")
          .set({ limits: JSON.stringify(after) })
          .where("org_id", "=", orgId)
          .execute();
        const change = { subject: name, before: { ...before }, after: { ...after } };
        await audit(transaction, { orgId, actor, action: "organization.limits", ...change }, at);
        return after;
      });
      // Rates come with the keys.
      keys.forget();
      return answer(200, await read(orgId, own, at));
    },
  };
}

const counted: readonly OrganizationLimit[] = ["apiKeys", "webhooks", "agents", "currencies", "members"];

function changed(
  before: OwnLimits,
  change: Readonly<Partial<Record<LimitName, number | null | undefined>>>,
): OwnLimits {
  const after: Partial<Record<LimitName, number>> = { ...before };
  for (const name of limitNames) {
    const most = change[name];
    if (most === null) delete after[name];
    else if (most !== undefined) after[name] = most;
  }
  return after;
}
