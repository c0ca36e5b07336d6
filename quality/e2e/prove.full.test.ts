import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CoreLoader, createCoreLoader } from "../simulation/mutants/mutated-core.ts";
import { mutants } from "../simulation/mutants/table.ts";
import * as experiments from "./prove/experiments.ts";
import { conclude, promises, promisesIn, type Tried } from "./prove/promises.ts";

// What `npm run prove` tries beside the simulators, the crash tests, the table of endings and the demo.

describe("a promise:", () => {
  it("200 parallel requests on a wallet of 50 credits: 50 are served, 150 get a 402", async ({ task }) => {
    const { served, denied } = await experiments.parallelRequests();
    expect([served, denied]).toEqual([new Set([50]), new Set([150])]);
    task.meta.measured = { times: experiments.rounds };
  });

  it("no round trip: a thousand requests are admitted on one balance, while no report is answered", async ({
    task,
  }) => {
    expect(await experiments.roundTrips()).toEqual({ served: 1_000, balances: 1 });
    task.meta.measured = { times: 1_000 };
  });

  it("just paid: the next request is served", async ({ task }) => {
    expect(await experiments.justPaid()).toEqual({ denied: experiments.rounds, served: experiments.rounds });
    task.meta.measured = { times: experiments.rounds };
  });
});

describe("a condition that breaks:", () => {
  it.for([
    ["costs more", "overspent", experiments.costsMoreThanItsHold],
    ["others spend", "overspent", experiments.othersSpend],
    ["settles late", "overspent", experiments.settlesLate],
    ["separate ledgers", "overspent", experiments.separateLedgers],
    ["outbox in memory", "lost", experiments.outboxInMemory],
  ] as const)("%s", async ([_name, effect, experiment], { task }) => {
    const { times, broken, bound, kept } = await experiment();
    expect(kept).toBe(0);
    expect(broken).toBeGreaterThan(0);
    expect(broken).toBeLessThanOrEqual(bound);
    const credits = (amount: number) => amount.toLocaleString("en-US");
    const result = `${credits(broken)} credits ${effect}, of at most ${credits(bound)}; 0 if the condition holds`;
    task.meta.measured = { times, result };
  });
});

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

/** As if each of them had passed, once. */
const allPassed: readonly Tried[] = Object.values(promises).flatMap(({ trials }) =>
  trials.map(({ test }) => ({ name: test.source.replaceAll("(\\d+)", "7").replace("$", ""), passed: true })),
);

describe("npm run prove", () => {
  it("has a line for each promise of the README, and for nothing else", () => {
    expect(promisesIn(readme)).toEqual(Object.keys(promises));
    expect(promisesIn(readme).length).toBeGreaterThanOrEqual(9);
    const { lines, kept } = conclude(readme, allPassed);
    expect(lines.filter((line) => !line.startsWith("kept "))).toEqual([]);
    expect(kept).toBe(true);
  });

  it("fails if a promise was not tried, or is not known", () => {
    expect(
      conclude(
        readme,
        allPassed.filter(({ name }) => !name.includes("just paid")),
      ),
    ).toMatchObject({ kept: false });
    const { lines, kept } = conclude(
      readme.replace("\n- **", "\n- **Never sleeps.** Ever.\n- **"),
      allPassed,
    );
    expect(lines[0]).toBe("BROKEN | Never sleeps | - |  | not tried: no test is named for it");
    expect(kept).toBe(false);
  });

  describe("on a broken gate", () => {
    let loader: CoreLoader<typeof experiments>;
    beforeAll(async () => {
      loader = await createCoreLoader("/quality/e2e/prove/experiments.ts");
    });
    afterAll(() => loader.close());

    it.each(["no holds", "no unconfirmed usage"])("fails: %s", async (name) => {
      const { patches } = mutants.find((mutant) => mutant.name === name) ?? {};
      if (patches === undefined) throw new Error(`no mutant is called ${name}`);
      const { parallelRequests, settlesLate } = await loader.load(patches);
      const { served } = await parallelRequests();
      const error = `served ${[...served]}`;
      const { kept } = await settlesLate().catch(() => ({ kept: 1 }));
      const passed = served.has(50) && served.size === 1 && kept === 0;
      const tried = allPassed.map((test) =>
        /200 parallel/.test(test.name) ? { ...test, passed, error } : test,
      );
      const outcome = conclude(readme, tried);
      expect(outcome.kept).toBe(false);
      expect(outcome.lines[0]).toMatch(
        /^BROKEN \| Never overspends \| .* \| a promise: 200 parallel requests: served \d+$/,
      );
    });
  });
});
