import { Counter, Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTopUpWorker } from "../src/auto-top-up/worker.ts";
import { defaultPeriodSettings } from "../src/periods/settings.ts";
import type { Polling } from "../src/time/polling.ts";
import { acme } from "./fixture.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene({
    ...acme,
    customers: ["alice", "bob", "carol"].map((externalId) => ({
      externalId,
      name: externalId,
      wallets: [{ currency: "ai_credits", kind: "prepaid", available: 5 }],
    })),
  });
});
afterAll(() => scene.close());

describe("the worker of auto top-ups", () => {
  it("counts the orders that it has made, and the tries that have failed", async () => {
    await scene.pool.query(`
      update wallets set auto_top_up_below = 10000000, auto_top_up_credits = 1000000, auto_top_up_amount = 100,
                         auto_top_up_currency = 'EUR', auto_top_up_most = 1, top_up_at = '-infinity'`);
    // A wallet that cannot hold what is ordered.
    await scene.pool.query("update wallets set pending = 9223372036854775807 where customer_id = 'carol'");
    const registry = new Registry();
    const orders = new Counter({
      name: "orders",
      help: "Orders.",
      labelNames: ["outcome"],
      registers: [registry],
    });
    const errors: string[] = [];
    let worker: Polling | undefined;
    await new Promise<void>((onOrdered) => {
      worker = startTopUpWorker({
        database: scene.database,
        clock: scene.clock,
        defaults: defaultPeriodSettings,
        orders,
        onOrdered,
        onError: (error) => errors.push(String(error)),
      });
    });
    await worker?.stop();
    expect(await registry.metrics()).toContain('orders{outcome="failed"} 1\norders{outcome="ordered"} 2\n');
    expect(errors).toEqual([expect.stringContaining("it would hold too many credits")]);
  });
});
