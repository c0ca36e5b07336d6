import { isUnavailable } from "../database/unavailable.ts";
import type { WalletKey } from "./ledger.ts";
import { type DueOrganization, type DueSelection, dueOrganizations, dueWallets } from "./period-due.ts";
import { clearFailure, failedWallets, noteFailure, type PeriodFailure } from "./period-failures.ts";
import { closeWallets } from "./period-invoice.ts";

export interface ClosingOptions extends DueSelection {
  /** Who is named in the audit log. */
  readonly actor: string;
  /** Wallets per transaction. @default 500 */
  readonly batchSize?: number;
  /** Told of each period that could not be invoiced. */
  readonly onFailure?: (failure: PeriodFailure) => void;
}

export interface ClosedPeriods {
  readonly invoices: number;
  /** Organisations whose period has ended, while usage from before the end is not settled yet. */
  readonly waiting: number;
  /** Wallets that could not be invoiced, and organisations whose periods could not be told. */
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
    if (isUnavailable(error)) throw error;
    failures += 1;
    const known = { ...failure, message: error instanceof Error ? error.message : String(error) };
    await noteFailure(options.database, known, options.now);
    options.onFailure?.(known);
  };

  const due = await dueOrganizations(options, (orgId, error) =>
    fail({ orgId, wallet: undefined, periodEnd: undefined }, error),
  );
  const ready = due.filter(({ waits }) => !waits);
  let invoices = 0;
  for (const organization of ready) {
    invoices += await closeOrganization(options, organization, (wallet, error) =>
      fail({ ...organization, wallet }, error),
    );
  }
  return { invoices, waiting: due.length - ready.length, failures };
}

async function closeOrganization(
  options: ClosingOptions,
  organization: DueOrganization,
  onFailure: (wallet: WalletKey, error: unknown) => Promise<void>,
): Promise<number> {
  const { database, now, actor, batchSize = 500 } = options;
  const close = (keys: readonly WalletKey[]): Promise<number> =>
    database
      .transaction()
      .execute((transaction) => closeWallets(transaction, keys, { ...organization, now, actor }));
  const closeEach = async (keys: readonly WalletKey[], succeeded?: (key: WalletKey) => Promise<void>) => {
    let invoices = 0;
    for (const key of keys) {
      try {
        invoices += await close([key]);
        await succeeded?.(key);
      } catch (error) {
        await onFailure(key, error);
      }
    }
    return invoices;
  };

  const failed = await failedWallets(database, organization.orgId);
  let invoices = await closeEach(failed, (key) => clearFailure(database, key));
  let batch = await dueWallets(database, organization, undefined, batchSize);
  while (batch.length > 0) {
    try {
      invoices += await close(batch);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      invoices += await closeEach(batch);
    }
    batch = await dueWallets(database, organization, batch.at(-1), batchSize);
  }
  return invoices;
}
