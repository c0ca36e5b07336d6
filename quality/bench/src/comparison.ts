import { setImmediate } from "node:timers/promises";
import { collectGarbage } from "./garbage.ts";

/** One way to do a thing, to be timed beside others. */
export interface Contender {
  readonly name: string;
  /** Sets up a round afresh, untimed, and returns what is timed: that number of operations. */
  prepare(operations: number): Promise<() => Promise<void>>;
}

/** How long to measure. */
export interface Effort {
  readonly rounds: number;
  /** In one round of one contender: enough that its code is hot again soon after the collector has been through. */
  readonly operations: number;
}

/** What one contender took, in nanoseconds for each operation. */
export interface Timing {
  readonly name: string;
  readonly median: number;
  /** Of the CPU of this process, all its threads; the median too. */
  readonly cpu: number;
  /** Of the round that was disturbed least. */
  readonly fastest: number;
}

/** Times the contenders in turns, so that whatever disturbs the machine disturbs them all. The first round warms up. */
export async function compare(contenders: readonly Contender[], effort: Effort): Promise<readonly Timing[]> {
  const warmUps = 1;
  const samples = contenders.map((contender) => ({ contender, times: [] as number[], cpu: [] as number[] }));
  for (let round = -warmUps; round < effort.rounds; round++) {
    for (const { contender, times, cpu } of samples) {
      const taken = await timeRound(contender, effort.operations);
      if (round < 0) continue;
      times.push(taken.elapsed);
      cpu.push(taken.cpu);
    }
  }
  return samples.map(({ contender, times, cpu }) => ({
    name: contender.name,
    median: medianOf(times),
    cpu: medianOf(cpu),
    fastest: Math.min(...times),
  }));
}

async function timeRound(
  contender: Contender,
  operations: number,
): Promise<{ elapsed: number; cpu: number }> {
  const run = await contender.prepare(operations);
  // What is left of the round before is not this one's to clean up.
  await setImmediate();
  collectGarbage();
  const [start, cpuStart] = [performance.now(), process.cpuUsage()];
  await run();
  const [elapsedMs, cpu] = [performance.now() - start, process.cpuUsage(cpuStart)];
  await setImmediate();
  return { elapsed: (elapsedMs * 1e6) / operations, cpu: ((cpu.user + cpu.system) * 1e3) / operations };
}

/** The middle value; the mean of the two in the middle of an even number. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = 0, high = 0] = [sorted[(sorted.length - 1) >> 1], sorted[middle]];
  return (low + high) / 2;
}
