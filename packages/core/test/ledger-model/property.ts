import fc from "fast-check";
import type { Clock, Ledger } from "../../src/index.ts";
import { createManualClock } from "../../src/testing/index.ts";
import { commands } from "./commands.ts";
import { LedgerModel } from "./ledger-model.ts";

/** Resolves with the shortest sequence found in which the ledger does not do as the model, or with `undefined`. */
export async function findDifference(
  createLedger: (clock: Clock) => Ledger,
  options: { readonly numRuns: number },
): Promise<string | undefined> {
  const property = fc.asyncProperty(commands, async (steps) => {
    await fc.asyncModelRun(() => {
      const clock = createManualClock({ drain: () => Promise.resolve() });
      const real = { clock, account: createLedger(clock).account("service", "ada", "credits") };
      return { model: new LedgerModel(real), real };
    }, steps);
  });
  const result = await fc.check(property, { seed: 20_261_121, ...options });
  return result.failed ? fc.defaultReportMessage(result) : undefined;
}
