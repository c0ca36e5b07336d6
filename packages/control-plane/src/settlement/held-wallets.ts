import { backOffMs } from "@creditgate/client";
import { type Database, tookTooLong } from "../database/connection.ts";
import { ControlPlaneError } from "../errors/control-plane-error.ts";
import { nameOf, type WalletKey } from "../wallets/entry.ts";
import { type Batch, settleBatch } from "./settlement.ts";

export interface HeldWalletsOptions {
  readonly database: Database;
  /** How long a wallet is locked until that is reported, in milliseconds. */
  readonly reportMs: number;
  /** Returns a number from 0 up to but without 1. */
  readonly random: () => number;
  readonly onError: ((error: unknown) => void) | undefined;
}

/** The wallets whose rows other transactions hold, from pass to pass of a settlement worker. */
export interface HeldWallets {
  /** Called at the end of each pass with the wallets found locked. Reports those that are locked for long, once. */
  see(keys: readonly WalletKey[]): void;
  /** In how many milliseconds to look again; `undefined` where none is held. */
  retryMs(): number | undefined;
  /** Waits a moment for one that was held in the pass before too, each in its turn; settles its usage if it is let go. */
  waitForOne(now: Date): Promise<Batch | undefined>;
}

interface Held {
  readonly key: WalletKey;
  readonly since: number;
  passes: number;
  isReported: boolean;
}

const retries = { firstMs: 100, longestMs: 1_000 };

/** Skipping a lock never queues for it: a wallet that is busy all the time would starve. */
const waitMs = 250;

export function createHeldWallets({ database, reportMs, random, onError }: HeldWalletsOptions): HeldWallets {
  let held = new Map<string, Held>();
  /** Passes in a row that have found one held. */
  let passes = 0;
  let nextWaitAt = 0;

  return {
    see(keys) {
      const now = performance.now();
      const seen = new Set(keys.map(nameOf));
      // In the order of the last pass, so that each has its turn.
      held = new Map([...held].filter(([name]) => seen.has(name)));
      for (const key of keys) {
        const known = held.get(nameOf(key)) ?? { key, since: now, passes: 0, isReported: false };
        known.passes += 1;
        held.set(nameOf(key), known);
        if (known.isReported || now - known.since < reportMs) continue;
        known.isReported = true;
        onError?.(new ControlPlaneError("operator_needed", describe(known, now)));
      }
      passes = held.size === 0 ? 0 : passes + 1;
    },
    retryMs: () => (held.size === 0 ? undefined : backOffMs(passes, { ...retries, random })),
    async waitForOne(now) {
      const [first] = [...held].filter(([, { passes }]) => passes > 1);
      if (first === undefined || performance.now() < nextWaitAt) return undefined;
      const [name, wallet] = first;
      held.delete(name);
      held.set(name, wallet);
      try {
        return await settleBatch(database, { now, waitFor: { wallet: wallet.key, ms: waitMs } });
      } catch (error) {
        if (!tookTooLong(error)) throw error;
        return undefined;
      } finally {
        nextWaitAt = performance.now() + retries.longestMs;
      }
    },
  };
}

function describe({ key: { orgId, customerId, currency }, since }: Held, now: number): string {
  return (
    `settlement: wallet ${JSON.stringify([customerId, currency])} of organisation ${orgId} is locked by another transaction since ${Math.round((now - since) / 1_000)} s. ` +
    "Its usage waits, other usage is settled. Find the transaction with select pid, state, xact_start, query from pg_stat_activity order by xact_start, and end it with pg_terminate_backend(pid)"
  );
}
