import { parseArgs } from "node:util";
import { nearestName } from "@creditgate/client";
import type { AdminToken } from "../admin/authentication.ts";
import { readAdminTokens } from "../admin/token.ts";
import type { ControlPlaneError } from "../errors/control-plane-error.ts";
import type { Fixture } from "../fixture/fixture.ts";
import { type Rates, usualRates } from "../limits/limits.ts";
import type { PeopleOptions } from "../people/people.ts";
import {
  billingPeriods,
  defaultPeriodSettings,
  isTimeZone,
  type PeriodSettings,
} from "../periods/settings.ts";
import { parseNetwork } from "../webhooks/address.ts";
import type { WebhookRules } from "../webhooks/sender.ts";
import { resourceNames } from "./admin/resource-names.ts";
import { peopleFlags, readPeople } from "./people-config.ts";
import { toolNames } from "./tool.ts";
import {
  atLeastOne,
  integer,
  invalid,
  longestDelayMs,
  nonEmpty,
  optional,
  readDatabaseUrl,
  readFixture,
  readReplicaUrl,
  readRole,
} from "./values.ts";

export interface ServeConfig {
  readonly command: "serve";
  readonly port: number;
  readonly host: string;
  readonly data: string;
  readonly settlementDelayMs: number;
  readonly settlement: boolean;
  readonly metricsPort: number | undefined;
  readonly rateLimitPerSecond: number;
  readonly rates: Rates;
  readonly maxClients: number;
  readonly trustedProxies: number;
  readonly drainDelayMs: number | undefined;
  readonly stopTimeoutMs: number;
  readonly periodSettings: PeriodSettings;
  readonly webhooks: WebhookRules;
  readonly adminTokens: readonly AdminToken[];
  readonly people: PeopleOptions | undefined;
  readonly fixture: Fixture | undefined;
  readonly databaseUrl: string | undefined;
  readonly replicaUrl: string | undefined;
}

export interface WorkerConfig {
  readonly command: "worker";
  readonly host: string;
  readonly metricsPort: number | undefined;
  readonly stopTimeoutMs: number;
  readonly periodSettings: PeriodSettings;
  readonly webhooks: WebhookRules;
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

const flags = {
  port: { type: "string" },
  host: { type: "string" },
  data: { type: "string" },
  fixture: { type: "string" },
  "settlement-delay": { type: "string" },
  "no-settlement": { type: "boolean" },
  "metrics-port": { type: "string" },
  "rate-limit": { type: "string" },
  "organization-rate-limit": { type: "string" },
  "organization-report-limit": { type: "string" },
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
  "webhook-networks": { type: "string" },
  "webhook-http": { type: "boolean" },
  "webhook-timeout": { type: "string" },
  ...peopleFlags,
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

const longestStopMs = 60 * 60 * 1000;

/** Reads the command line; throws a `ControlPlaneError` that names option, expected and received. */
export function readConfig(args: readonly string[], environment: NodeJS.ProcessEnv): Config {
  const { values, positionals } = parseFlags(args);
  if (values.help) return { command: "help" };
  if (values.version) return { command: "version" };
  const [command, ...surplus] = positionals;
  if (!isCommand(command)) throw unknownCommand(command);
  if (surplus[0] !== undefined) throw invalid("command line", `options only after ${command}`, surplus[0]);
  const foreign = Object.keys(values).find((name) => !commands[command].includes(name));
  if (foreign !== undefined) throw invalid(`--${foreign}`, `no such option of ${command}`, "it");
  const databaseUrl = readDatabaseUrl(environment.DATABASE_URL);
  const data = nonEmpty("--data", values.data ?? ".creditgate");
  const periodSettings = readPeriodSettings(values);
  const webhooks = readWebhookRules(values);
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
      return { command, host, metricsPort, stopTimeoutMs, periodSettings, webhooks, databaseUrl };
    case "serve":
      // Its own PostgreSQL is out of a worker's reach.
      if (values["no-settlement"] === true && databaseUrl === undefined) {
        const expected = "the PostgreSQL of the workers, since --no-settlement leaves settling to them";
        throw invalid("DATABASE_URL", expected, "none");
      }
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
        rates: readRates(values),
        maxClients: atLeastOne("--max-clients", values["max-clients"] ?? "2000", 1_000_000),
        trustedProxies: integer("--trusted-proxies", values["trusted-proxies"] ?? "0", 100),
        drainDelayMs: optional("--drain-delay", values["drain-delay"], longestStopMs),
        stopTimeoutMs,
        periodSettings,
        webhooks,
        adminTokens: readAdminTokens(environment.CREDITGATE_ADMIN_TOKEN),
        people: readPeople(values, environment),
        fixture: values.fixture === undefined ? undefined : readFixture(values.fixture),
        databaseUrl,
        replicaUrl: readReplicaUrl(environment),
      };
  }
}

