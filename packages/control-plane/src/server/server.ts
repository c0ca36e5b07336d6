import type { RequestListener } from "node:http";
import { setImmediate, setTimeout } from "node:timers/promises";
import type { AdminToken } from "../admin/authentication.ts";
import { locateDashboard } from "../dashboard/routes.ts";
import {
  backgroundTimeouts,
  connect,
  createWriteFailures,
  isUnavailable,
  requestTimeouts,
  watchDatabase,
} from "../database/connection.ts";
import { type RunningClock, startClock } from "../database/database-clock.ts";
import { createFairShare } from "../database/fair-share.ts";
import { openDatabase } from "../database/open.ts";
import { type Fixture, parseFixture } from "../fixture/fixture.ts";
import { loadFixture } from "../fixture/load.ts";
import { createRefusedConnections } from "../http/connection-limits.ts";
import { type Listener, listen } from "../http/listener.ts";
import type { ServedRequest } from "../http/served-request.ts";
import { type Rates, usualRates } from "../limits/limits.ts";
import { createMetrics } from "../metrics/metrics.ts";
import { firstOwnerLink } from "../people/links.ts";
import { createOpenIdConnect } from "../people/open-id-connect.ts";
import { createPeople, type PeopleOptions } from "../people/people.ts";
import { createSite, isLoopback, parsePublicUrl } from "../people/site.ts";
import { defaultPeriodSettings, type PeriodSettings } from "../periods/settings.ts";
import type { SettlementWorker } from "../settlement/worker.ts";
import { type Clock, deadlineIn } from "../time/clock.ts";
import type { Polling } from "../time/polling.ts";
import { createAddressRule } from "../webhooks/address.ts";
import { createUrlRule } from "../webhooks/post.ts";
import type { WebhookRules } from "../webhooks/sender.ts";
import { createApp } from "./app.ts";
import { startBackground } from "./background.ts";
import { createOperationsApp } from "./operations-app.ts";

/** How a control plane is started. */
export interface ServerOptions {
  /** The PostgreSQL database to keep everything in, as a `postgres://` URL. It is migrated at the start. */
  readonly databaseUrl: string;
  /** Address to listen on. @default "127.0.0.1" */
  readonly host?: string | undefined;
  /** Port to listen on, 0 to 65535; 0 takes a free one. @default 4000 */
  readonly port?: number | undefined;
  /** Milliseconds between accepting usage and settling it, from 0. @default 1000 */
  readonly settlementDelayMs?: number | undefined;
  /** Requests per second that each API key may make of this replica; 0 is no limit. @default 1000 */
  readonly rateLimitPerSecond?: number | undefined;
  /** What each organisation may ask this process for, unless an operator has set others for it. @default 2000 requests and 5000 reports a second */
  readonly rates?: Rates | undefined;
  /** When billing periods end, where an organisation has no settings. @default the first of the month, UTC */
  readonly periodSettings?: PeriodSettings | undefined;
  /** Where webhooks may go. @default by https to public addresses */
  readonly webhooks?: WebhookRules | undefined;
  /** The tokens that open `/admin/api`. @default none: it is not served then */
  readonly adminTokens?: readonly AdminToken[] | undefined;
  /** Lets people sign in to `/admin/api`. @default no one can: only admin tokens open it */
  readonly people?: PeopleOptions | undefined;
  /** Whether this process settles as well; without it `startWorker` must run elsewhere. @default true */
  readonly settlement?: boolean | undefined;
  /** Port for `/metrics`, and `/health` and `/ready` too, 0 to 65535; 0 takes a free one. @default none: no metrics */
  readonly metricsPort?: number | undefined;
  /**
   * Connections of clients at most; more are closed as they come. Where no proxy is trusted, one address gets half of
   * them. @default 2000
   */
  readonly maxClients?: number | undefined;
  /**
   * How many proxies stand in front, and each add to `X-Forwarded-For` who called them. Requests without a valid key
   * are limited by address. @default 0: the address is that of the connection
   */
  readonly trustedProxies?: number | undefined;
  /**
   * Milliseconds between the start of `stop`, from which `/ready` says no, and refusing connections: as long as load
   * balancers take to notice. @default 100 on an address of this machine's own, else 3000
   */
  readonly drainDelayMs?: number | undefined;
  /** An organisation with agents, customers and wallets that is there when the server is ready. */
  readonly fixture?: Fixture | undefined;
  /** Connections to PostgreSQL for requests at most; up to 9 more are for keys, health, settling and administrators. @default 10 */
  readonly maxConnections?: number | undefined;
  /** Where the time comes from. @default the database's clock, which all replicas share; it is asked every 10 s */
  readonly clock?: Clock | undefined;
  /** Ends the start while a migration waits or runs, which rejects with its reason. @default nothing does */
  readonly signal?: AbortSignal | undefined;
  /** Called with unexpected errors, and with the ID of the request that had one. @default nothing is reported */
  readonly onError?: (error: unknown, requestId?: string) => void;
  /** Called with each request of the API and the pages that has ended. @default nothing is noted */
  readonly onRequest?: ((served: ServedRequest) => void) | undefined;
  /**
   * Called with one line for operators: an outage and its end, clients that are refused, a wrong clock. @default
   * nothing is reported
   */
  readonly onNotice?: (line: string) => void;
  /** Stands between the socket and the control plane. @default nothing does */
  readonly intercept?: (handler: RequestListener) => RequestListener;
}

