import type { Transport } from "@creditgate/client";
import { outboxSettings } from "#outbox-support";
import { ownUpstream } from "#own-service";
import { checkActionTimeout } from "#recommended-actions";
import { verbose } from "#verbosity";
import type { Ambiguous } from "../delivery/delivery-options.ts";
import type { OutboxSettings } from "../delivery/outbox-support/outbox-settings.ts";
import type { DeliveringLedger, UsageQueue } from "../delivery/queue-delivery.ts";
import type { Denial } from "../denial/denial.ts";
import type { Logger } from "../events/operator-log.ts";
import type { OpenTelemetry } from "../events/telemetry/telemetry.ts";
import type { Outbox, OutboxReport } from "../outbox/outbox.ts";
import { processRegistry, type Registry } from "../registry/registry.ts";
import { controlPlane } from "../service/control-plane.ts";
import type { Service } from "../service/service.ts";
import type { Upstream } from "../service/upstream.ts";
import type { Awaitable } from "../values/awaitable.ts";
import { type Clock, systemClock } from "../values/clock.ts";
import {
  checkFunction,
  checkIdentifier,
  checkInteger,
  checkNames,
  checkNumber,
  checkOneOf,
  checkShape,
  day,
  invalidOption,
} from "../values/option.ts";
import type { Usage } from "../values/usage.ts";
import type { WalletKind } from "../wallet/capacity.ts";
import { checkGuard, type Guard } from "../wallet/guard.ts";
import type { Ledger } from "../wallet/ledger.ts";

/** Options of {@link createGate}. Times are milliseconds. */
export type GateOptions = CommonOptions &
  (ClientOptions | ServiceOptions) &
  (OutboxOptions | QueueOptions | RequestOptions) &
  (LedgerOptions | GuardOptions);

interface ClientOptions {
  /** The way to our control plane, or a service with its API: what `createClient` or `createTransport` of `@creditgate/client` makes. */
  readonly client: Pick<Transport, "fingerprint" | "send">;
  readonly service?: undefined;
}

interface ServiceOptions {
  /** Any other service, in two functions, such as a table of your own; in the place of `client`. */
  readonly service: Service;
  readonly client?: undefined;
}

