import { same } from "../ledger/bench.ts";
import { answers, type StoreBench, terms } from "./bench.ts";
import type { AccountPart } from "./trial.ts";

/** A line of the contract of shared stores on one that has lost a part of an account. */
export function losing(part: AccountPart): (bench: StoreBench) => Promise<void> {
  const hasReservations = part === "figures" || part === "windows";
  return async (bench) => {
    await bench.begin(100);
    const { epoch } = await bench.hold("a", 40, { want: 20, recall: true });
    await bench.sync("b", { acked: 10, queued: 4 });
    await bench.lose(part);
    const first = await bench.sync("c", { first: 1, need: 1 });
    same("another epoch", first.epoch === epoch, false);
    answers(first, {
      calm: false,
      denied: false,
      stamp: null,
      out: hasReservations ? 60 : 0,
      used: part === "account" ? 0 : 10,
    });
    answers(await bench.sync("a", { base: 40 }), { status: "register" });
    answers(await bench.sync("a", { base: 40, claim: 60, register: true }), { reservation: 60, out: 60 });
    await bench.advance(terms.leaseMs + terms.lagMs + 2 * terms.windowMs);
    answers(await bench.read(90), { calm: true, used: 0 });
    answers(await bench.sync("d", { first: 31, need: 31, recall: true }), { denied: true, waiting: 0 });
    answers(await bench.sync("a", { base: 40 }), { reservation: 40, out: 40 });
    answers(await bench.sync("d", { first: 50, need: 50 }), { denied: false, out: 90 });
  };
}
