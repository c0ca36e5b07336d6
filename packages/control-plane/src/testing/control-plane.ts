import { type WalletBalance, walletBalanceAnswer } from "@creditgate/client";
import type { Fixture } from "../fixture/fixture.ts";
import type { Rates } from "../limits/limits.ts";
import type { PeopleOptions } from "../people/people.ts";
import { startServer } from "../server/server.ts";
import type { Clock } from "../time/clock.ts";
import type { WebhookRules } from "../webhooks/sender.ts";
import { createFaults, type Faults } from "./faults.ts";
import { createMigratedDatabase } from "./test-database.ts";

/** What a control plane under test is to be. */
export interface TestControlPlaneOptions {
  /** The organisation, agents, customers and wallets that are there at the start. */
  readonly fixture: Fixture;
  /** Milliseconds between accepting usage and settling it. @default 0 */
  readonly settlementDelayMs?: number;
  /** Port to listen on. @default a free one */
  readonly port?: number;
  /** Opens `/admin/api`; at least 20 characters. @default it is closed */
  readonly adminToken?: string;
  /** Lets people sign in to `/admin/api`. @default no one can */
  readonly people?: PeopleOptions;
  /** Requests per second for each API key; 0 is no limit. @default 0: tests may send as fast as they like */
  readonly rateLimitPerSecond?: number;
  /** What each organisation may ask for. @default no limit */
  readonly rates?: Rates;
  /** Where webhooks may go. @default by http too, and to this machine */
  readonly webhooks?: WebhookRules;
  /** Called with one line for operators. @default nothing is reported */
  readonly onNotice?: (line: string) => void;
  /** Where the time comes from. @default the database's clock */
  readonly clock?: Clock;
}

/** A control plane on a real PostgreSQL, with a database of its own. */
export interface TestControlPlane {
  readonly baseUrl: string;
  /** The key of the fixture's organisation. */
  readonly apiKey: string;
  readonly databaseUrl: string;
  /** Makes the first owner, if people can sign in. */
  readonly firstOwnerLink: string | undefined;
  /** The wallets of a customer by currency, as the API answers them. */
  balance(customerId: string): Promise<Readonly<Record<string, WalletBalance>>>;
  /** Resolves when every accepted usage report is settled. */
  settled(): Promise<void>;
  readonly faults: Faults;
  /** Stops it, and drops its database. */
  stop(): Promise<void>;
}

/** Starts a control plane; several may run at once. The first call of a process may start a PostgreSQL. */
export async function startControlPlane(options: TestControlPlaneOptions): Promise<TestControlPlane> {
  const { fixture, settlementDelayMs = 0, port = 0, rateLimitPerSecond = 0, adminToken, ...rest } = options;
  const { rates = { requestsPerSecond: 0, reportsPerSecond: 0 } } = options;
  const faults = createFaults();
  const database = await createMigratedDatabase();
  const { databaseUrl } = database;
  try {
    const server = await startServer({
      databaseUrl,
      port,
      settlementDelayMs,
      rateLimitPerSecond,
      fixture,
      // No load balancer has to notice that it stops.
      drainDelayMs: 0,
      webhooks: { networks: ["127.0.0.0/8", "::1"], allowHttp: true },
      ...rest,
      rates,
      adminTokens: adminToken === undefined ? [] : [{ name: "test", token: adminToken }],
      intercept: faults.intercept,
      onError: (error) => console.error(error),
    });
    const apiKey = fixture.organization.apiKey ?? server.generatedApiKey ?? "";
    let stopped: Promise<void> | undefined;
    return {
      baseUrl: server.url,
      apiKey,
      databaseUrl,
      firstOwnerLink: server.firstOwnerLink,
      faults,
      settled: server.settled,
      async balance(customerId) {
        const query = new URLSearchParams({ customer_id: customerId });
        const response = await fetch(`${server.url}/api/v1/wallet/balance?${query}`, {
          headers: { "service-api-key": apiKey },
        });
        if (!response.ok)
          throw new Error(`GET balance of ${customerId}: ${response.status} ${await response.text()}`);
        return walletBalanceAnswer.parse(await response.json()).balances;
      },
      stop() {
        faults.restore();
        stopped ??= server.stop(1_000).finally(() => database.drop());
        return stopped;
      },
    };
  } catch (error) {
    await database.drop();
    throw error;
  }
}
