import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { directedSchedules } from "../mutants/directed-schedules.ts";
import { search } from "../mutants/mutant.ts";
import { type CoreLoader, createCoreLoader } from "../mutants/mutated-core.ts";
import { mutants } from "../mutants/table.ts";

/** At least so many schedules for each, and more until one catches it; MUTANT_SEEDS=2000 prints a finer table. */
const least = Number(process.env.MUTANT_SEEDS ?? 1);
const most = Math.max(least, 400);
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

  it("cannot be patched where they have changed", async () => {
    const patch = { file: "core/src/wallet/memory-ledger.ts", replace: "" };
    await expect(loader.load([{ ...patch, find: "no such text" }])).rejects.toThrow(
      /stale.*does not contain/,
    );
    await expect(loader.load([{ ...patch, find: "this.#stamp" }])).rejects.toThrow(/stale.*more than once/);
    await expect(loader.load([{ ...patch, file: "no-such-file.ts", find: "" }])).rejects.toThrow(/stale/);
  });
});

describe("a mutant is caught:", () => {
  it.each(mutants)("$name", { timeout: 120_000 }, async ({ name, patches, options, directed, seed }) => {
    const core = await loader.load(patches);
    if (directed !== undefined) {
      table.push(`${name.padEnd(66)} directed: ${directed}`);
      expect(await directedSchedules[directed]?.(core)).toEqual(expect.any(String));
      return;
    }
    const play = (at: number) => core.simulate({ seed: at, ...options });
    const { caught, played } = await search(play, { seed, least, most });
    table.push(`${name.padEnd(66)} ${caught} of ${played}`);
    expect(caught).toBeGreaterThan(0);
  });
});
