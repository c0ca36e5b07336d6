import { describe, expect, it } from "vitest";
import { createMemoryLedger } from "../src/memory-ledger.ts";
import { createManualClock } from "../src/testing/index.ts";

// What the simulator found and is not mended: each of these fails, and stops failing when it is.
describe("a snapshot asked for in the very tick of acknowledgement + lag", () => {
  // On a coarse clock (whole milliseconds at the edge) the request may have been sent before the report was taken, and
  // both stamps read the same; rule 1 lets the usage go at `ackAt + L <= g0`, where `<` would be certain. It takes a
  // lag of 0, or a debit in the last tick of the lag, so the scenarios of the simulator have lags of 1 ms and more.
  it.fails("does not drop the usage", () => {
    const clock = createManualClock();
    const account = createMemoryLedger(clock).account("service", "ada", "credits");
    const sentBeforeTheReport = clock.now();
    const shows = { stamp: sentBeforeTheReport, prepaid: 10, postpaid: 10 };
    account.settle(undefined, [{ id: "entry", amount: 6, reports: ["report"] }]);
    account.acknowledge("entry", "report", 0);
    account.install(shows);
    expect(account.hold({ id: "hold", amount: 5, kind: "prepaid", notBefore: 0 })).toMatchObject({
      admitted: false,
    });
  });
});
