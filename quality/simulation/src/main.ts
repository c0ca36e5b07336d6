import { availableParallelism } from "node:os";
import process from "node:process";
import { readOptions } from "./options.ts";
import { createWorker, type Findings } from "./workers.ts";
import { type World, worlds } from "./worlds.ts";

// Random schedules against the promises of the gate: npm run simulate -- [--budgets] [--fleet] [--seeds N] [--from N] | --seed N
const options = readOptions(process.argv.slice(2));
if (typeof options === "string") {
  console.error(options);
  process.exitCode = 2;
} else if ("seed" in options) await replay(options.seed, options.world);
else await simulateMany(options.seeds, options.from, options.world);

async function replay(seed: number, world: World): Promise<void> {
  const { trace, violation } = await worlds[world].play(seed, true);
  for (const line of trace) console.log(line);
  console.log(`\nSeed ${seed}: ${violation ?? "every promise was kept"}`);
  if (violation !== undefined) process.exitCode = 1;
}

async function simulateMany(seeds: number, from: number, world: World): Promise<void> {
  const started = performance.now();
  const total = { schedules: 0, requests: 0, admitted: 0, reports: 0, restarts: 0, overspent: 0 };
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
      total.overspent += findings.overspent;
      failures.push(...findings.failures);
      showProgress();
    }
    await worker.end();
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), seeds) }, work));

  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const last = from + seeds - 1;
  const { flags, uncovered }: { flags: string; uncovered?: string } = worlds[world];
  const bounded =
    uncovered === undefined
      ? ""
      : ` ${uncovered}, which no promise covers, overspent a wallet in ${total.overspent} schedules, within the bound.`;
  console.log(
    `${total.schedules} schedules, seeds ${from} to ${last}, in ${seconds} s: ${total.requests} requests, ` +
      `${total.admitted} admitted, ${total.reports} reports, ${total.restarts} restarts.${bounded}`,
  );
  if (failures.length === 0) {
    console.log(
      "Every promise was kept: overspend 0 under the assumptions, else within its bound; nothing lost.",
    );
  } else process.exitCode = 1;
  for (const { seed, violation } of failures.sort((a, b) => a.seed - b.seed)) {
    console.log(`npm run simulate -- ${flags}--seed ${seed}    # ${violation}`);
  }
}