interface CommonOptions {
  /** The credit currency of the wallets that pay, a key of `balances` (API 2.1). */
  readonly currency: string;
  /**
   * The kind of the wallet, or a function of the customer's id: an all-zero balance does not show it. If the function
   * throws or rejects, the answer is 503.
   * @default as the service reports it; if it does not, the answer is 503
   */
  readonly wallet?: WalletKind | ((customerId: string) => Awaitable<WalletKind>) | undefined;
  /** Credits that the service will debit for a usage, never less; `undefined` if unknown. */
  readonly price?: ((usage: Usage) => number | undefined) | undefined;
  /**
   * `observe` decides, emits and bills as usual, and admits everyone. The decision contains the denial that `enforce`
   * would have returned.
   * @default "enforce"
   */
  readonly mode?: "enforce" | "observe";
  /** Where a customer who cannot pay can do something about it; a denial carries it. */
  readonly actionUrl?: string | ((denial: Denial) => string | undefined) | undefined;
  /** A 402 waits this long for the service's recommended action (API 4.3); 0 does not ask. @default 150; bundles for the edge refuse it before `useRecommendedActions()` */
  readonly actionTimeoutMs?: number;
  /** Within this time of its acknowledgement the service has debited a report. @default 10_000; 0 of a service that settles at once */
  readonly settlementLagMs?: number;
  /**
   * Whether to check, `settlementLagMs` after a report, that the balance has fallen. Emits `lag` if it has not, and
   * `degraded` (`debit`) if it has by more than was recorded. Costs a balance request for each watched wallet, at
   * most a hundred at a time, and timers outside of any request.
   * @default true, but for gates with `queue` or `onUndelivered`, and for a service that settles at once
   */
  readonly lagWatch?: boolean;
  /**
   * Whether to check, once and beside the first request that has a customer, that the service knows the agents and
   * indicators that adapters and that request name. Emits `degraded` (`setup`) for one that it does not know, or that
   * debits something else, and for a `price` that undercuts it. Unknown work is then denied as `unbillable`.
   * @default true, but for gates with `queue` or `onUndelivered`
   */
  readonly check?: boolean;
  /** A balance older than this is read again behind the request that it admits. @default 5_000 */
  readonly ttlMs?: number;
  /** A balance older than this admits nothing. @default 60_000 */
  readonly maxStaleMs?: number;
  /** At least this long between two balance requests for one customer. @default 250 */
  readonly minRefreshMs?: number;
  /** A request waits this long for a balance before the answer is 503. @default 1_000 */
  readonly checkTimeoutMs?: number;
  /**
   * Customers in memory; beyond it the least recently used idle one is forgotten. Gates on one service and key share it.
   * @default that of the first such gate, or 10_000
   */
  readonly maxCustomers?: number | undefined;
  /**
   * What becomes of a report of which it is not known whether it was processed: `park` it, `retry` it, or find out
   * whether the service honours idempotency keys and retry only then. @default "auto"
   */
  readonly ambiguous?: Ambiguous;
  /** Reports on their way to the service at once. @default 16 */
  readonly concurrency?: number;
  /** Pieces of work that may wait in `pause()` at once; a further one is denied without a wait. @default 1_000 */
  readonly maxPaused?: number;
  /** Pieces of work that go on after a pause within a second, so that a top-up is no burst at the model provider. @default 50 */
  readonly resumesPerSecond?: number;
  /**
   * Logs problems that no listener of `gate.on()` handles, one line for each kind and hour: usage that is refused or
   * not debited, a rejected key, a balance that cannot be read, an outbox that fails. `false` logs nothing.
   * @default console
   */
  readonly logger?: Logger | false;
  /** The API to send spans and metrics to, or none. @default `@opentelemetry/api`, if it is installed */
  readonly openTelemetry?: OpenTelemetry | false | undefined;
  /** Time, for tests. @default the monotonic clock of the machine */
  readonly clock?: Clock;
  /** Chance, for tests: a number from 0 up to 1. @default Math.random */
  readonly random?: () => number;
  /** The wallets' state. Gates that share it share one truth about each wallet. @default that of the process */
  readonly registry?: Registry;
}

/** For a process that lasts: usage waits in an outbox until it is delivered. */
interface OutboxOptions {
  /** Where usage waits for delivery. @default an outbox in memory, which a crash loses */
  readonly outbox?: Outbox | undefined;
  /**
   * Whether a hold is written to the outbox before its work begins, so that a crash forgets no work in flight. Costs each
   * admission a durable write; needs an outbox that outlasts its process. @default false
   */
  readonly durableHolds?: boolean;
  /**
   * What work is billed that a crash cut off: `defaultUsage` (`default`), nothing (`none`), or what an operator decides after
   * a `review`, until when its hold stays. @default "review"
   */
  readonly onOrphan?: "default" | "none" | "review";
  /** The usage for `onOrphan: "default"`. */
  readonly defaultUsage?: Usage | undefined;
  readonly queue?: undefined;
  readonly onUndelivered?: undefined;
  readonly settleTimeoutMs?: undefined;
}

interface NoOutbox {
  readonly outbox?: undefined;
  readonly durableHolds?: false;
  readonly onOrphan?: undefined;
  readonly defaultUsage?: undefined;
}

/** For processes that come and go. */
interface QueueOptions extends NoOutbox {
  /** Takes the usage instead of an outbox; `settlementLagMs` then counts from there. */
  readonly queue: UsageQueue;
  /** Called with each report that the queue did not take in time. */
  readonly onUndelivered?: ((report: OutboxReport) => Awaitable<void>) | undefined;
  /** How long `settle()` tries. @default 25_000 */
  readonly settleTimeoutMs?: number | undefined;
}

/** For isolates that have neither: `settle()`, whose promise goes to `waitUntil`, delivers the usage of its request. */
interface RequestOptions extends NoOutbox {
  /** Called with each report that could not be delivered in time. */
  readonly onUndelivered: (report: OutboxReport) => Awaitable<void>;
  /** How long `settle()` tries. @default 25_000 */
  readonly settleTimeoutMs?: number | undefined;
  readonly queue?: undefined;
}

interface LedgerOptions {
  /** Where holds and unconfirmed usage are kept. One that takes the usage too is in the place of `outbox` and `queue`. @default the memory of this process */
  readonly ledger?: Ledger | DeliveringLedger | undefined;
  readonly guard?: undefined;
}

