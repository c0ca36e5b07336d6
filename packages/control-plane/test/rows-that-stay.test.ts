import { afterAll, beforeAll, expect, it } from "vitest";
import { acme } from "./fixture.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene(acme);
});
afterAll(() => scene.close());

it.each([
  "delete from customers where name = 'none'",
  "update customers set external_id = 'other' where name = 'none'",
  "update customers set org_id = 7 where name = 'none'",
  "truncate customers cascade",
  "delete from indicators where name = 'none'",
  "update indicators set name = 'other' where name = 'none'",
  "truncate indicators cascade",
])("usage refers to customers and indicators that are always there: no %s", async (statement) => {
  await expect(scene.pool.query(statement)).rejects.toThrow("keeps its rows and their keys");
});

it.each([
  "delete from wallets where currency = 'none'",
  "update wallets set customer_id = 'other' where currency = 'none'",
  "truncate wallets cascade",
])("the ledger refers to wallets that are always there: no %s", async (statement) => {
  await expect(scene.pool.query(statement)).rejects.toThrow("keeps its rows and their keys");
});
