import { sql } from "kysely";
import { type Database, isUnavailable, tookTooLong } from "../database/connection.ts";
import type { WalletKey } from "../wallets/entry.ts";
import { type DueOrganization, type DueSelection, dueOrganizations, dueWallets } from "./due.ts";
import { clearFailure, failedWallets, noteFailure, type PeriodFailure } from "./failures.ts";
import { type Closing, closeWallets } from "./invoice.ts";

export interface ClosingOptions extends DueSelection {
  /** Who is named in the audit log. */
  readonly actor: string;
  /** Wallets per transaction. @default 500 */
  readonly batchSize?: number;
  /** Called with each period that could not be invoiced. */
  readonly onFailure?: (failure: PeriodFailure) => void;
}

export interface ClosedPeriods {
  readonly invoices: number;
  /** Organisations whose period has ended, while usage from before the end is not settled yet. */
  readonly waiting: number;
  /** Wallets that could not be invoiced, and organisations whose periods could not be computed. */
  readonly failures: number;
}

/**
 * Invoices what postpaid wallets have accrued before the last boundary of their organisation's periods, as soon as
 * all usage that was received before it is settled. Each wallet keeps the instant up to which it is invoiced, and that
 * moves forward together with the invoice and its entry in the ledger: a second worker, or a clock set back, finds
 * nothing due. What fails for one wallet or organisation is noted, and holds up no other.
 */
export async function closePeriods(options: ClosingOptions): Promise<ClosedPeriods> {
  let failures = 0;
  const fail = async (failure: Omit<PeriodFailure, "message">, error: unknown): Promise<void> => {
    if (isOutage(error)) throw error;
    failures += 1;
    const message = error instanceof Error ? error.message : String(error);
    const advice = tookTooLong(error) ? heldAdvice : "";
    const known = { ...failure, message: `${message}${advice}` };
    await noteFailure(options.database, known, options.now);
    options.onFailure?.(known);
  };

  const due = await dueOrganizations(options, (orgId, error) =>
    fail({ orgId, wallet: undefined, periodEnd: undefined }, error),
  );
  const ready = due.filter(({ waits }) => !waits);
  let invoices = 0;
  for (const organization of ready) {
    try {
      await closeOrganization(options, organization, {
        onClosed: (count) => {
          invoices += count;
        },
        onFailure: (wallet, error) => fail({ ...organization, wallet }, error),
      });
    } catch (error) {
      await fail({ ...organization, wallet: undefined }, error);
    }
  }
  return { invoices, waiting: due.length - ready.length, failures };
}

/** A wallet that is held or slow is its own failure; the database is there. */
function isOutage(error: unknown): boolean {
  return isUnavailable(error) && !tookTooLong(error);
}

const heldAdvice =
  " (another transaction holds the row, or the database is slow: select pid, state, xact_start, query from pg_stat_activity order by xact_start shows the oldest)";

/** How long the closing of one wallet waits for locks. */
const lockWaitMs = 1_000;

/** After this number of wallets that are held or slow, the rest of the organisation waits for the next pass. */
const mostWaits = 5;

interface ClosingProgress {
  readonly onClosed: (invoices: number) => void;
  readonly onFailure: (wallet: WalletKey, error: unknown) => Promise<void>;
}

async function closeOrganization(
  options: ClosingOptions,
  organization: DueOrganization,
  { onClosed, onFailure }: ClosingProgress,
): Promise<void> {
  const { database, now, actor, batchSize = 500 } = options;
  const closing = { ...organization, now, actor };
  let waits = 0;
  const closeEach = async (
    keys: readonly WalletKey[],
    succeeded?: (key: WalletKey) => Promise<void>,
  ): Promise<void> => {
    for (const key of keys) {
      try {
        onClosed(await closeOne(database, key, closing));
        await succeeded?.(key);
      } catch (error) {
        await onFailure(key, error);
        if (tookTooLong(error)) waits += 1;
        if (waits === mostWaits) throw error;
      }
    }
  };

  // Tried last: those that are held again must not use up what the others may wait.
  const failed = await failedWallets(database, organization.orgId);
  let batch = await dueWallets(database, organization, undefined, batchSize);
  while (batch.length > 0) {
    const keys = batch;
    try {
      const closed = await database
        .transaction()
        .execute((transaction) => closeWallets(transaction, keys, closing, { skipLocked: true }));
      onClosed(closed.invoices);
      await closeEach(closed.held);
    } catch (error) {
      if (isOutage(error) || waits === mostWaits) throw error;
      await closeEach(keys);
    }
    batch = await dueWallets(database, organization, keys.at(-1), batchSize);
  }
  await closeEach(failed, (key) => clearFailure(database, key));
}

function closeOne(database: Database, key: WalletKey, closing: Closing): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    await sql`select set_config('lock_timeout', ${String(lockWaitMs)}, true)`.execute(transaction);
    return (await closeWallets(transaction, [key], closing)).invoices;
  });
}
