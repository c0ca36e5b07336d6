import type { FleetConfig } from "./fleet.ts";
import type { OpenAiEndpoint } from "./model.ts";

export interface Config {
  readonly port: number;
  readonly settlementLagMs: number;
  /** A file in which usage waits for its delivery; without it, in memory. */
  readonly outboxFile: string | undefined;
  /** Whether the file also has the work in flight, so that a kill does not make it free. */
  readonly durableHolds: boolean;
  /** Shared with the other processes of a cluster; without it, this one decides and delivers alone. */
  readonly fleet: FleetConfig | undefined;
  /** The endpoint that answers; without it the stand-in does. */
  readonly openAi: OpenAiEndpoint | undefined;
  /** What the payment provider signs its events with; without it none are taken. */
  readonly paymentWebhookSecret: string | undefined;
}

/** Reads the environment; throws an error that names variable, expected and received. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: apiKey, OPENAI_MODEL: model } = environment;
  return {
    port: integer("PORT", environment.PORT, 3_000, 65_535),
    // Within this time the control plane has debited what it has acknowledged; longer is safe, shorter is not.
    settlementLagMs: integer("SETTLEMENT_LAG_MS", environment.SETTLEMENT_LAG_MS, 10_000, 86_400_000),
    outboxFile: environment.OUTBOX_FILE || undefined,
    durableHolds: environment.DURABLE_HOLDS === "1",
    fleet: fleetOf(environment),
    paymentWebhookSecret: environment.PAYMENT_WEBHOOK_SECRET || undefined,
    openAi: apiKey ? { baseUrl: baseUrl || undefined, apiKey, model: model || "gpt-4o-mini" } : undefined,
  };
}

function fleetOf(environment: NodeJS.ProcessEnv): FleetConfig | undefined {
  const { FLEET_DATABASE_URL: databaseUrl, FLEET_SCHEMA: schema, FLEET_PROCESS: process } = environment;
  if (!databaseUrl) return undefined;
  if (!process)
    throw new Error(
      "FLEET_PROCESS: expected a name that no other process has at the same time, received none",
    );
  return { databaseUrl, schema: schema || "creditgate_fleet", process };
}

function integer(name: string, text: string | undefined, fallback: number, max: number): number {
  if (text === undefined || text === "") return fallback;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= max) return value;
  throw new Error(`${name}: expected a whole number from 0 to ${max}, received ${JSON.stringify(text)}`);
}
