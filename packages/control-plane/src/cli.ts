import { readFileSync } from "node:fs";
import path from "node:path";
import { readConfig, type ServeConfig, usage } from "./config.ts";
import { ControlPlaneError } from "./control-plane-error.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./database/embedded/embedded-postgres.ts";
import { startServer } from "./server.ts";

try {
  const config = readConfig(process.argv.slice(2), process.env);
  if (config.command === "help") process.stdout.write(usage);
  else if (config.command === "version") process.stdout.write(`${version()}\n`);
  else await serve(config);
} catch (error) {
  fail(error);
}

async function serve(config: ServeConfig): Promise<void> {
  let postgres: EmbeddedPostgres | undefined;
  let stop = async (): Promise<void> => undefined;
  const signalled = firstSignal(() => postgres?.abandon());

  if (config.databaseUrl === undefined) {
    postgres = await startEmbeddedPostgres({ data: config.data, onError: report });
  }
  try {
    const server = await startServer({
      databaseUrl: config.databaseUrl ?? postgres?.databaseUrl ?? "",
      host: config.host,
      port: config.port,
      settlementDelayMs: config.settlementDelayMs,
      ...(config.fixture === undefined ? {} : { fixture: config.fixture }),
      onError: report,
    });
    stop = () => server.stop();
    if (server.generatedApiKey !== undefined) {
      process.stdout.write(`creditgate API key (shown once): ${server.generatedApiKey}\n`);
    }
    process.stdout.write(`creditgate listening on ${server.url} (${storage(config)})\n`);
    await signalled;
  } finally {
    await stop();
    await postgres?.stop();
  }
}

/** Resolves at the first signal; the second one ends the process where it stands. */
function firstSignal(onSecond: () => void): Promise<void> {
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

function storage({ databaseUrl, data, settlementDelayMs }: ServeConfig): string {
  const delay = `settles after ${settlementDelayMs} ms`;
  if (databaseUrl === undefined) return `embedded PostgreSQL in ${path.join(data, "postgres")}, ${delay}`;
  const { host, pathname } = new URL(databaseUrl);
  return `PostgreSQL at ${host}${pathname}, ${delay}`;
}

/** The input was wrong: 2. The world was: 1. A failure that nobody foresaw shows where it came from. */
function fail(error: unknown): void {
  const known = error instanceof ControlPlaneError;
  const isInput = known && (error.code === "config_invalid" || error.code === "fixture_invalid");
  if (known) process.stderr.write(`creditgate: ${error.message}\n`);
  else report(error);
  if (isInput) process.stderr.write("creditgate --help shows the options.\n");
  process.exitCode = isInput ? 2 : 1;
}

function report(error: unknown): void {
  process.stderr.write(`creditgate: ${error instanceof Error ? error.stack : String(error)}\n`);
}

function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const found =
    typeof manifest === "object" && manifest !== null && "version" in manifest && manifest.version;
  return String(found);
}
