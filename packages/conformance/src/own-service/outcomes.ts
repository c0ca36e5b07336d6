import { createGate, createRegistry } from "@creditgate/core";
import type { Outcome } from "@creditgate/core/adapter";
import { type ServiceBench, same } from "./bench.ts";

type Rules = { readonly [rule: string]: (bench: ServiceBench) => Promise<void> };

/** Micro-credits; `undefined` if the service does not return it. */
function costOf(outcome: Outcome | undefined): number | undefined {
  return outcome?.outcome === "delivered" ? outcome.cost?.amount : undefined;
}

/** The rules on what is returned, and when a balance shows it. */
export const outcomes: Rules = {
  async "returns for each report what it debits, also for one that it has"(bench) {
    const ada = await bench.customer("ada", 10);
    const reports = bench.reports(ada, 3);
    for (let times = 0; times < 2; times++) {
      for (const outcome of await bench.send(reports)) {
        same("outcome", outcome.outcome, "delivered");
        same("micro-credits", costOf(outcome) ?? bench.cost, bench.cost);
      }
    }
    same("reports that it can pay for", await bench.left(ada), 7);
  },

  async "refuses a report of a customer that it does not know, and stores the others of its batch"(bench) {
    const ada = await bench.customer("ada", 10);
    const [first, last] = bench.reports(ada, 2);
    if (first === undefined || last === undefined) return;
    const found = await bench.send([first, bench.report(bench.id("nobody")), last]);
    same("outcomes", found.map(({ outcome }) => outcome).join(", "), "delivered, undeliverable, delivered");
    same("reports that it can pay for", await bench.left(ada), 8);
  },

  async "stores a refused report that comes again once its customer is known"(bench) {
    const report = bench.report(bench.id("late"));
    const [refused] = await bench.send([report]);
    same("outcome", refused?.outcome, "undeliverable");
    await bench.topUp(report.customerId, 10);
    const [stored] = await bench.send([report]);
    same("outcome", stored?.outcome, "delivered");
    same("reports that it can pay for", await bench.left(report.customerId), 9);
  },

  async "shows in each balance what it had stored before, and once"(bench) {
    const started = 100;
    const ada = await bench.customer("ada", started);
    let sent = 0;
    let stored = 0;
    const look = async () => {
      const before = stored;
      const { left, isExact } = await bench.look(ada);
      const shown = started - left;
      if (shown > sent) throw new Error(`a balance shows ${shown} reports, and ${sent} had been sent`);
      if (isExact && shown < before)
        throw new Error(`a balance shows ${shown} reports, and ${before} had been stored before it`);
    };
    const writers = [1, 2, 3, 4].map(async () => {
      for (const report of bench.reports(ada, 15)) {
        sent++;
        const [outcome] = await Promise.all([bench.send([report]), look()]);
        same("outcomes", outcome.length, 1);
        stored++;
        await look();
      }
    });
    await Promise.all(writers);
    same("reports that it can pay for", await bench.left(ada), 40);
  },

  async "lets a gate serve what a wallet can pay for, not more, and all of it if nothing is hidden"(bench) {
    const ada = await bench.customer("ada", 77);
    const { service, cost } = bench.trial;
    const gate = createGate({
      service,
      currency: bench.currency,
      registry: createRegistry(),
      price: () => cost,
      checkTimeoutMs: 30_000,
      minRefreshMs: 1,
      lagWatch: false,
      logger: false,
      openTelemetry: false,
    });
    try {
      const { agentId, indicator, usage } = bench.report(ada);
      const serve = async () => {
        const decision = await gate.authorize({ customerId: ada, agentId, indicator, hold: cost });
        if (!decision.allowed) return false;
        decision.charge.report(usage);
        await decision.charge.settle();
        return true;
      };
      const served = (await Promise.all(Array.from({ length: 300 }, serve))).filter(Boolean).length;
      await gate.flush({ timeoutMs: 30_000 });
      const { isExact } = await bench.look(ada);
      if (isExact) same("served of 300", served, 77);
      else if (served > 77) throw new Error(`served of 300: expected 77 or fewer, received ${served}`);
      same("reports that it can pay for", await bench.left(ada), 77 - served);
      if (!isExact) return;
      await bench.topUp(ada, 1);
      same("served after a top-up of one", await serve(), true);
      same("served then", await serve(), false);
    } finally {
      await gate.close({ graceMs: 0 });
    }
  },
};
