import { type LimitName, limitNames } from "@creditgate/admin";
import type { Database } from "../database/connection.ts";
import { lockOrganization } from "../database/locks.ts";
import type { OwnLimits } from "../database/tables.ts";
import { answer } from "../endpoint/call.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import { countOf, type OrganizationLimit, type Rates, usualLimits } from "../limits/limits.ts";
import { auditEdit, type TaggedRecord, tagged } from "./edits.ts";
import type { AdminHandlers } from "./table.ts";

/** What an organisation may have and ask for. Operators set it: it is what keeps one from taking all. */
export function limitHandlers(database: Database, keys: KeyRing, rates: Rates) {
  const usual: Readonly<Record<LimitName, number>> = { ...usualLimits, ...rates };

  const countUsed = async (orgId: bigint, at: Date): Promise<ReadonlyMap<LimitName, number>> => {
    const used = new Map<LimitName, number>();
    for (const name of counted) used.set(name, await countOf(database, orgId, name, at));
    return used;
  };
  const described = (own: OwnLimits, used: ReadonlyMap<LimitName, number>): TaggedRecord => {
    const limits = limitNames.map((name) => ({
      name,
      most: own[name] ?? usual[name],
      isOwn: own[name] !== undefined,
      used: used.get(name) ?? null,
    }));
    const { etag } = tagged("organization.limits", { ...own });
    return { limits, etag };
  };

  return {
    async limitList({ orgId, at }) {
      const { limits } = await database
        .selectFrom("organizations")
        .select("limits")
        .where("org_id", "=", orgId)
        .executeTakeFirstOrThrow();
      return answer(200, described(limits, await countUsed(orgId, at)));
    },

    async limitSet(call) {
      const { orgId, at, body } = call;
      const used = await countUsed(orgId, at);
      const own = await database.transaction().execute(async (transaction) => {
        const { limits: before, name } = await lockOrganization(transaction, orgId);
        const after = changed(before, body);
        await transaction
          .updateTable("organizations")
          .set({ limits: JSON.stringify(after) })
          .where("org_id", "=", orgId)
          .execute();
        const change = { orgId, subject: name, before: { ...before }, after: { ...after } };
        const current = described(before, used);
        await auditEdit(transaction, call, { action: "organization.limits", current, ...change });
        return after;
      });
      // Rates come with the keys.
      keys.forget();
      return answer(200, described(own, used));
    },
  } satisfies Partial<AdminHandlers>;
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
