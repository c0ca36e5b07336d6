import { createGate, createRegistry, type Service } from "@creditgate/core";
import { createManualClock, createRandom } from "@creditgate/core/testing";
import { createLeasedLedger, createMemoryStore } from "@creditgate/fleet";
import { expect, it } from "vitest";

type Kind = "at once" | "unsettled";

/**
 * A schedule of 400 ms: works, calls that take a while on either side of their read or debit, calls that fail, and top-ups. Several
 * processes share a ledger.
 */
async function run(seed: number, kind: Kind, processes: number) {
  const random = createRandom(seed).next;
  const clock = createManualClock({ drain: () => new Promise(setImmediate) });
  const upTo = (most: number) => Math.floor(random() * (most + 1));
  const pause = (most: number) => new Promise<void>((resolve) => clock.schedule(upTo(most), resolve));
  let available = 20 + upTo(30);
  let unsettled = 0;
  let lowest = available;
  let reported = 0;
  let debited = 0;
  const keys = new Set<string>();
  const debit = (credits: number) => {
    available -= credits;
    debited += credits;
    lowest = Math.min(lowest, available);
  };
  const service: Service = {
    name: "table",
    settles: kind === "at once" ? kind : undefined,
    async balance() {
      await pause(20);
      if (random() < 0.1) throw new Error("away");
      const found = kind === "at once" ? { available } : { available, unsettled };
      await pause(20);
      return found;
    },
    async report(reports) {
      await pause(20);
      if (random() < 0.1) throw new Error("not stored");
      const outcomes = reports.map(({ key, usage }) => {
        const credits = usage.inputTokens ?? 0;
        if (!keys.has(key) && kind === "at once") debit(credits);
        if (!keys.has(key) && kind === "unsettled") {
          unsettled += credits;
          clock.schedule(upTo(300), () => {
            unsettled -= credits;
            debit(credits);
          });
        }
        keys.add(key);
        return random() < 0.5 ? { credits } : undefined;
      });
      await pause(20);
      if (random() < 0.1) throw new Error("stored, and the answer is lost");
      return outcomes;
    },
  };
  const store = createMemoryStore({ clock });
  const gates = Array.from({ length: processes }, () =>
    createGate({
      service,
      currency: "credits",
      clock,
      random,
      price: ({ inputTokens }) => inputTokens,
      registry: createRegistry(),
      ledger:
        processes > 1 ? createLeasedLedger(store, { clock, random, leaseMs: 500, windowMs: 10 }) : undefined,
      minRefreshMs: 5,
      checkTimeoutMs: 60,
      ttlMs: 30,
      // Far too short for what is unsettled: it must not matter.
      ...(kind === "unsettled" && { settlementLagMs: 1 }),
      logger: false,
      openTelemetry: false,
    }),
  );
  const authorize = (hold: number) =>
    gates[upTo(processes - 1)]?.authorize({ customerId: "alice", agentId: "a", indicator: "i", hold });
  // A new store grants nothing before.
  await clock.advance(processes > 1 ? 500 : 0);
  const work = async () => {
    await pause(400);
    const hold = 1 + upTo(4);
    const decision = await authorize(hold);
    if (!decision?.allowed) return;
    await pause(60);
    const cost = random() < 0.7 ? hold : upTo(hold);
    if (cost > 0) decision.charge.report({ inputTokens: cost });
    reported += cost;
    await decision.charge.settle();
  };
  const works = Promise.all(Array.from({ length: 60 }, work));
  const topUp = upTo(1) * upTo(20);
  clock.schedule(upTo(400), () => {
    available += topUp;
  });
  await clock.advance(2_000);
  await works;
  await clock.advance(300_000);
  const statuses = await Promise.all(gates.map((gate) => gate.status()));
  const queued = statuses.reduce((sum, status) => sum + status.queued, 0);
  // All is settled: exactly what the table has can be spent.
  const last = available > 0 ? authorize(available) : undefined;
  await clock.advance(10_000);
  const code = await last?.then((decision) => (decision.allowed ? "allowed" : decision.denial.code));
  return {
    lowest,
    queued,
    unbilled: reported - debited,
    code: code === "upstream_unavailable" ? "allowed" : (code ?? "allowed"),
  };
}

it.each<[Kind, number, number]>([
  ["at once", 1, 150],
  ["unsettled", 1, 150],
  ["at once", 3, 40],
  ["unsettled", 3, 40],
])(
  "a service that settles %s is never overspent, nor credits lost: processes %i, random schedules %i",
  async (kind, processes, seeds) => {
    for (let seed = 1; seed <= seeds; seed++) {
      const { lowest, queued, unbilled, code } = await run(seed, kind, processes);
      expect({ seed, isOverspent: lowest < 0, queued, unbilled, code }).toEqual({
        seed,
        isOverspent: false,
        queued: 0,
        unbilled: 0,
        code: "allowed",
      });
    }
  },
);
