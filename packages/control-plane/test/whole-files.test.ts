import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { csvHandlers } from "../src/admin/csv-files.ts";
import { letPartitionGo } from "../src/database/partitions.ts";
import { afterQueries } from "./after-queries.ts";
import { csvLimits } from "./csv-limits.ts";
import { acme } from "./fixture.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene(acme);
  await scene.pool.query(
    "update organizations set usage_kept_months = 2, audit_kept_months = 2, ledger_kept_months = 2",
  );
});
afterEach(() => scene.close());

const longAfter = new Date(Date.UTC(2100, 0));
const by = { actor: "test", at: new Date(Date.UTC(2026, 0)) };

/** Each has more rows than are read with one statement, in a month that goes. */
const files = {
  ledgerCsv: {
    rows: `insert into ledger_entries (org_id, customer_id, currency, entry_no, cause, top_up_id, available, pending, overage_used, postpaid_used, created_at,
                                  available_after, pending_after, overage_used_after, postpaid_used_after)
           select org_id, 'alice', 'ai_credits', 100 + i, 'top_up', gen_random_uuid(), 1, 0, 0, 0, '2026-01-01', 1, 0, 0, 0 from organizations, generate_series(1, 600) as i`,
    go: () => letPartitionGo(scene.database, "ledger_entries", longAfter),
  },
  auditCsv: {
    rows: `insert into audit_log (org_id, actor, action, subject, at)
           select org_id, 'test', 'user.sign_in', to_json('x'::text), '2026-01-01' from organizations, generate_series(1, 600)`,
    go: () => letPartitionGo(scene.database, "audit_log", longAfter),
  },
  usageCsv: {
    rows: `insert into usage_reports (org_id, usage_id, request_hash, agent_id, indicator, customer_id, amount, received_at, raw_usage)
           select org_id, gen_random_uuid(), repeat('0', 64), 'chat', 'seat', 'alice', 0, '2026-01-01', '{}'
             from organizations, generate_series(1, 600)`,
    go: () => letPartitionGo(scene.database, "usage_reports", longAfter),
  },
};

describe("the file of a list", () => {
  it.each(["ledgerCsv", "auditCsv", "usageCsv"] as const)(
    "fails where a month goes while it is read: it would be shorter without saying so: %s",
    async (name) => {
      const { database, orgId } = scene;
      const { rows, go } = files[name];
      await scene.pool.query(rows);
      const handler = csvHandlers(csvLimits())[name];
      const open = async (query: { readonly from?: string }) => {
        const call = { orgId, ...by, query, database: afterQueries(database, go) };
        return (await handler(call as unknown as Parameters<typeof handler>[0])).parts;
      };
      const whole = async (query: { readonly from?: string }) => {
        for await (const part of await open(query)) expect(part.length).toBeLessThanOrEqual(500);
      };
      await expect(whole({})).rejects.toMatchObject({ status: 503, code: "database_unavailable" });
      await whole({});
    },
  );

  it("does not fail for a month that it is not asked for", async () => {
    const { rows, go } = files.ledgerCsv;
    await scene.pool.query(rows);
    const handler = csvHandlers(csvLimits()).ledgerCsv;
    const database = afterQueries(scene.database, go);
    const call = { orgId: scene.orgId, ...by, query: { from: "2099-01-01T00:00:00Z" }, database };
    const { parts } = await handler(call as unknown as Parameters<typeof handler>[0]);
    expect(await parts.next()).toMatchObject({ done: false, value: [] });
  });
});
