import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FleetMutant, processMutants, stepMutants } from "../mutants/fleet-mutants.ts";
import { brokenStoreBehaviours, fleetSchedules } from "../mutants/fleet-schedules.ts";
import { search } from "../mutants/mutant.ts";
import { type Core, type CoreLoader, createCoreLoader } from "../mutants/mutated-core.ts";

/** At least so many schedules for each, and more until one catches it; MUTANT_SEEDS=2000 prints a finer table. */
const least = Number(process.env.MUTANT_SEEDS ?? 1);
const most = Math.max(least, 300);
const table: string[] = [];
let loader: CoreLoader;

beforeAll(async () => {
  loader = await createCoreLoader();
});

afterAll(async () => {
  await loader.close();
  console.info(`mutants of fleets, and how many random schedules catch each\n${table.join("\n")}`);
});

describe("a fleet as it is", () => {
  it("passes the contract and every directed schedule, loaded like the mutants", async () => {
    const core = await loader.load([]);
    expect(await brokenStoreBehaviours(core)).toEqual([]);
    for (const play of Object.values(fleetSchedules)) expect(await play(core)).toBeUndefined();
  });
});

describe("a mutant of the step is caught by the contract of shared stores, and by random schedules unless these are too rare:", () => {
  it.each(stepMutants)("$name", { timeout: 120_000 }, async (mutant) => {
    const core = await loader.load(mutant.patches);
    expect(await brokenStoreBehaviours(core)).not.toEqual([]);
    await expectCaught(core, mutant);
  });
});

describe("a mutant of a process is caught by random schedules, or by a directed one:", () => {
  it.each(processMutants)("$name", { timeout: 120_000 }, async (mutant) => {
    const core = await loader.load(mutant.patches);
    if (mutant.directed !== undefined) {
      table.push(`${mutant.name.padEnd(84)} directed: ${mutant.directed}`);
      expect(await fleetSchedules[mutant.directed]?.(core)).toEqual(expect.any(String));
      return;
    }
    await expectCaught(core, mutant);
  });
});

async function expectCaught(core: Core, { name, options, directed, seed }: FleetMutant): Promise<void> {
  if (directed !== undefined) return;
  const play = (at: number) => core.simulateFleet({ seed: at, ...options });
  const { caught, played } = await search(play, { seed, least, most });
  table.push(`${name.padEnd(84)} ${caught} of ${played}`);
  expect(caught).toBeGreaterThan(0);
}
