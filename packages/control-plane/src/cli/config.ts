import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { AdminToken } from "../admin/authentication.ts";
import { readAdminTokens } from "../admin/token.ts";
import type { DatabaseTimeouts } from "../database/connection.ts";
import { ControlPlaneError } from "../errors/control-plane-error.ts";
import { errorCode } from "../errors/error-code.ts";
import type { Fixture } from "../fixture/fixture.ts";
import { parseFixture } from "../fixture/schema.ts";
import {
  billingPeriods,
  defaultPeriodSettings,
  isTimeZone,
  type PeriodSettings,
} from "../periods/settings.ts";

export interface ServeConfig {
  readonly command: "serve";
  readonly port: number;
  readonly host: string;
  readonly data: string;
  readonly settlementDelayMs: number;
  readonly settlement: boolean;
  readonly metricsPort: number | undefined;
  readonly rateLimitPerSecond: number;
  readonly maxClients: number;
  readonly trustedProxies: number;
  readonly drainDelayMs: number | undefined;
  readonly stopTimeoutMs: number;
  readonly periodSettings: PeriodSettings;
  readonly adminTokens: readonly AdminToken[];
  readonly fixture: Fixture | undefined;
  readonly databaseUrl: string | undefined;
}

export interface WorkerConfig {
  readonly command: "worker";
  readonly host: string;
  readonly metricsPort: number | undefined;
  readonly stopTimeoutMs: number;
  readonly periodSettings: PeriodSettings;
  readonly databaseUrl: string;
}

export interface ClosePeriodConfig {
  readonly command: "close-period";
  readonly data: string;
  readonly periodSettings: PeriodSettings;
  readonly organization: string | undefined;
  readonly early: boolean;
  readonly databaseUrl: string | undefined;
}

export interface VerifyConfig {
  readonly command: "verify";
  readonly data: string;
  readonly databaseUrl: string | undefined;
}

export interface MigrateConfig {
  readonly command: "migrate";
  readonly databaseUrl: string;
  /** Who gets the rights of servers and workers. */
  readonly appRole: string | undefined;
}

export type Config =
  | ServeConfig
  | WorkerConfig
  | ClosePeriodConfig
  | VerifyConfig
  | MigrateConfig
  | { readonly command: "help" }
  | { readonly command: "version" };

