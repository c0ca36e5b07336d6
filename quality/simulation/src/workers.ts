import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { World } from "./worlds.ts";

/** Seeds that follow each other. */
export interface Batch {
  readonly world: World;
  readonly first: number;
  readonly count: number;
}

/** What came of a batch. */
export interface Findings {
  readonly failures: readonly { readonly seed: number; readonly violation: string }[];
  readonly requests: number;
  readonly admitted: number;
  readonly reports: number;
  readonly restarts: number;
  /** Schedules in which a wallet was overspent by what no promise covers, within the bound. */
  readonly overspent: number;
}

/** A core of its own for simulations. */
export interface SimulationWorker {
  /** One batch at a time. Rejects when the simulator itself throws. */
  simulate(batch: Batch): Promise<Findings>;
  end(): Promise<void>;
}

/** Starts a thread that simulates. */
export function createWorker(): SimulationWorker {
  const worker = new Worker(new URL("./thread.js", import.meta.url), {
    // Each schedule leaves garbage behind: a tenth faster than with the default.
    resourceLimits: { maxYoungGenerationSizeMb: 128 },
  });
  return {
    async simulate(batch) {
      worker.postMessage(batch);
      const [findings] = await once(worker, "message");
      return findings as Findings;
    },
    async end() {
      await worker.terminate();
    },
  };
}
