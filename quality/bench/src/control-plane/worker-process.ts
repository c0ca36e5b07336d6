import { task, tell } from "./child.ts";

export interface WorkerTask {
  readonly databaseUrl: string;
  /** Whether it ends when nothing is left to settle; else it goes on until it is stopped. */
  readonly untilSettled: boolean;
  /** The control plane of another checkout, as an address of a module. */
  readonly module?: string;
}

export interface WorkerAnswer {
  readonly elapsedMs: number;
}

/** A worker as `creditgate worker` runs it. */
const { databaseUrl, untilSettled, module } = await task<WorkerTask>();
const { startWorker }: typeof import("@creditgate/control-plane") = await import(
  module ?? "@creditgate/control-plane"
);
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
