import { nearestName } from "@creditgate/client";
import type { AdminToken } from "../admin/authentication.ts";
import { readAdminTokens } from "../admin/token.ts";
import type { ControlPlaneError } from "../errors/control-plane-error.ts";
import { type Rates, usualRates } from "../limits/limits.ts";
import {
  billingPeriods,
  defaultPeriodSettings,
  isTimeZone,
  type PeriodSettings,
} from "../periods/settings.ts";
import type { ServerOptions } from "../server/server.ts";
import type { WorkerOptions } from "../server/worker.ts";
import { parseNetwork } from "../webhooks/address.ts";
import type { WebhookRules } from "../webhooks/sender.ts";
import { resourceNames } from "./admin/resource-names.ts";
import { type LogFormat, logFormats } from "./log.ts";
import { peopleOptions, readPeople } from "./people-config.ts";
import { createProgram, type OptionTable, readProgram } from "./program.ts";
import { toolNames } from "./tool.ts";
import {
  atLeastOne,
  integer,
  invalid,
  longestDelayMs,
  nonEmpty,
  oneOf,
  optional,
  readDatabaseUrl,
  readFixture,
  readRole,
} from "./values.ts";

export interface ServeConfig extends Omit<ServerOptions, "databaseUrl"> {
  readonly command: "serve";
  readonly data: string;
  readonly adminTokens: readonly AdminToken[];
  readonly stopTimeoutMs: number;
  readonly databaseUrl: string | undefined;
  readonly logFormat: LogFormat;
  readonly accessLog: boolean;
}