interface GuardOptions {
  /** For isolates that share no ledger: bounds what all of them together can overspend. The same for all gates on one service and key. */
  readonly guard: Guard;
  readonly ledger?: undefined;
}

/** Every option present and checked. */
export interface GateSettings
  extends Omit<Required<CommonOptions>, AbsentCommon>,
    OutboxSettings,
    Pick<CommonOptions, AbsentCommon> {
  /** The way to our control plane, for what no other service has. */
  readonly client: GateOptions["client"];
  readonly upstream: Upstream;
  readonly queue?: UsageQueue | undefined;
  readonly onUndelivered?: ((report: OutboxReport) => Awaitable<void>) | undefined;
  readonly settleTimeoutMs?: number | undefined;
  readonly ledger: Ledger | undefined;
  readonly guard: Guard | undefined;
}

type AbsentCommon = "maxCustomers" | "wallet" | "price" | "actionUrl" | "openTelemetry";

/** A misspelt option has no effect; the type keeps the list complete. */
const optionNames: Readonly<Record<keyof GateOptions, true>> = {
  client: true,
  service: true,
  currency: true,
  wallet: true,
  price: true,
  mode: true,
  actionUrl: true,
  actionTimeoutMs: true,
  settlementLagMs: true,
  lagWatch: true,
  check: true,
  ttlMs: true,
  maxStaleMs: true,
  minRefreshMs: true,
  checkTimeoutMs: true,
  maxCustomers: true,
  outbox: true,
  durableHolds: true,
  onOrphan: true,
  defaultUsage: true,
  queue: true,
  onUndelivered: true,
  settleTimeoutMs: true,
  ledger: true,
  guard: true,
  ambiguous: true,
  concurrency: true,
  maxPaused: true,
  resumesPerSecond: true,
  logger: true,
  openTelemetry: true,
  clock: true,
  random: true,
  registry: true,
};

/** The options with their defaults; throws an `invalid_option` error that names option, expected and received. */
export function gateSettings(options: GateOptions): GateSettings {
  if (typeof options !== "object" || options === null)
    invalidOption("options", verbose && "an object", options);
  checkNames(options, optionNames);
  const { wallet, price, onUndelivered, settlementLagMs: lagMs } = options;
  const queue = queueOf(options);
  // What a queue has taken is stored later, whatever the service does then.
  const settlesAtOnce = options.service?.settles === "at once" && queue === undefined;
  if (settlesAtOnce && lagMs !== undefined)
    invalidOption("settlementLagMs", verbose && 'none beside a service that settles "at once"', lagMs);
  const isolated = queue !== undefined || onUndelivered !== undefined;
  const ttlMs = checkNumber("ttlMs", options.ttlMs ?? 5_000, 1, day);
  const currency = checkIdentifier("currency", options.currency);
  const clock = checkShape("clock", options.clock ?? systemClock, verbose && "a Clock", ["now", "schedule"]);
  const checkTimeoutMs = checkNumber("checkTimeoutMs", options.checkTimeoutMs ?? 1_000, 1, day);
  return {
    ...upstreamSettings(options, { currency, clock, checkTimeoutMs }),
    currency,
    wallet: typeof wallet === "function" || wallet === undefined ? wallet : checkWallet(wallet),
    price: price === undefined ? undefined : checkFunction("price", price),
    mode: checkOneOf("mode", options.mode ?? "enforce", ["enforce", "observe"]),
    actionUrl: checkActionUrl(options.actionUrl),
    actionTimeoutMs: checkActionTimeout(options.actionTimeoutMs),
    settlementLagMs: checkNumber("settlementLagMs", lagMs ?? (settlesAtOnce ? 0 : 10_000), 0, day),
    ttlMs,
    maxStaleMs: checkNumber("maxStaleMs", options.maxStaleMs ?? Math.max(60_000, ttlMs), ttlMs, day),
    minRefreshMs: checkNumber("minRefreshMs", options.minRefreshMs ?? 250, 0, day),
    checkTimeoutMs,
    maxCustomers:
      options.maxCustomers === undefined
        ? undefined
        : checkInteger("maxCustomers", options.maxCustomers, 1, 10_000_000),
    // A table that settles at once has no lag to be watched.
    ...outboxSettings(
      { ...options, lagWatch: options.lagWatch ?? (settlesAtOnce ? false : undefined) },
      isolated,
    ),
    ...(isolated ? isolateSettings({ ...options, queue }) : {}),
    ledger:
      options.ledger === undefined
        ? undefined
        : checkShape(
            "ledger",
            options.ledger,
            verbose && "a Ledger, as createLeasedLedger(store) makes one",
            ["account", "close"],
          ),
    guard: guardSettings(options),
    ambiguous: checkOneOf("ambiguous", options.ambiguous ?? "auto", ["auto", "park", "retry"]),
    concurrency: checkInteger("concurrency", options.concurrency ?? 16, 1, 1_000),
    maxPaused: checkInteger("maxPaused", options.maxPaused ?? 1_000, 0, 1_000_000),
    resumesPerSecond: checkInteger("resumesPerSecond", options.resumesPerSecond ?? 50, 1, 1_000_000),
    logger:
      options.logger !== false &&
      checkShape("logger", options.logger ?? console, verbose && "a logger", ["error"]),
    openTelemetry: checkOpenTelemetry(options.openTelemetry),
    clock,
    random: checkFunction("random", options.random ?? Math.random),
    registry: checkRegistry(options.registry ?? processRegistry()),
  };
}