function readRates(values: Values): Rates {
  const rateOf = (name: "organization-rate-limit" | "organization-report-limit", usual: number) =>
    integer(`--${name}`, values[name] ?? String(usual), 1_000_000);
  return {
    requestsPerSecond: rateOf("organization-rate-limit", usualRates.requestsPerSecond),
    reportsPerSecond: rateOf("organization-report-limit", usualRates.reportsPerSecond),
  };
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

function readWebhookRules(values: Values): WebhookRules {
  const networks = values["webhook-networks"]?.split(",") ?? [];
  const wrong = networks.find((network) => parseNetwork(network) === undefined);
  if (wrong !== undefined) {
    throw invalid("--webhook-networks", "networks with commas between them, as 10.0.0.0/8,fd00::/8", wrong);
  }
  const timeoutMs = integer("--webhook-timeout", values["webhook-timeout"] ?? "15000", 60_000);
  if (timeoutMs < 100) throw invalid("--webhook-timeout", "100 to 60000", String(timeoutMs));
  return { networks, allowHttp: values["webhook-http"] === true, timeoutMs };
}

const webhookOptions = ["webhook-networks", "webhook-http", "webhook-timeout"];

const periodOptions = ["billing-period", "billing-anchor", "time-zone"];

/** The options of each command. A worker has no PostgreSQL of its own: it works for servers that have another. */
const commands: Readonly<
  Record<"serve" | "worker" | "close-period" | "verify" | "migrate", readonly string[]>
> = {
  serve: [
    ...["port", "host", "data", "fixture", "settlement-delay", "no-settlement", "metrics-port", "rate-limit"],
    ...["organization-rate-limit", "organization-report-limit"],
    ...["max-clients", "trusted-proxies", "drain-delay", "stop-timeout"],
    ...periodOptions,
    ...webhookOptions,
    ...Object.keys(peopleFlags),
  ],
  worker: ["host", "metrics-port", "stop-timeout", ...periodOptions, ...webhookOptions],
  "close-period": ["data", "organization", "early", ...periodOptions],
  verify: ["data"],
  migrate: ["app-role"],
};

function isCommand(text: string | undefined): text is keyof typeof commands {
  return text !== undefined && Object.hasOwn(commands, text);
}

function unknownCommand(text: string | undefined): ControlPlaneError {
  const known = [...Object.keys(commands), "users", "doctor", "leak", ...toolNames, ...resourceNames];
  return invalid(
    "command",
    `one of ${known.join(", ")}`,
    text === undefined ? "none" : withAdvice(text, known),
  );
}

function unknownOption(rawName: string): ControlPlaneError {
  const known = Object.keys(flags).map((name) => `--${name}`);
  return invalid("option", `one of ${known.join(", ")}`, withAdvice(rawName, known));
}

function withAdvice(text: string, known: readonly string[]): string {
  const near = nearestName(text, known);
  return near === undefined ? text : `${text}; did you mean ${near}?`;
}

type Values = ReturnType<typeof parseFlags>["values"];

function parseFlags(args: readonly string[]) {
  const { tokens } = parseArgs({ args: [...args], options: flags, strict: false, tokens: true });
  const seen = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const type = Object.entries(flags).find(([name]) => name === token.name)?.[1].type;
    if (type === undefined) {
      const [command = "-"] = args;
      // Of a command that is misspelt the options are unknown, too.
      throw command.startsWith("-") || isCommand(command)
        ? unknownOption(token.rawName)
        : unknownCommand(command);
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
