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
    const ask = async (capacity: number) => {
      // At once: the answers can only come in any order if both are awaited before one of them comes.
      const permit = account.beginRefresh(clock.now());
      if (!("go" in permit)) throw new Error("a balance request must leave");
      await scheduler.schedule(Promise.resolve(), `the answer to the request of ${clock.now()} ms`);
      await account.install(permit.go, { prepaid: capacity, postpaid: capacity }, 10 * lagMs);
    };
    const older = ask(10);
    for (const usage of account.settle(undefined, [6])) account.acknowledge(usage, lagMs);
    await clock.advance(lagMs + 1);
    const newer = ask(4);
    await scheduler.waitAll();
    await Promise.all([older, newer]);
    const { admitted } = await account.hold(5, "prepaid", 0);
    if (admitted) throw new Error("5 credits were let in where 4 are left");
  });
  const { failed, errorInstance } = await fc.check(property, { seed: 1, numRuns: 50 });
  return failed ? String(errorInstance) : undefined;
}
