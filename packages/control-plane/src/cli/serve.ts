import path from "node:path";
import { adminTokenFile, embeddedAdminToken } from "../admin/token.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../database/embedded/embedded-postgres.ts";
import { ControlPlaneError } from "../errors/control-plane-error.ts";
import { startServer } from "../server/server.ts";
import { startWorker } from "../server/worker.ts";
import type { ServeConfig, WorkerConfig } from "./config.ts";
import type { Log } from "./log.ts";

/** Runs the control plane until a signal: it ends its own work first, and then PostgreSQL. */
export async function serve(config: ServeConfig, log: Log): Promise<void> {
  let postgres: EmbeddedPostgres | undefined;
  let stop = async (): Promise<void> => undefined;
  const stopping = new AbortController();
  const signalled = firstSignal(() => postgres?.abandon());
  void signalled.then(() => stopping.abort(stoppedEarly()));

  if (config.databaseUrl === undefined) {
    postgres = await startEmbeddedPostgres({ data: config.data, onError: log.error });
  }
  try {
    const adminTokens = [...config.adminTokens];
    if (postgres !== undefined && adminTokens.length === 0) {
      adminTokens.push(await embeddedAdminToken(config.data));
    }
    const server = await startServer({
      ...config,
      databaseUrl: config.databaseUrl ?? postgres?.databaseUrl ?? "",
      adminTokens,
      signal: stopping.signal,
      onError: log.error,
      onNotice: log.warn,
      onRequest: config.accessLog ? log.request : undefined,
    });
    stop = () => server.stop(config.stopTimeoutMs);
    if (server.generatedApiKey !== undefined) {
      log.info(`API key (shown once): ${server.generatedApiKey}`);
    }
    if (server.firstOwnerLink !== undefined) {
      log.info(`first owner (works once, for a day): ${server.firstOwnerLink}`);
    }
    if (server.metricsUrl !== undefined) {
      log.info(`metrics on ${server.metricsUrl}/metrics`);
    }
    if (server.dashboardUrl !== undefined) {
      log.info(`dashboard on ${server.dashboardUrl}`);
    }
    if (server.dashboardFix !== undefined) {
      log.info(`dashboard is not here, to have it: ${server.dashboardFix}`);
    }
    log.info(`listening on ${server.url} (${storage(config)})`);
    await signalled;
  } finally {
    await stop();
    await postgres?.stop();
  }
}

function storage({ databaseUrl, data, settlement, settlementDelayMs, adminTokens }: ServeConfig): string {
  const delay = `settles after ${settlementDelayMs} ms${settlement ? "" : ", by workers"}`;
  if (databaseUrl === undefined) {
    const admin = adminTokens.length > 0 ? "" : `, admin token in ${adminTokenFile(data)}`;
    return `embedded PostgreSQL in ${path.join(data, "postgres")}, ${delay}${admin}`;
  }
  const { host, pathname } = new URL(databaseUrl);
  return `PostgreSQL at ${host}${pathname}, ${delay}`;
}

/** Runs a worker until a signal: it ends its own work first. */
export async function work(config: WorkerConfig, log: Log): Promise<void> {
  const stopping = new AbortController();
  const signalled = firstSignal();
  void signalled.then(() => stopping.abort(stoppedEarly()));
  const worker = await startWorker({
    ...config,
    signal: stopping.signal,
    onError: log.error,
    onNotice: log.warn,
  });
  if (worker.metricsUrl !== undefined) {
    log.info(`metrics on ${worker.metricsUrl}/metrics`);
  }
  log.info("worker settling");
  await signalled;
  await worker.stop(config.stopTimeoutMs);
}

/** Resolves at the first signal; the second one ends the process where it stands. */
function firstSignal(onSecond: () => void = () => undefined): Promise<void> {
  return new Promise((resolve) => {
    let signals = 0;
    const onSignal = (signal: NodeJS.Signals): void => {
      signals += 1;
      if (signals === 1) {
        resolve();
        return;
      }
      onSecond();
      process.exit(signal === "SIGINT" ? 130 : 143);
    };
    process.on("SIGINT", onSignal);
    process.on("SIGTERM", onSignal);
  });
}

/** Why a process that is stopped while it starts does not become ready. */
function stoppedEarly(): ControlPlaneError {
  return new ControlPlaneError(
    "stopped",
    "process: stopped by a signal before it was ready; nothing was changed",
  );
}
