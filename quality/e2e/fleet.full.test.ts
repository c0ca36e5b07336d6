import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startControlPlane, type TestControlPlane } from "@creditgate/control-plane/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noRedis } from "../../packages/redis/test/redis-server.ts";
import { expectExact } from "./fleet/fleet-audit.ts";
import { commonFaults, type FleetSize, runFleetTrial } from "./fleet/fleet-trial.ts";
import { startPostgresStore } from "./fleet/postgres-stores.ts";
import { startRedisStore } from "./fleet/redis-stores.ts";
import type { FragileServer } from "./fleet/store-server.ts";
import { fixtureOf } from "./gated-api.ts";

/** `npm run test:fleet` asks for twenty, in full size. */
const runs = Number(process.env.CREDITGATE_FLEET_RUNS ?? 0);
const size: FleetSize =
  runs > 0
    ? { processes: 8, attempts: 5_000, funds: 70_000, hold: 7, atOnce: 500, leaseMs: 3_000 }
    : { processes: 3, attempts: 140, funds: 2_100, hold: 7, atOnce: 50, leaseMs: 500 };

const stores = { Redis: startRedisStore, PostgreSQL: startPostgresStore };
/** In the short form one of the two for each fault, and but for a kill on one of the stores. */
const leasing = (index: number) => (runs > 0 ? [true, false] : [index % 2 === 0]);
const trials = commonFaults
  .flatMap((fault, index) => leasing(index).map((leases) => ({ fault, leases })))
  .map(({ fault, leases }, at) => ({
    at,
    fault,
    leases,
    title: `${fault.title}, ${leases ? "with" : "without"} leases`,
  }));
const playedOn = (store: string) =>
  trials.filter(
    ({ at, title }) => runs > 0 || title.includes("killed") || (store === "Redis") === (at % 2 === 0),
  );
const runsOf = Array.from({ length: Math.max(1, runs) }, (_, run) => run);
const customerOf = (store: string, at: number, run: number) => `${store}-${at}-${run}`;

let controlPlane: TestControlPlane;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "creditgate-fleet-"));
  const wallet = { kind: "prepaid", currency: "ai_credits", available: size.funds } as const;
  const customers = Object.keys(stores).flatMap((store) =>
    playedOn(store).flatMap(({ at }) => runsOf.map((run) => [customerOf(store, at, run), wallet])),
  );
  controlPlane = await startControlPlane({
    fixture: fixtureOf(Object.fromEntries(customers), { message: size.hold }),
  });
});
afterAll(async () => {
  await controlPlane?.stop();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

describe.each(Object.entries(stores))("a fleet on %s that spends one wallet", (store, start) => {
  const isLeftOut = store === "Redis" && noRedis;
  let server: FragileServer;
  beforeAll(async () => {
    if (!isLeftOut) server = await start();
  });
  afterAll(() => server?.stop());

  it.skipIf(isLeftOut).each(playedOn(store).map((trial) => [trial.title, trial] as const))(
    "admits and bills exactly what it can pay %s",
    async (title, { at, fault, leases }) => {
      const affordable = size.funds / size.hold;
      for (const run of runsOf) {
        const trial = {
          size,
          server,
          controlPlane,
          customerId: customerOf(store, at, run),
          fleet: `trial_${at}_${run}`,
          folder: mkdtempSync(join(folder, "trial-")),
          leases,
          fault,
          // Another moment each time: soon after the start, half-way, near the limit.
          strikesAt: Math.floor((affordable * (15 + ((run * 37) % 80))) / 100),
          victim: run % size.processes,
        };
        const summary = await expectExact(trial, await runFleetTrial(trial));
        if (runs > 0) console.log(`${store}, ${title}, run ${run + 1}: ${summary}`);
      }
      expect(runsOf.length).toBeGreaterThan(0);
    },
    // A run takes seconds on two idle cores; in full size minutes where they are shared.
    runsOf.length * (runs > 0 ? 300_000 : 60_000),
  );
});
