import { startWorker } from "@creditgate/control-plane";
import { task, tell } from "./child.ts";

export interface WorkerTask {
  readonly databaseUrl: string;
}

export interface WorkerAnswer {
  readonly elapsedMs: number;
}

/** A worker as `creditgate worker` runs it, timed until nothing is left to settle. */
const { databaseUrl } = await task<WorkerTask>();
const start = performance.now();
const worker = await startWorker({ databaseUrl, onError: (error) => console.error(error) });
await worker.settled();
tell({ elapsedMs: performance.now() - start } satisfies WorkerAnswer);
await worker.stop();
process.disconnect();
