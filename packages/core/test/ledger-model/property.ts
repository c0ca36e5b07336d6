import fc from "fast-check";
import type { Clock } from "../../src/index.ts";
import { createManualClock } from "../../src/testing/index.ts";
import { commandsFor, type Sources } from "./commands.ts";
import { LedgerModel } from "./ledger-model.ts";

/** A clock that shows an instant up to 16 ms ago must break nothing. */
const resolutions = fc.constantFrom(0, 16);

/** What the replicas of the service are: all new ones tell, all old ones do not, or both kinds answer. */
const services = fc.constantFrom("new" as const, "old" as const, "both" as const);

/** Resolves with the shortest sequence found in which the ledger does not do as the model, or with `undefined`. */
export async function findDifference(
  sources: Sources,
  options: { readonly numRuns: number },
): Promise<string | undefined> {
  const property = fc.asyncProperty(
    resolutions,
    services,
    commandsFor(sources),
    async (resolutionMs, service, steps) => {
      await fc.asyncModelRun(() => {
        const time = createManualClock({ drain: () => Promise.resolve() });
        const now = () =>
          resolutionMs === 0 ? time.now() : Math.floor(time.now() / resolutionMs) * resolutionMs;
        const clock: Clock = { ...time, resolutionMs, now };
        const account = sources.createMemoryLedger(clock).account("service", "ada", "credits");
        const real = { clock, account };
        return { model: new LedgerModel(real, time, service), real };
      }, steps);
    },
  );
  const result = await fc.check(property, { seed: 20_261_121, ...options });
  return result.failed ? fc.defaultReportMessage(result) : undefined;
}