/** A control plane that answers requests. */
export interface RunningServer {
  /** The base URL, with the port that was taken. */
  readonly url: string;
  /** Where the metrics are, if a port of their own was asked for. */
  readonly metricsUrl: string | undefined;
  /** The API key that was generated for a new organisation whose fixture has none; it is not shown again. */
  readonly generatedApiKey: string | undefined;
  /** The link that makes the first owner, where people can sign in and there are none. It works once, for a day. */
  readonly firstOwnerLink: string | undefined;
  /** The address of the pages, where people can sign in and `@creditgate/dashboard` is built. */
  readonly dashboardUrl: string | undefined;
  /** What to do to have the pages, where people can sign in and there are none. */
  readonly dashboardFix: string | undefined;
  /** Resolves when all accepted usage is settled; rejects if the server is stopped before, or settles nothing. */
  settled(): Promise<void>;
  /**
   * Ends in `graceMs`, 10000 by default, whatever the database does: `/ready` says no and answers end their
   * connections; after the drain delay no connection is taken, and what is under way is answered, or cut off when most
   * of the time is over. What is accepted and not settled is stored, and settled after the next start.
   */
  stop(graceMs?: number): Promise<void>;
}

/**
 * Starts a control plane on a database that runs. Rejects with a `ControlPlaneError` if the fixture is wrong, the port
 * is taken, or the database cannot be reached or is newer than this version.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { intercept = (handler) => handler, onNotice = () => undefined } = options;
  const {
    host = "127.0.0.1",
    port = 4000,
    metricsPort,
    settlement = true,
    settlementDelayMs = 1_000,
    rateLimitPerSecond = 1_000,
    rates = usualRates,
    trustedProxies = 0,
    drainDelayMs = isLoopback(host) ? 100 : 3_000,
    maxConnections = 10,
    maxClients = 2_000,
    periodSettings = defaultPeriodSettings,
    webhooks = {},
    adminTokens = [],
  } = options;
  const fixture = options.fixture === undefined ? undefined : parseFixture(options.fixture);
  const publicUrl =
    options.people?.publicUrl === undefined ? undefined : parsePublicUrl(options.people.publicUrl);
  let url = "";
  const site = createSite({ publicUrl, listening: () => url });
  let isDraining = false;
  const stopping = new AbortController();
  const onError = (error: unknown, requestId?: string): void => {
    // What is under way when the time to stop is over loses its connection.
    if (!(isDraining && isUnavailable(error))) options.onError?.(error, requestId);
  };

  const requests = await openDatabase(options.databaseUrl, maxConnections, {
    timeouts: requestTimeouts,
    signal: options.signal,
    onWait: onError,
  });
  const own = connect(options.databaseUrl, 2, requestTimeouts);
  const administration = connect(options.databaseUrl, 4, backgroundTimeouts);
  // Apart: what people look for holds nothing up that settles.
  const settling = connect(options.databaseUrl, 3, backgroundTimeouts);
  const listeners: Listener[] = [];
  let background: SettlementWorker | undefined;
  let watch: Polling | undefined;
  let clock: RunningClock | undefined;
  let stopped: Promise<void> | undefined;

  const stop = async (graceMs: number): Promise<void> => {
    const deadline = deadlineIn(graceMs);
    isDraining = true;
    const settled = Promise.all([background?.stop(), watch?.stop(), clock?.stop()]);
    for (const listener of listeners) listener.startDraining();
    if (listeners.length > 0) await setTimeout(Math.min(drainDelayMs, graceMs / 2));
    // A process that comes to this late reads first what has arrived: its connection would be ended as idle.
    await setImmediate();
    // Feeds would go on for as long as they are read: their clients resume them at another replica.
    stopping.abort();
    // The port of the metrics last: it shows how the first one drains.
    for (const listener of listeners) await listener.drain(deadline.left() * answering);
    await Promise.race([settled, setTimeout(deadline.left(), undefined, { ref: false })]);
    const connections = [requests, own, administration, settling];
    await Promise.all(connections.map((connection) => connection.close(deadline.left())));
    await settled;
  };

  try {
    clock = await startClock(options.clock, own.database, onNotice);
    const now = new Date(clock.now());
    const loaded =
      fixture === undefined ? undefined : await loadFixture(administration.database, fixture, now);
    for (const words of loaded?.kept ?? []) onNotice(`fixture: ${words}`);
    const pools = {
      requests: requests.pool,
      keys: own.pool,
      administration: administration.pool,
      background: settling.pool,
    };
    const metrics = createMetrics({
      database: settling.database,
      pools,
      clock,
      periodSettings,
      onError,
    });
    if (settlement) {
      background = startBackground({
        database: settling.database,
        clock,
        metrics,
        periodSettings,
        webhooks,
        onError,
      });
    } else {
      // Settlement reports an outage; a server without it has only this.
      watch = watchDatabase(own.database, clock, (line) => isDraining || onNotice(line));
    }
    const { oidc } = options.people ?? {};
    const provider = oidc === undefined ? undefined : createOpenIdConnect(oidc, site);
    // The public URL must be configured unless only this machine can connect: a request must not decide it.
    const canSignIn = options.people !== undefined && (publicUrl !== undefined || isLoopback(host));
    const dashboard = canSignIn ? locateDashboard() : undefined;
    const onAccepted = (dueAt: Date): void => {
      metrics.accepted.inc();
      background?.wake(dueAt);
    };
    const readiness = { writeFailures: createWriteFailures(clock), isDraining: () => isDraining };
    const slots = Math.max(1, Math.floor(maxConnections * sharePerOrganization));
    const app = createApp({
      usage: {
        database: requests.database,
        clock,
        settlementDelayMs,
        share: createFairShare({ ...share, slots }),
        onAccepted,
      },
      ownDatabase: own.database,
      admin: {
        database: administration.database,
        adminTokens,
        people: createPeople(
          { site, oidc: provider, tokenNames: adminTokens.map(({ name }) => name) },
          clock,
        ),
        canSignIn,
        periodSettings,
        webhookUrls: createUrlRule(createAddressRule(webhooks.networks ?? []), webhooks.allowHttp ?? false),
        stopping: stopping.signal,
        onAccepted,
        onNotice,
      },
      limits: { perKey: rateLimitPerSecond, rates },
      metrics,
      readiness,
      trustedProxies,
      dashboardFolder: dashboard?.folder,
      isSecure: publicUrl?.protocol === "https:",
      onError,
      onRequest: options.onRequest,
    });
    const listener = await listen(intercept(app), {
      host,
      port,
      maxConnections: maxClients,
      // Behind a proxy all of them have one address.
      ...(trustedProxies === 0 ? { maxPerAddress: Math.ceil(maxClients / 2) } : {}),
      onRefused: createRefusedConnections(metrics.refusedConnections, clock, onNotice),
    });
    listeners.push(listener);
    url = listener.url;
    let metricsUrl: string | undefined;
    if (metricsPort !== undefined) {
      const operations = createOperationsApp({ database: own.database, metrics, ...readiness, onError });
      const second = await listen(operations, { host, port: metricsPort });
      listeners.push(second);
      metricsUrl = second.url;
    }
    return {
      url: listener.url,
      metricsUrl,
      generatedApiKey: loaded?.generatedApiKey,
      firstOwnerLink: canSignIn ? await firstOwnerLink(own.database, site, now) : undefined,
      dashboardUrl: dashboard?.folder === undefined ? undefined : site.address("/dashboard"),
      dashboardFix: dashboard?.fix,
      settled: () =>
        background?.settled() ?? Promise.reject(new Error("This server was started without settlement.")),
      stop(graceMs = 10_000) {
        stopped ??= stop(graceMs);
        return stopped;
      },
    };
  } catch (error) {
    await stop(1_000);
    throw error;
  }
}

/** How much of the time that is left requests have to be answered; the rest is for what their end takes. */
const answering = 0.8;

/** Of the connections for requests, what one organisation may use at once; the others find some free. */
const sharePerOrganization = 0.4;

/** As long as a request may wait for a lock, and some more: a gate repeats after that. */
const share = { maxWaiting: 500, waitMs: 3_000 };
