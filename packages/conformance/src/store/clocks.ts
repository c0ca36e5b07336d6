import { same } from "../ledger/bench.ts";
import { answers, type StoreCases } from "./bench.ts";

const hour = 3_600_000;

/** The lines of the contract of shared stores on one whose clock is set back. */
export const clocks: StoreCases = {
  async "lets time go on where its clock has stepped back"(bench) {
    await bench.begin(10);
    await bench.hold("a", 6, { abandonMs: 5_000 });
    await bench.stepBack(hour);
    const { now: before } = await bench.sync("b");
    await bench.advance(2_500);
    await bench.sync("b");
    await bench.advance(2_500);
    const { now, used } = await bench.sync("b");
    same("used", used, 6);
    same("has gone on", now - before >= 5_000, true);
    same("has jumped ahead", now - before >= hour, false);
  },

  async "takes no earlier balance for fresh while its clock is behind"(bench) {
    await bench.begin(10);
    await bench.stepBack(hour);
    await bench.sync("a");
    await bench.advance(10);
    answers(await bench.read(5), { prepaid: 5 });
    await bench.advance(10);
    answers(await bench.sync("b", { refresh: "now" }), { refresh: "go" });
  },

  async "goes by its clock again once that has caught up, and counts no time twice"(bench) {
    await bench.begin(10);
    const { now } = await bench.sync("a");
    await bench.stepBack(hour);
    await bench.sync("a");
    await bench.advance(2 * hour);
    const { now: later } = await bench.sync("a");
    same("has caught up", later - now >= hour, true);
    same("has counted an hour twice", later - now >= 2 * hour, false);
  },
};
