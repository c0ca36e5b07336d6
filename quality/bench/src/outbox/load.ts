import { monitorEventLoopDelay } from "node:perf_hooks";

export interface LoadOptions {
  /** Requests at once. */
  readonly workers: number;
  readonly durationMs: number;
  run(): Promise<unknown>;
}

export interface Load {
  readonly perSecond: number;
  /** How late a timer of the event loop was, the worst in a hundred left out. */
  readonly p99DelayMs: number;
}

/** Runs the same thing over and over, a fixed number at once. */
export async function measureLoad({ workers, durationMs, run }: LoadOptions): Promise<Load> {
  // The first ones open files and warm up.
  await Promise.all(Array.from({ length: workers }, run));
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startedAt = performance.now();
  let count = 0;
  const worker = async () => {
    while (performance.now() - startedAt < durationMs) {
      await run();
      count++;
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
  const elapsedMs = performance.now() - startedAt;
  delay.disable();
  return { perSecond: (count / elapsedMs) * 1_000, p99DelayMs: delay.percentile(99) / 1e6 };
}
