import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dueOrganizations, dueWallets } from "../src/periods/due.ts";
import { defaultPeriodSettings } from "../src/periods/settings.ts";
import { acme } from "./fixture.ts";
import { explain, recorder } from "./query-plan.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene(acme);
  await scene.pool.query(`
    insert into customers (org_id, external_id, name) select org_id, 'c' || i, 'c' from organizations, generate_series(1, 5000) i;
    insert into wallets (org_id, customer_id, currency, kind, accrues_from)
      select org_id, external_id, 'ai_credits', 'postpaid', '2026-01-01' from customers where external_id like 'c%';
    analyze`);
});
afterAll(() => scene.close());

describe("dueWallets", () => {
  it("reads on where the batch before ended: wallets that are closed are not read again", async () => {
    const { database, queries } = recorder(scene.pool);
    const selection = { database, defaults: defaultPeriodSettings, now: new Date("2026-02-01") };
    const [organization] = await dueOrganizations(selection, () => Promise.resolve());
    if (organization === undefined) throw new Error("Acme is due.");
    let read = 0;
    let batch = await dueWallets(database, organization, undefined, 100);
    while (batch.length > 0) {
      const [query] = queries.splice(0).slice(-1);
      read += (await explain(scene.pool, query)).rowsOf("wallets");
      batch = await dueWallets(database, organization, batch.at(-1), 100);
    }
    expect(read).toBe(5001);
  });
});
