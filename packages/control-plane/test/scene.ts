import { randomUUID } from "node:crypto";
import type pg from "pg";
import { connect, type Database } from "../src/database/connection.ts";
import { createFairShare } from "../src/database/fair-share.ts";
import { loadFixture } from "../src/fixture/load.ts";
import type { Fixture } from "../src/index.ts";
import { createMigratedDatabase } from "../src/testing/index.ts";
import { createUsageIntake, type UsageIntake } from "../src/usage/intake.ts";

/** The billing of a control plane without its HTTP and its worker, and with a clock that stands still. */
export interface Scene {
  readonly database: Database;
  readonly pool: pg.Pool;
  readonly databaseUrl: string;
  readonly intake: UsageIntake;
  readonly orgId: bigint;
  /** Milliseconds; usage is due `delayMs` after its arrival. */
  readonly clock: { time: number; now(): number };
  /** How long prices are remembered; moves with the clock unless it is set. */
  readonly elapsed: { time: number | undefined; now(): number };
  /** Stores a report of Acme's chat. */
  accept(customerId: string, indicator?: string, inputTokens?: number): Promise<string>;
  close(): Promise<void>;
}

export const delayMs = 1_000;

export async function openScene(fixture: Fixture): Promise<Scene> {
  const test = await createMigratedDatabase();
  const { database, pool, close } = connect(test.databaseUrl, 20);
  const clock = { time: Date.UTC(2026, 0, 1), now: () => clock.time };
  const elapsed: Scene["elapsed"] = { time: undefined, now: () => elapsed.time ?? clock.now() };
  await loadFixture(database, fixture, new Date(clock.now()));
  const { org_id: orgId } = await database
    .selectFrom("organizations")
    .select("org_id")
    .where("name", "=", fixture.organization.name)
    .executeTakeFirstOrThrow();
  const intake = createUsageIntake({
    database,
    clock,
    settlementDelayMs: delayMs,
    share: createFairShare({ slots: 10, maxWaiting: 1_000, waitMs: 10_000 }),
    onAccepted: () => undefined,
    elapsed,
  });
  return {
    database,
    pool,
    databaseUrl: test.databaseUrl,
    intake,
    orgId,
    clock,
    elapsed,
    async accept(customerId, indicator = "message", inputTokens = 0) {
      const receipt = await intake.accept({
        orgId,
        report: { agentId: "chat", customerId, indicator, rawUsage: { inputTokens } },
        idempotencyKey: randomUUID(),
        hash: "0".repeat(64),
      });
      if (!receipt.accepted) throw new Error(receipt.reason);
      return receipt.usageId;
    },
    async close() {
      await close();
      await test.drop();
    },
  };
}
