import type { Awaitable } from "@creditgate/core";
import type { TestRunner } from "../ledger/contract.ts";
import { ServiceBench, type ServiceOnTrial } from "./bench.ts";
import { outcomes } from "./outcomes.ts";
import { storage } from "./storage.ts";

/**
 * The contract of {@link Service}: declares a suite of tests with the runner, each of them on a trial of its own. Trials may share a
 * database: no two rules have a customer in common. They take real time, a second in all where a call takes a millisecond.
 */
export function testService(name: string, create: () => Awaitable<ServiceOnTrial>, runner: TestRunner): void {
  runner.describe(`the service contract: ${name}`, () => {
    for (const [rule, check] of Object.entries({ ...storage, ...outcomes })) {
      runner.it(rule, async () => {
        const trial = await create();
        try {
          await check(new ServiceBench(trial));
        } finally {
          await trial.close?.();
        }
      });
    }
  });
}
