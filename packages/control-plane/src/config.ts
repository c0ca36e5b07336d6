import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { ControlPlaneError } from "./control-plane-error.ts";
import { errorCode } from "./error-code.ts";
import type { Fixture } from "./fixture/fixture.ts";
import { parseFixture } from "./fixture/schema.ts";

export interface ServeConfig {
  readonly command: "serve";
  readonly port: number;
  readonly host: string;
  readonly data: string;
  readonly settlementDelayMs: number;
  readonly settlement: boolean;
  readonly metricsPort: number | undefined;
  readonly fixture: Fixture | undefined;
  readonly databaseUrl: string | undefined;
}

export interface WorkerConfig {
  readonly command: "worker";
  readonly host: string;
  readonly metricsPort: number | undefined;
  readonly databaseUrl: string;
}

export type Config =
  | ServeConfig
  | WorkerConfig
  | { readonly command: "help" }
  | { readonly command: "version" };

export const usage = `creditgate serve [options]     run the control plane
creditgate worker [options]    settle what servers without settlement accept; needs DATABASE_URL

  --port PORT             port to listen on, 0 takes a free one       (4000)
  --host HOST             address to listen on                        (127.0.0.1)
  --data DIR              where the embedded PostgreSQL keeps its data (.creditgate)
  --fixture FILE          JSON: an organisation, its agents, customers and wallets
  --settlement-delay MS   from accepting usage to settling it         (1000)
  --no-settlement         leave settling to creditgate worker
  --metrics-port PORT     port for /health, /ready, /metrics; also of the worker (none)

creditgate --help
creditgate --version

With DATABASE_URL=postgres://... it uses that PostgreSQL instead of the embedded one.
`;

const flags = {
  port: { type: "string" },
  host: { type: "string" },
  data: { type: "string" },
  fixture: { type: "string" },
  "settlement-delay": { type: "string" },
  "no-settlement": { type: "boolean" },
  "metrics-port": { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

const longestDelayMs = 24 * 60 * 60 * 1000;

/** Reads the command line; throws a `ControlPlaneError` that names option, expected and received. */
export function readConfig(args: readonly string[], environment: NodeJS.ProcessEnv): Config {
  const { values, positionals } = parseFlags(args);
  if (values.help) return { command: "help" };
  if (values.version) return { command: "version" };
  const [command, ...surplus] = positionals;
  if (command !== "serve" && command !== "worker") {
    throw invalid("command", "serve or worker", command ?? "none");
  }
  if (surplus[0] !== undefined) throw invalid("command line", `options only after ${command}`, surplus[0]);
  const metricsPort =
    values["metrics-port"] === undefined
      ? undefined
      : integer("--metrics-port", values["metrics-port"], 65_535);
  if (command === "worker") return readWorker(values, metricsPort, environment);
  return {
    command,
    port: integer("--port", values.port ?? "4000", 65_535),
    host: nonEmpty("--host", values.host ?? "127.0.0.1"),
    data: nonEmpty("--data", values.data ?? ".creditgate"),
    settlementDelayMs: integer("--settlement-delay", values["settlement-delay"] ?? "1000", longestDelayMs),
    settlement: values["no-settlement"] !== true,
    metricsPort,
    fixture: values.fixture === undefined ? undefined : readFixture(values.fixture),
    databaseUrl: readDatabaseUrl(environment.DATABASE_URL),
  };
}

/** A worker has no PostgreSQL of its own: it works for servers that have another. */
function readWorker(
  { "metrics-port": _, host = "127.0.0.1", help: _help, version: _version, ...surplus }: Values,
  metricsPort: number | undefined,
  environment: NodeJS.ProcessEnv,
): WorkerConfig {
  const [option] = Object.keys(surplus);
  if (option !== undefined) throw invalid(`--${option}`, "no such option of worker", "it");
  const databaseUrl = readDatabaseUrl(environment.DATABASE_URL);
  if (databaseUrl === undefined) {
    throw invalid("DATABASE_URL", "the PostgreSQL of the servers, since this is a worker", "none");
  }
  return { command: "worker", host: nonEmpty("--host", host), metricsPort, databaseUrl };
}

type Values = ReturnType<typeof parseFlags>["values"];

function parseFlags(args: readonly string[]) {
  const { tokens } = parseArgs({ args: [...args], options: flags, strict: false, tokens: true });
  const seen = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const type = Object.entries(flags).find(([name]) => name === token.name)?.[1].type;
    if (type === undefined) {
      throw invalid(
        "option",
        `one of ${Object.keys(flags)
          .map((name) => `--${name}`)
          .join(", ")}`,
        token.rawName,
      );
    }
    if (seen.has(token.name)) throw invalid(token.rawName, "once", "it twice");
    seen.add(token.name);
    if (type === "boolean" && token.value !== undefined)
      throw invalid(token.rawName, "no value", token.value);
    if (type === "string" && token.value === undefined) throw invalid(token.rawName, "a value", "none");
  }
  return parseArgs({ args: [...args], options: flags, allowPositionals: true });
}

function integer(option: string, text: string, max: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= max) return value;
  throw invalid(option, `a whole number from 0 to ${max}`, text);
}

function nonEmpty(option: string, text: string): string {
  if (text.trim() !== "") return text;
  throw invalid(option, "a value", "an empty one");
}

function readFixture(file: string): Fixture {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw invalid("--fixture", "a file that can be read", `${file} (${errorCode(cause)})`);
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw invalid("--fixture", `JSON in ${file}`, cause instanceof Error ? cause.message : String(cause));
  }
  return parseFixture(json, `--fixture ${file}`);
}

function readDatabaseUrl(text: string | undefined): string | undefined {
  if (text === undefined || text === "") return undefined;
  if (/^postgres(ql)?:\/\/./.test(text) && URL.canParse(text)) return text;
  // The URL may hold a password: it is not repeated.
  throw invalid("DATABASE_URL", "a URL such as postgres://user@host:5432/database", "something else");
}

function invalid(option: string, expected: string, received: string): ControlPlaneError {
  return new ControlPlaneError("config_invalid", `${option}: expected ${expected}, received ${received}`);
}
