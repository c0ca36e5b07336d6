import { DurableObject } from "cloudflare:workers";
import { createTransport } from "@creditgate/client";
import type { Clock, GateOptions, Logger } from "@creditgate/core";
import {
  type Ambiguous,
  checkInteger,
  checkNames,
  checkOneOf,
  checkShape,
  systemClock,
  useBudgets,
} from "@creditgate/core/adapter";
import type { DoneMessage, HoldAnswer, HoldMessage, StoredReport, WalletStatus } from "./object/messages.ts";
import type { ObjectStorage } from "./object/storage.ts";
import { type WalletEvents, walletEventNames } from "./object/wallet-events.ts";
import { WalletObject, type WalletObjectOptions } from "./object/wallet-object.ts";

/** As much of a Durable Object's state as is used. */
export interface ObjectContext {
  readonly storage: ObjectStorage;
  /** Ends the memory of the object. */
  abort(reason?: string): void;
}

/** Options of {@link CreditWallets}. */
export interface CreditWalletsOptions {
  /**
   * The way to the service: what `createTransport` of `@creditgate/client` makes.
   * @default by `CREDITGATE_BASE_URL` and `CREDITGATE_API_KEY` of the environment
   */
  readonly client?: NonNullable<GateOptions["client"]>;
  /** Admission of a wallet stops at this number of undelivered reports of it; at as many dead ones, a kind of work whose usage the service has never taken is tried one piece at a time. @default 100_000 */
  readonly maxReports?: number;
  /** What becomes of a report of which it is not known whether it was processed: as `ambiguous` of a gate. @default "auto" */
  readonly ambiguous?: Ambiguous;
  /** Takes the lines that an operator must read; `false` says nothing. @default console */
  readonly logger?: Logger | false;
  /** Listeners, by event. They are called in the object, not in the Worker. */
  readonly on?: WalletEvents;
  /** Time, for tests: milliseconds since 1970. @default the clock of the machine */
  readonly clock?: Clock;
  /** Chance, for tests: a number from 0 up to 1. @default Math.random */
  readonly random?: () => number;
}

const optionNames: Readonly<Record<keyof CreditWalletsOptions, true>> = {
  client: true,
  maxReports: true,
  ambiguous: true,
  logger: true,
  on: true,
  clock: true,
  random: true,
};

/** After so long an alarm tries again to open storage that could not be read. */
const unopenedMs = 60_000;

/** The machine's wall clock: instants are stored, and another machine may read them. */
const wallClock: Clock = { now: () => Date.now(), schedule: systemClock.schedule };

/**
 * The class of the Durable Objects that keep wallets, one for each customer and currency: `export class Wallets extends CreditWallets {}`, bound
 * with `new_sqlite_classes`. It decides on work by the balance, which it reads itself, keeps what is held, and delivers the usage. Its
 * methods are called by {@link fromDurableObjects}; `status`, `aside` and `resolve` are for operators.
 */
export class CreditWallets<Environment = unknown> extends DurableObject<Environment> {
  readonly #options: WalletObjectOptions;
  #opened: WalletObject | undefined;

  constructor(ctx: ObjectContext, env: Environment, options: CreditWalletsOptions = {}) {
    super(ctx, env);
    useBudgets();
    checkNames(options, optionNames);
    const { on = {}, logger = console, clock = wallClock, random = Math.random } = options;
    checkNames(on, walletEventNames, { what: "event" });
    this.#options = {
      storage: ctx.storage,
      abort: (reason) => ctx.abort(reason),
      client: checkShape(
        "client",
        options.client ?? clientOf(env),
        "a client, as createTransport() makes it",
        ["send", "fingerprint"],
      ),
      maxReports: checkInteger("maxReports", options.maxReports ?? 100_000, 1, 10_000_000),
      ambiguous: checkOneOf("ambiguous", options.ambiguous ?? "auto", ["auto", "park", "retry"]),
      logger: logger !== false && checkShape("logger", logger, "a logger", ["error"]),
      on,
      clock: checkShape("clock", clock, "a Clock", ["now", "schedule"]),
      random,
    };
  }

  /** Opened by a call, since the constructor is no part of {@link CreditWallets.alarm}. */
  get #wallet(): WalletObject {
    this.#opened ??= new WalletObject(this.#options);
    return this.#opened;
  }

  async hold(message: HoldMessage): Promise<HoldAnswer> {
    return this.#wallet.hold(message);
  }

  async done(message: DoneMessage): Promise<void> {
    this.#wallet.done(message);
  }

  async release(workId: string): Promise<void> {
    this.#wallet.release(workId);
  }

  async renew(workId: string): Promise<void> {
    this.#wallet.renew(workId);
  }

  async alarm(): Promise<void> {
    const { storage, clock, logger } = this.#options;
    try {
      void this.#wallet;
    } catch (error) {
      // An alarm that fails is dropped after six retries, and with it what waits here for a newer version of the Worker.
      if (logger !== false) logger.error(String(error));
      await storage.setAlarm(clock.now() + unopenedMs);
      return;
    }
    await this.#wallet.alarm();
  }

  /** What the object knows of its wallet, and how many reports wait. */
  async status(): Promise<WalletStatus> {
    return this.#wallet.status();
  }

  /** At most this number of the reports that are parked or dead, those that have waited longest first. */
  async aside(limit = 100): Promise<readonly StoredReport[]> {
    return this.#wallet.aside(checkInteger("limit", limit, 1, 1_000));
  }

  /**
   * Has parked and dead reports sent once more (`retry`), or gives them up (`drop`): then they weigh on the wallet no longer. Resolves with how
   * many of the ids were of such reports.
   */
  async resolve(ids: readonly string[], how: "retry" | "drop"): Promise<number> {
    return this.#wallet.resolve(ids, checkOneOf("how", how, ["retry", "drop"]));
  }
}

function clientOf(env: unknown): NonNullable<GateOptions["client"]> {
  const { CREDITGATE_BASE_URL: baseUrl, CREDITGATE_API_KEY: apiKey }: Readonly<Record<string, unknown>> =
    Object(env);
  return createTransport({
    ...(typeof baseUrl === "string" && { baseUrl }),
    ...(typeof apiKey === "string" && { apiKey }),
  });
}
