import process from "node:process";
import { collectGarbage } from "../garbage.ts";
import { createProgress } from "../progress.ts";
import { printTable } from "../table.ts";
import { createPassingCustomers } from "./passing-customers.ts";

const customers = 1_000_000;
const step = 100_000;
/** From here on the gate has long been full, so that nothing but a leak can grow. */
const settledAfter = 200_000;
/** The heap has just been cleaned, so it may hardly grow; of RSS the engine keeps more or less for later. */
const mayGrow = { rss: 1.5, heap: 1.2 };

interface Reading {
  readonly served: number;
  readonly rss: number;
  readonly heap: number;
  readonly remembered: number;
  readonly refused: number;
}

/** A million customers, each served once, by a gate that may remember ten thousand. Throws if the memory grows. */
export async function measureTurnover(): Promise<void> {
  const max = 10_000;
  // 500 customers a second, each to be remembered for 10 s at least: half of what the gate may remember.
  const passing = createPassingCustomers({ max, msBetween: 2, settlementLagMs: 10_000 });
  const progress = createProgress(customers);
  const readings: Reading[] = [];
  let refused = 0;
  for (let served = step; served <= customers; served += step) {
    refused += await passing.serve(step);
    const remembered = (await passing.remembered()).length;
    collectGarbage();
    const { rss, heapUsed: heap } = process.memoryUsage();
    readings.push({ served, rss, heap, remembered, refused });
    progress(served);
  }
  printTable(
    ["customers served", "RSS", "heap", "in memory", "refused"],
    readings.map((reading) => [
      String(reading.served),
      megabytes(reading.rss),
      megabytes(reading.heap),
      String(reading.remembered),
      String(reading.refused),
    ]),
  );
  console.log();
  judge(readings, max);
}

function judge(readings: readonly Reading[], max: number): void {
  const before = readings.find(({ served }) => served === settledAfter);
  const after = readings.at(-1);
  if (before === undefined || after === undefined) throw new Error("nothing was measured");
  const within = (measure: "rss" | "heap") => after[measure] <= before[measure] * mayGrow[measure];
  const bounded = within("rss") && within("heap") && readings.every(({ remembered }) => remembered <= max);
  const verdict =
    `RSS ${megabytes(before.rss)} and heap ${megabytes(before.heap)} after ${before.served} customers, ` +
    `${megabytes(after.rss)} and ${megabytes(after.heap)} after ${after.served}; never more than ${max} in memory; ${after.refused} refused.`;
  if (!bounded || after.refused > 0) throw new Error(`Memory is NOT bounded: ${verdict}`);
  console.log(`Memory is bounded: ${verdict}`);
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
