import { same } from "../ledger/bench.ts";
import { type OutboxBehaviours, reportNamed } from "./bench.ts";

/** What an outbox does that ends with its process. */
export const passing: OutboxBehaviours = {
  "hands out the objects that it was given": async (bench) => {
    const report = reportNamed("a");
    await bench.appendTogether([report]);
    const [found] = await bench.outbox.next(1);
    same("the same object", found === report, true);
  },
  "gives what the end of the process loses: what waits, is parked or dead": async (bench) => {
    await bench.append("a", "b", "c", "d");
    same("the first", await bench.next(3), "a b c");
    await bench.park("a");
    await bench.bury("b");
    await bench.delivered("c");
    const left = (await bench.outbox.undelivered?.()) ?? [];
    const byId = [...left].sort((one, other) => (one.id < other.id ? -1 : 1));
    same("undelivered", JSON.stringify(byId), JSON.stringify(["a", "b", "d"].map(reportNamed)));
  },
};