export interface WorkerConfig extends WorkerOptions {
  readonly command: "worker";
  readonly logFormat: LogFormat;
  readonly stopTimeoutMs: number;
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
  /** Its help was asked for, and is printed. */
  | { readonly command: "helped" }
  | { readonly command: "help" }
  | { readonly command: "version" };

const addressOption = { "--host <HOST>": "address to listen on (127.0.0.1)" };
const dataOption = { "--data <DIR>": "where the embedded PostgreSQL keeps its data (.creditgate)" };
const metricsOption = { "--metrics-port <PORT>": "port for /metrics, /health, /ready (none)" };
const logOption = { "--log-format <F>": "of log lines: text or json (text)" };
const stopOption = { "--stop-timeout <MS>": "from SIGTERM to the end, whatever the database does (10000)" };
const periodOptions = {
  "--billing-period <P>": "daily, weekly or monthly, where an organisation has no setting (monthly)",
  "--billing-anchor <DAY>": "first day of a period: of the month, 1 to 28, or the week, 1 to 7 (1)",
  "--time-zone <ZONE>": "in which the days of periods are (UTC)",
};
const webhookOptions = {
  "--webhook-networks <LIST>":
    "networks that are not public to which webhooks may go, as 10.0.0.0/8,fd00::/8 (none)",
  "--webhook-http": "webhooks may go by http",
  "--webhook-timeout <MS>": "how long an endpoint has for its answer (15000)",
};

interface Described {
  readonly summary: string;
  readonly options: OptionTable;
}

/** A worker has no PostgreSQL of its own: it works for servers that have another. */
export const commands = {
  serve: {
    summary: "run the control plane",
    options: {
      "--port <PORT>": "port to listen on, 0 takes a free one (4000)",
      ...addressOption,
      ...dataOption,
      "--fixture <FILE>": "JSON: an organisation, its agents, customers and wallets",
      "--settlement-delay <MS>": "from accepting usage to settling it (1000)",
      "--no-settlement": "leave settling to creditgate worker",
      ...metricsOption,
      "--rate-limit <N>": "requests per second for each API key; 0 is no limit (1000)",
      "--organization-rate-limit <N>": "requests per second of each organisation; 0 is no limit (2000)",
      "--organization-report-limit <N>":
        "reports of usage per second of each organisation; 0 is no limit (5000)",
      "--max-clients <N>": "connections of clients at once (2000)",
      "--trusted-proxies <N>": "proxies in front that add to X-Forwarded-For (0)",
      "--drain-delay <MS>":
        "from SIGTERM, and /ready saying no, to refusing connections (3000; 100 on 127.0.0.1)",
      ...stopOption,
      ...logOption,
      "--access-log": "write a line for each request",
      ...periodOptions,
      ...webhookOptions,
      ...peopleOptions,
    },
  },
  worker: {
    summary: "settle what servers without settlement accept; needs DATABASE_URL",
    options: {
      ...addressOption,
      ...metricsOption,
      ...stopOption,
      ...logOption,
      ...periodOptions,
      ...webhookOptions,
    },
  },
  "close-period": {
    summary: "invoice the use of postpaid wallets up to the last period's end",
    options: {
      ...dataOption,
      "--organization <NAME>": "only this one",
      "--early": "end the running period now",
      ...periodOptions,
    },
  },
  verify: {
    summary: "compute all balances again from the ledger; ends with 1 on a difference",
    options: dataOption,
  },
  migrate: {
    summary: "bring the schema of DATABASE_URL up to date, as its owner",
    options: { "--app-role <NAME>": "the role of servers and workers, which gets the rights that they need" },
  },
} satisfies Readonly<Record<string, Described>>;

/** Those that have no options here: each reads what follows it on its own. */
export const otherCommands: readonly string[] = ["users", "doctor", "leak", "explain"];

/** What was given, by the names of options as Commander writes them. */
type Values = Readonly<Record<string, string | undefined>>;

interface Switches {
  readonly settlement?: boolean;
  readonly early?: boolean;
  readonly webhookHttp?: boolean;
  readonly accessLog?: boolean;
  readonly signIn?: boolean;
}

const longestStopMs = 60 * 60 * 1000;

/** Reads the command line; throws a `ControlPlaneError` that names option, expected and received. */
export function readConfig(args: readonly string[], environment: NodeJS.ProcessEnv): Config {
  const [command, ...rest] = args;
  if (command === "--help" || command === "-h") return { command: "help" };
  if (command === "--version" || command === "-v") return { command: "version" };
  if (!isCommand(command)) throw unknownCommand(command);
  const program = createProgram(`creditgate ${command}`, commands[command].options).description(
    commands[command].summary,
  );
  if (!readProgram(program, rest)) return { command: "helped" };
  const values = program.opts<Values>();
  const { settlement, early = false, webhookHttp: allowHttp = false, signIn } = program.opts<Switches>();
  const { accessLog = false } = program.opts<Switches>();
  const databaseUrl = readDatabaseUrl(environment.DATABASE_URL);
  const data = nonEmpty("--data", values.data ?? ".creditgate");
  const periodSettings = readPeriodSettings(values);
  const webhooks = readWebhookRules(values, allowHttp);
  const host = nonEmpty("--host", values.host ?? "127.0.0.1");
  const metricsPort = optional("--metrics-port", values.metricsPort, 65_535);
  const stopTimeoutMs = integer("--stop-timeout", values.stopTimeout ?? "10000", longestStopMs);
  const logFormat = oneOf("--log-format", logFormats, values.logFormat ?? "text");
  switch (command) {
    case "verify":
      return { command, data, databaseUrl };
    case "migrate":
      if (databaseUrl === undefined) {
        throw invalid("DATABASE_URL", "the PostgreSQL of the servers, as the owner of its tables", "none");
      }
      return { command, databaseUrl, appRole: readRole(values.appRole) };
    case "close-period": {
      const { organization } = values;
      return { command, data, periodSettings, organization, early, databaseUrl };
    }
    case "worker":
      if (databaseUrl === undefined) {
        throw invalid("DATABASE_URL", "the PostgreSQL of the servers, since this is a worker", "none");
      }
      return { command, host, metricsPort, stopTimeoutMs, logFormat, periodSettings, webhooks, databaseUrl };
    case "serve":
      // Its own PostgreSQL is out of a worker's reach.
      if (settlement === false && databaseUrl === undefined) {
        const expected = "the PostgreSQL of the workers, since --no-settlement leaves settling to them";
        throw invalid("DATABASE_URL", expected, "none");
      }
      return {
        command,
        port: integer("--port", values.port ?? "4000", 65_535),
        host,
        data,
        settlementDelayMs: integer("--settlement-delay", values.settlementDelay ?? "1000", longestDelayMs),
        settlement: settlement !== false,
        metricsPort,
        rateLimitPerSecond: integer("--rate-limit", values.rateLimit ?? "1000", 1_000_000),
        rates: readRates(values),
        maxClients: atLeastOne("--max-clients", values.maxClients ?? "2000", 1_000_000),
        trustedProxies: integer("--trusted-proxies", values.trustedProxies ?? "0", 100),
        drainDelayMs: optional("--drain-delay", values.drainDelay, longestStopMs),
        stopTimeoutMs,
        logFormat,
        accessLog,
        periodSettings,
        webhooks,
        adminTokens: readAdminTokens(environment.CREDITGATE_ADMIN_TOKEN),
        people: signIn === false ? undefined : readPeople(values, environment),
        fixture: values.fixture === undefined ? undefined : readFixture(values.fixture),
        databaseUrl,
      };
  }
}

function readRates(values: Values): Rates {
  const { organizationRateLimit: requests, organizationReportLimit: reports } = values;
  const rateOf = (option: string, text: string | undefined, usual: number) =>
    integer(option, text ?? String(usual), 1_000_000);
  return {
    requestsPerSecond: rateOf("--organization-rate-limit", requests, usualRates.requestsPerSecond),
    reportsPerSecond: rateOf("--organization-report-limit", reports, usualRates.reportsPerSecond),
  };
}

function readPeriodSettings(values: Values): PeriodSettings {
  const { period, anchor, timeZone } = defaultPeriodSettings;
  const found = oneOf("--billing-period", billingPeriods, values.billingPeriod ?? period);
  const day = integer(
    "--billing-anchor",
    values.billingAnchor ?? String(anchor),
    found === "weekly" ? 7 : 28,
  );
  if (day === 0) throw invalid("--billing-anchor", "a day from 1", "0");
  const zone = values.timeZone ?? timeZone;
  if (!isTimeZone(zone)) throw invalid("--time-zone", "a name such as Europe/Amsterdam", zone);
  return { period: found, anchor: day, timeZone: zone };
}

function readWebhookRules(values: Values, allowHttp: boolean): WebhookRules {
  const networks = values.webhookNetworks?.split(",") ?? [];
  const wrong = networks.find((network) => parseNetwork(network) === undefined);
  if (wrong !== undefined) {
    throw invalid("--webhook-networks", "networks with commas between them, as 10.0.0.0/8,fd00::/8", wrong);
  }
  const timeoutMs = integer("--webhook-timeout", values.webhookTimeout ?? "15000", 60_000);
  if (timeoutMs < 100) throw invalid("--webhook-timeout", "100 to 60000", String(timeoutMs));
  return { networks, allowHttp, timeoutMs };
}

export function isCommand(text: string | undefined): text is keyof typeof commands {
  return text !== undefined && Object.hasOwn(commands, text);
}

function unknownCommand(text: string | undefined): ControlPlaneError {
  const known = [...Object.keys(commands), ...otherCommands, ...toolNames, ...resourceNames];
  const near = text === undefined ? undefined : nearestName(text, known);
  return invalid(
    "command",
    `one of ${known.join(", ")}`,
    text === undefined ? "none" : near === undefined ? text : `${text}; did you mean ${near}?`,
  );
}

const commandLines = Object.entries(commands).map(
  ([name, { summary }]) => `${`creditgate ${name} [options]`.padEnd(34)}${summary}\n`,
);

/** What `creditgate --help` prints. */
export const usage: string = `${commandLines.join("")}
creditgate RESOURCE ACTION        administer a running control plane: ${resourceNames.join(", ")}
creditgate users                  who has an account; a link for one who has lost the password
creditgate doctor                 try a service as a gate would use it, and say what to mend
creditgate explain CODE           what a code of a denial, an error or a log line means, and what to do
creditgate leak                   find work that your application does and nobody pays
creditgate outbox                 look after what a gate could not deliver (@creditgate/sqlite)
creditgate postgres               look after the store and the outboxes of a fleet (@creditgate/postgres)
creditgate redis                  the same (@creditgate/redis)
creditgate --version

With --help each shows its options, as creditgate serve --help and creditgate wallets --help.

CREDITGATE_ADMIN_TOKEN=NAME:TOKEN[,...] opens /admin/api to those who have a token. Without it, and with the embedded
PostgreSQL, there is one in DIR/admin-token; without it, and with DATABASE_URL, there is no /admin/api.
With DATABASE_URL=postgres://... it uses that PostgreSQL instead of the embedded one.
`;
