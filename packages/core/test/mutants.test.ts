import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { directedSchedules } from "./mutants/directed-schedules.ts";
import { type CoreLoader, createCoreLoader } from "./mutants/mutated-core.ts";
import { mutants } from "./mutants/table.ts";

/** Enough for every mutant that random schedules can catch; MUTANT_SEEDS=2000 prints a finer table. */
const seeds = Number(process.env.MUTANT_SEEDS ?? 100);
const table: string[] = [];
let loader: CoreLoader;

beforeAll(async () => {
  loader = await createCoreLoader();
});

afterAll(async () => {
  await loader.close();
  console.info(`mutants, and how many random schedules catch each\n${table.join("\n")}`);
});

describe("the rules as they are", () => {
  it("pass every directed schedule, loaded like the mutants", async () => {
    const core = await loader.load([]);
    for (const play of Object.values(directedSchedules)) expect(await play(core)).toBeUndefined();
  });
});

describe("a mutant is caught:", () => {
  it.each(mutants)(
    "$name",
    { timeout: 120_000 },
    async ({ name, patches, options, directed, seeds: more = 0 }) => {
      const core = await loader.load(patches);
      const schedules = Math.max(seeds, more);
      let caught = 0;
      for (let seed = 1; seed <= schedules; seed++) {
        const { violation } = await core.simulate({ seed, ...options });
        if (violation !== undefined) caught++;
      }
      const play = directed === undefined ? undefined : directedSchedules[directed];
      const found = await play?.(core);
      table.push(
        `${name.padEnd(66)} ${caught} of ${schedules}${directed === undefined ? "" : `; directed: ${directed}`}`,
      );
      if (directed === undefined) expect(caught).toBeGreaterThan(0);
      else expect(found).toEqual(expect.any(String));
    },
  );
});
