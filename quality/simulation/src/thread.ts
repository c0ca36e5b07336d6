import { parentPort } from "node:worker_threads";
import type { Batch, Findings } from "./workers.ts";
import { worlds } from "./worlds.ts";

// The other end of createWorker().
parentPort?.on("message", async (batch: Batch) => {
  parentPort?.postMessage(await simulateBatch(batch));
});

async function simulateBatch({ world, first, count }: Batch): Promise<Findings> {
  const failures: { seed: number; violation: string }[] = [];
  const total = { requests: 0, admitted: 0, reports: 0, restarts: 0, overspent: 0 };
  for (let seed = first; seed < first + count; seed++) {
    const { violation, requests, admitted, reports, restarts, isOverspent } = await worlds[world].play(
      seed,
      false,
    );
    total.requests += requests;
    total.admitted += admitted;
    total.reports += reports;
    total.restarts += restarts;
    if (isOverspent) total.overspent++;
    if (violation !== undefined) failures.push({ seed, violation });
  }
  return { failures, ...total };
}
