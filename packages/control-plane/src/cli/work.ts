import { startWorker } from "../server/worker.ts";
import type { WorkerConfig } from "./config.ts";
import { firstSignal, stoppedEarly } from "./signal.ts";

/** Runs a worker until a signal: it ends its own work first. */
export async function work(config: WorkerConfig, report: (error: unknown) => void): Promise<void> {
  const stopping = new AbortController();
  const signalled = firstSignal();
  void signalled.then(() => stopping.abort(stoppedEarly()));
  const { databaseUrl, host, metricsPort, periodSettings, webhooks } = config;
  const worker = await startWorker({
    databaseUrl,
    host,
    periodSettings,
    webhooks,
    ...(metricsPort === undefined ? {} : { metricsPort }),
    signal: stopping.signal,
    onError: report,
    onNotice: (line) => process.stderr.write(`creditgate: ${line}\n`),
  });
  if (worker.metricsUrl !== undefined) {
    process.stdout.write(`creditgate metrics on ${worker.metricsUrl}/metrics\n`);
  }
  process.stdout.write("creditgate worker settling\n");
  await signalled;
  await worker.stop(config.stopTimeoutMs);
}
