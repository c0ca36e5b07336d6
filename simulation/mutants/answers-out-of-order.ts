import fc from "fast-check";
import type { Core } from "./mutated-core.ts";

const lagMs = 1_000;

/**
 * Two processes share an account. One asks for the balance; then work is settled, acknowledged and debited; then the
 * other asks. In whatever order the answers come in, the work must not be forgotten.
 */
export async function answersOutOfOrder({
  createManualClock,
  createMemoryLedger,
}: Core): Promise<string | undefined> {
  const property = fc.asyncProperty(fc.scheduler(), async (scheduler) => {
    const clock = createManualClock();
    const account = createMemoryLedger(clock).account("service", "ada", "credits");
    const install = async (stamp: number, capacity: number) => {
      await scheduler.schedule(Promise.resolve(), `the answer to the request of ${stamp} ms`);
      await account.install({ stamp, prepaid: capacity, postpaid: capacity }, 10 * lagMs);
    };
    const older = install(clock.now(), 10);
    await account.settle(undefined, [{ id: "entry", amount: 6, reports: ["report"] }]);
    await account.acknowledge("entry", "report", lagMs);
    await clock.advance(lagMs + 1);
    const newer = install(clock.now(), 4);
    await scheduler.waitAll();
    await Promise.all([older, newer]);
    const wish = { id: "hold", amount: 5, kind: "prepaid", notBefore: 0 } as const;
    const { admitted } = await account.hold(wish);
    if (admitted) throw new Error("5 credits were let in where 4 are left");
  });
  const { failed, errorInstance } = await fc.check(property, { seed: 1, numRuns: 50 });
  return failed ? String(errorInstance) : undefined;
}