export const usage = `creditgate serve [options]     run the control plane
creditgate worker [options]    settle what servers without settlement accept; needs DATABASE_URL
creditgate close-period [options]  invoice the use of postpaid wallets up to the last period's end
creditgate verify [options]    compute all balances again from the ledger; ends with 1 on a difference
creditgate migrate [options]   bring the schema of DATABASE_URL up to date, as its owner

  --port PORT             port to listen on, 0 takes a free one       (4000)
  --host HOST             address to listen on                        (127.0.0.1)
  --data DIR              where the embedded PostgreSQL keeps its data (.creditgate)
  --fixture FILE          JSON: an organisation, its agents, customers and wallets
  --settlement-delay MS   from accepting usage to settling it         (1000)
  --no-settlement         leave settling to creditgate worker
  --metrics-port PORT     port for /metrics, /health, /ready; also of the worker (none)
  --rate-limit N          requests per second for each API key; 0 is no limit (1000)
  --max-clients N         connections of clients at once              (2000)
  --trusted-proxies N     proxies in front that add to X-Forwarded-For (0)
  --drain-delay MS        from SIGTERM, and /ready saying no, to refusing connections (3000; 100 on 127.0.0.1)
  --stop-timeout MS       from SIGTERM to the end, whatever the database does; also of the worker (10000)
  --billing-period P      daily, weekly or monthly, where an organisation has no setting (monthly)
  --billing-anchor DAY    first day of a period: of the month, 1 to 28, or the week, 1 to 7 (1)
  --time-zone ZONE        in which the days of periods are                (UTC)
  --organization NAME     of close-period: only this one
  --early                 of close-period: end the running period now
  --app-role NAME         of migrate: the role of servers and workers, which gets the rights that they need

creditgate doctor --help        try a service as a gate would use it, and say what to mend
creditgate outbox --help        look after what a gate could not deliver (@creditgate/sqlite)
creditgate --help
creditgate --version

CREDITGATE_ADMIN_TOKEN=NAME:TOKEN[,...] opens /admin/api to those who have a token. Without it, and with the embedded
PostgreSQL, there is one in DIR/admin-token; without it, and with DATABASE_URL, there is no /admin/api.
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
  "rate-limit": { type: "string" },
  "max-clients": { type: "string" },
  "trusted-proxies": { type: "string" },
  "drain-delay": { type: "string" },
  "stop-timeout": { type: "string" },
  "billing-period": { type: "string" },
  "billing-anchor": { type: "string" },
  "time-zone": { type: "string" },
  organization: { type: "string" },
  early: { type: "boolean" },
  "app-role": { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

const longestDelayMs = 24 * 60 * 60 * 1000;
const longestStopMs = 60 * 60 * 1000;

/** Reads the command line; throws a `ControlPlaneError` that names option, expected and received. */
export function readConfig(args: readonly string[], environment: NodeJS.ProcessEnv): Config {
  const { values, positionals } = parseFlags(args);
  if (values.help) return { command: "help" };
  if (values.version) return { command: "version" };
  const [command, ...surplus] = positionals;
  if (!isCommand(command)) {
    throw invalid("command", "serve, worker, close-period, verify or migrate", command ?? "none");
  }
  if (surplus[0] !== undefined) throw invalid("command line", `options only after ${command}`, surplus[0]);
  const foreign = Object.keys(values).find((name) => !commands[command].includes(name));
  if (foreign !== undefined) throw invalid(`--${foreign}`, `no such option of ${command}`, "it");
  const databaseUrl = readDatabaseUrl(environment.DATABASE_URL);
  const data = nonEmpty("--data", values.data ?? ".creditgate");
  const periodSettings = readPeriodSettings(values);
  const host = nonEmpty("--host", values.host ?? "127.0.0.1");
  const metricsPort = optional("--metrics-port", values["metrics-port"], 65_535);
  const stopTimeoutMs = integer("--stop-timeout", values["stop-timeout"] ?? "10000", longestStopMs);
  switch (command) {
    case "verify":
      return { command, data, databaseUrl };
    case "migrate":
      if (databaseUrl === undefined) {
        throw invalid("DATABASE_URL", "the PostgreSQL of the servers, as the owner of its tables", "none");
      }
      return { command, databaseUrl, appRole: readRole(values["app-role"]) };
    case "close-period": {
      const { organization, early = false } = values;
      return { command, data, periodSettings, organization, early, databaseUrl };
    }
    case "worker":
      if (databaseUrl === undefined) {
        throw invalid("DATABASE_URL", "the PostgreSQL of the servers, since this is a worker", "none");
      }
      return { command, host, metricsPort, stopTimeoutMs, periodSettings, databaseUrl };
    case "serve":
      return {
        command,
        port: integer("--port", values.port ?? "4000", 65_535),
        host,
        data,
        settlementDelayMs: integer(
          "--settlement-delay",
          values["settlement-delay"] ?? "1000",
          longestDelayMs,
        ),
        settlement: values["no-settlement"] !== true,
        metricsPort,
        rateLimitPerSecond: integer("--rate-limit", values["rate-limit"] ?? "1000", 1_000_000),
        maxClients: atLeastOne("--max-clients", values["max-clients"] ?? "2000", 1_000_000),
        trustedProxies: integer("--trusted-proxies", values["trusted-proxies"] ?? "0", 100),
        drainDelayMs: optional("--drain-delay", values["drain-delay"], longestStopMs),
        stopTimeoutMs,
        periodSettings,
        adminTokens: readAdminTokens(environment.CREDITGATE_ADMIN_TOKEN),
        fixture: values.fixture === undefined ? undefined : readFixture(values.fixture),
        databaseUrl,
      };
  }
}

const periodOptions = ["billing-period", "billing-anchor", "time-zone"];

/** The options of each command. A worker has no PostgreSQL of its own: it works for servers that have another. */
const commands: Readonly<
  Record<"serve" | "worker" | "close-period" | "verify" | "migrate", readonly string[]>
> = {
  serve: [
    ...["port", "host", "data", "fixture", "settlement-delay", "no-settlement", "metrics-port", "rate-limit"],
    ...["max-clients", "trusted-proxies", "drain-delay", "stop-timeout"],
    ...periodOptions,
  ],
  worker: ["host", "metrics-port", "stop-timeout", ...periodOptions],
  "close-period": ["data", "organization", "early", ...periodOptions],
  verify: ["data"],
  migrate: ["app-role"],
};

function isCommand(text: string | undefined): text is keyof typeof commands {
  return text !== undefined && Object.hasOwn(commands, text);
}

function readPeriodSettings(values: Values): PeriodSettings {
  const { period, anchor, timeZone } = defaultPeriodSettings;
  const text = values["billing-period"] ?? period;
  const found = billingPeriods.find((candidate) => candidate === text);
  if (found === undefined) throw invalid("--billing-period", billingPeriods.join(", "), text);
  const day = integer(
    "--billing-anchor",
    values["billing-anchor"] ?? String(anchor),
    found === "weekly" ? 7 : 28,
  );
  if (day === 0) throw invalid("--billing-anchor", "a day from 1", "0");
  const zone = values["time-zone"] ?? timeZone;
  if (!isTimeZone(zone)) throw invalid("--time-zone", "a name such as Europe/Amsterdam", zone);
  return { period: found, anchor: day, timeZone: zone };
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
    if (token.value?.startsWith("-") === true && !token.inlineValue && !/^-\d/.test(token.value)) {
      throw invalid(token.rawName, "a value", `${token.value}, an option`);
    }
  }
  // Joined, since parseArgs takes a value of its own such as -1 for an option.
  const joined = tokens.map((token) => {
    if (token.kind === "option-terminator") return "--";
    if (token.kind === "positional") return token.value;
    return token.value === undefined ? token.rawName : `--${token.name}=${token.value}`;
  });
  return parseArgs({ args: joined, options: flags, allowPositionals: true });
}

function integer(option: string, text: string, max: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= max) return value;
  throw invalid(option, `a whole number from 0 to ${max}`, text);
}

function optional(option: string, text: string | undefined, max: number): number | undefined {
  return text === undefined ? undefined : integer(option, text, max);
}

function atLeastOne(option: string, text: string, max: number): number {
  const value = integer(option, text, max);
  if (value > 0) return value;
  throw invalid(option, `a whole number from 1 to ${max}`, text);
}

function readRole(name: string | undefined): string | undefined {
  if (name === undefined || /^[a-z_][a-z0-9_]{0,62}$/.test(name)) return name;
  throw invalid("--app-role", "a name of lower-case letters, digits and _", name);
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

const timeoutNames: readonly (keyof DatabaseTimeouts)[] = [
  "statement_timeout",
  "lock_timeout",
  "idle_in_transaction_session_timeout",
];

function readDatabaseUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  // A secret that was not filled in: the embedded PostgreSQL in its place would hide that.
  if (text.trim() === "") {
    throw invalid("DATABASE_URL", "a URL, or no such variable for the embedded PostgreSQL", "an empty one");
  }
  if (/^postgres(ql)?:\/\/./.test(text) && URL.canParse(text)) {
    const { searchParams } = new URL(text);
    for (const name of timeoutNames) {
      // pg would take "5s" for 5 milliseconds.
      optional(`DATABASE_URL: ${name}`, searchParams.get(name) ?? undefined, longestDelayMs);
    }
    return text;
  }
  // The URL may hold a password: it is not repeated.
  throw invalid("DATABASE_URL", "a URL such as postgres://user@host:5432/database", "something else");
}

function invalid(option: string, expected: string, received: string): ControlPlaneError {
  return new ControlPlaneError("config_invalid", `${option}: expected ${expected}, received ${received}`);
}
