import { availableParallelism } from "node:os";
import process from "node:process";
import { simulateFleet } from "./fleet/fleet-simulation.ts";
import { readOptions, type World } from "./options.ts";
import { simulate } from "./simulation.ts";
import { createWorker, type Findings } from "./workers.ts";

// Random schedules against the promises of the gate: npm run simulate -- [--fleet] [--seeds N] [--from N] | --seed N
const uncovered = { gate: "Late reports", fleet: "Processes that were silent for too long" };
const options = readOptions(process.argv.slice(2));
if (typeof options === "string") {
  console.error(options);
  process.exitCode = 2;
} else if ("seed" in options) await replay(options.seed, options.world);
else await simulateMany(options.seeds, options.from, options.world);

async function replay(seed: number, world: World): Promise<void> {
  const options = { seed, trace: true };
  const { trace, violation } = await (world === "fleet" ? simulateFleet(options) : simulate(options));
  for (const line of trace) console.log(line);
  console.log(`\nSeed ${seed}: ${violation ?? "every promise was kept"}`);
  if (violation !== undefined) process.exitCode = 1;
}

async function simulateMany(seeds: number, from: number, world: World): Promise<void> {
  const started = performance.now();
  const total = { schedules: 0, requests: 0, admitted: 0, reports: 0, restarts: 0, overspentLate: 0 };
  const failures: Findings["failures"][number][] = [];
  let next = from;
  let tenths = 0;
  const takeBatch = () => {
    const first = next;
    next = Math.min(from + seeds, next + 200);
    return { world, first, count: next - first };
  };
  const showProgress = () => {
    const done = Math.floor((10 * total.schedules) / seeds);
    if (done > tenths) process.stderr.write(`${10 * done} %\n`);
    tenths = done;
  };
  const work = async () => {
    const worker = createWorker();
    for (let batch = takeBatch(); batch.count > 0; batch = takeBatch()) {
      const findings = await worker.simulate(batch);
      total.schedules += batch.count;
      total.requests += findings.requests;
      total.admitted += findings.admitted;
      total.reports += findings.reports;
      total.restarts += findings.restarts;
      total.overspentLate += findings.overspentLate;
      failures.push(...findings.failures);
      showProgress();
    }
    await worker.end();
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), seeds) }, work));

  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const last = from + seeds - 1;
  console.log(
    `${total.schedules} schedules, seeds ${from} to ${last}, in ${seconds} s: ${total.requests} requests, ` +
      `${total.admitted} admitted, ${total.reports} reports, ${total.restarts} restarts. ${uncovered[world]}, which no promise ` +
      `covers, overspent a wallet in ${total.overspentLate} schedules, within the bound.`,
  );
  if (failures.length === 0) {
    console.log(
      "Every promise was kept: overspend 0 under the assumptions, else within its bound; nothing lost.",
    );
  } else process.exitCode = 1;
  for (const { seed, violation } of failures.sort((a, b) => a.seed - b.seed)) {
    console.log(`npm run simulate -- ${world === "fleet" ? "--fleet " : ""}--seed ${seed}    # ${violation}`);
  }
}
