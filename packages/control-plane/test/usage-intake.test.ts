import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFairShare } from "../src/database/fair-share.ts";
import { createUsageIntake } from "../src/usage/intake.ts";
import { acme } from "./fixture.ts";
import { recorder } from "./query-plan.ts";
import { openScene, type Scene } from "./scene.ts";

const customers = Array.from({ length: 50 }, (_, index) => `customer-${index}`);

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({
    ...acme,
    customers: customers.map((externalId) => ({ externalId, name: externalId })),
  });
});
afterAll(() => scene.close());

describe("createUsageIntake", () => {
  it("takes reports of many customers with one statement, beside one that reads the price now and then", async () => {
    const { database, queries } = recorder(scene.pool);
    const intake = createUsageIntake({
      database,
      clock: scene.clock,
      settlementDelayMs: 0,
      share: createFairShare({ slots: 10, maxWaiting: 1_000, waitMs: 10_000 }),
      onAccepted: () => undefined,
    });
    const accept = (customerId: string) =>
      intake.accept({
        orgId: scene.orgId,
        report: { agentId: "chat", customerId, indicator: "message", rawUsage: {} },
        idempotencyKey: undefined,
        hash: "0".repeat(64),
      });
    const receipts = await Promise.all([...customers, "nobody"].map(accept));
    expect(receipts.filter(({ accepted }) => accepted)).toHaveLength(customers.length);
    expect(receipts.at(-1)).toEqual({ accepted: false, reason: "customer_unknown" });
    const begin = queries.length;
    await Promise.all(customers.map(accept));
    expect(queries.slice(begin).map(({ sql }) => sql.trim().slice(0, 24))).toEqual([
      "insert into usage_events",
    ]);
  });
});