function upstreamSettings(
  options: GateOptions,
  needs: { readonly currency: string; readonly clock: Clock; readonly checkTimeoutMs: number },
): Pick<GateSettings, "client" | "upstream"> {
  const { client, service } = options;
  if (service === undefined) {
    const maker = verbose && "a client, as createClient() makes it, or the option service";
    const checked = checkShape("client", client as ClientOptions["client"], maker, ["send", "fingerprint"]);
    return { client: checked, upstream: controlPlane(checked) };
  }
  return { client: undefined, upstream: ownUpstream(service, options, { ...needs, wallet: options.wallet }) };
}

export function checkWallet(wallet: unknown): WalletKind {
  return checkOneOf("wallet", wallet, ["prepaid", "postpaid"]);
}

/** A ledger that takes the usage too is a queue as well. */
function queueOf({ queue, ledger }: GateOptions): UsageQueue | undefined {
  const own = (ledger as DeliveringLedger | undefined)?.queue;
  if (own && queue) invalidOption("queue", verbose && "none beside this `ledger`", queue);
  return own ?? queue;
}

function isolateSettings({
  queue,
  onUndelivered,
  settleTimeoutMs = 25_000,
}: Pick<GateOptions, "onUndelivered" | "settleTimeoutMs"> & { readonly queue: UsageQueue | undefined }) {
  return {
    settleTimeoutMs: checkNumber("settleTimeoutMs", settleTimeoutMs, 0, day),
    ...(queue && { queue: checkShape("queue", queue, verbose && "a UsageQueue", ["send", "flush"]) }),
    ...(onUndelivered && { onUndelivered: checkFunction("onUndelivered", onUndelivered) }),
  };
}

function guardSettings({ guard, ledger }: GateOptions): Guard | undefined {
  if (guard === undefined) return undefined;
  if (ledger !== undefined)
    invalidOption("guard", verbose && "none beside `ledger`, which needs no guard", guard);
  return checkGuard(guard);
}

function checkActionUrl(actionUrl: GateOptions["actionUrl"]): GateOptions["actionUrl"] {
  if (actionUrl === undefined || typeof actionUrl === "function") return actionUrl;
  if (typeof actionUrl === "string" && /^(https?:\/\/|\/)/.test(actionUrl)) return actionUrl;
  return invalidOption("actionUrl", verbose && "a URL with http or https, a path, or a function", actionUrl);
}

function checkOpenTelemetry(api: GateOptions["openTelemetry"]): GateOptions["openTelemetry"] {
  if (api === undefined || api === false) return api;
  return checkShape("openTelemetry", api, verbose && "the API of OpenTelemetry, or false", []);
}

function checkRegistry(registry: Registry): Registry {
  if (registry?.customers instanceof Map) return registry;
  return invalidOption("registry", verbose && "a registry, as createRegistry() makes it", registry);
}
