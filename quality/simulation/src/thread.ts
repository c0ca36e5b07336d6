import { parentPort } from "node:worker_threads";
import { simulateFleet } from "./fleet/fleet-simulation.ts";
import { simulate } from "./simulation.ts";
import type { Batch, Findings } from "./workers.ts";

// The other end of createWorker().
parentPort?.on("message", async (batch: Batch) => {
  parentPort?.postMessage(await (batch.world === "fleet" ? simulateFleets(batch) : simulateBatch(batch)));
});

async function simulateBatch({ first, count }: Batch): Promise<Findings> {
  const failures: { seed: number; violation: string }[] = [];
  let requests = 0;
  let admitted = 0;
  let reports = 0;
  let restarts = 0;
  let overspentLate = 0;
  for (let seed = first; seed < first + count; seed++) {
    const result = await simulate({ seed });
    requests += result.requests;
    admitted += result.admitted;
    reports += result.reports;
    restarts += result.restarts;
    if (result.overspentLate > 0) overspentLate++;
    if (result.violation !== undefined) failures.push({ seed, violation: result.violation });
  }
  return { failures, requests, admitted, reports, restarts, overspentLate };
}

async function simulateFleets({ first, count }: Batch): Promise<Findings> {
  const failures: { seed: number; violation: string }[] = [];
  const total = { requests: 0, admitted: 0, reports: 0, restarts: 0, overspentLate: 0 };
  for (let seed = first; seed < first + count; seed++) {
    const { violation, admitted, denied, unknown, reports, restarts, overspent } = await simulateFleet({
      seed,
    });
    total.requests += admitted + denied + unknown;
    total.admitted += admitted;
    total.reports += reports;
    total.restarts += restarts;
    if (overspent > 0) total.overspentLate++;
    if (violation !== undefined) failures.push({ seed, violation });
  }
  return { failures, ...total };
}
