import { startWorker } from "@creditgate/control-plane";
import { task, tell } from "./child.ts";

export interface WorkerTask {
  readonly databaseUrl: string;
  /** Whether it ends when nothing is left to settle; else it goes on until it is stopped. */
  readonly untilSettled: boolean;
}

export interface WorkerAnswer {
  readonly elapsedMs: number;
}

/** A worker as `creditgate worker` runs it. */
const { databaseUrl, untilSettled } = await task<WorkerTask>();
const start = performance.now();
const worker = await startWorker({ databaseUrl, onError: (error) => console.error(error) });
if (untilSettled) {
  await worker.settled();
  tell({ elapsedMs: performance.now() - start } satisfies WorkerAnswer);
  await worker.stop();
  process.disconnect();
} else {
  process.once("SIGTERM", () => {
    void worker.stop().then(() => process.exit(0));
  });
}
