import { testLedger } from "@creditgate/conformance";
import type { Core } from "./mutated-core.ts";

/** The behaviours of the contract that a ledger does not show. */
export async function brokenBehaviours({
  createManualClock,
  createMemoryLedger,
}: Core): Promise<readonly string[]> {
  const broken: string[] = [];
  const tests: Promise<unknown>[] = [];
  const create = () => {
    const clock = createManualClock();
    return { ledger: createMemoryLedger(clock), now: clock.now, advance: clock.advance };
  };
  testLedger("mutant", create, {
    describe: (_name, body) => body(),
    it: (name, body) => tests.push(body().catch(() => broken.push(name))),
  });
  await Promise.all(tests);
  return broken;
}
