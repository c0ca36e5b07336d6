import { type RawBuilder, sql } from "kysely";
import { type Database, isUnavailable, tookTooLong } from "../database/connection.ts";
import { ControlPlaneError } from "../errors/control-plane-error.ts";
import type { WalletKey } from "./entry.ts";

/** Wallets that are read with one statement. */
const atOnce = 100;

interface Place extends WalletKey {
  /** As text: a `Date` is never infinite, and less exact. */
  readonly at: string;
}

/** A wallet for which something could not be done. It is tried again with the next pass. */
export interface WalletFailure {
  readonly wallet: WalletKey;
  readonly message: string;
}

/**
 * Visits the wallets for which a condition holds, one after the other, in the order of a column of instants. What fails for
 * one wallet holds up no other, unless the database cannot be reached.
 */
export async function visitDue(
  database: Database,
  column: "top_up_at" | "grants_at",
  isDue: RawBuilder<unknown>,
  visit: (wallet: WalletKey) => Promise<void>,
  onFailure: (failure: WalletFailure) => void,
): Promise<void> {
  const order = sql`${sql.ref(column)}, org_id, customer_id, currency`;
  let last: Place | undefined;
  do {
    const rest =
      last === undefined
        ? sql`true`
        : sql`(${order}) > (${last.at}::timestamptz, ${last.orgId}::bigint, ${last.customerId}::text, ${last.currency}::text)`;
    const { rows } = await sql<Place>`
      select org_id as "orgId", customer_id as "customerId", currency, ${sql.ref(column)}::text as at
        from wallets where ${isDue} and ${rest} order by ${order} limit ${atOnce}`.execute(database);
    for (const { at: _, ...wallet } of rows) {
      try {
        await visit(wallet);
      } catch (error) {
        // A wallet that is held is visited again with the next pass.
        if (isUnavailable(error) && !tookTooLong(error)) throw error;
        onFailure({ wallet, message: error instanceof Error ? error.message : String(error) });
      }
    }
    last = rows.length === atOnce ? rows.at(-1) : undefined;
  } while (last !== undefined);
}

/** Does a pass again and again, and reports each failure when it begins. */
export function reportingFailures(
  what: string,
  pass: (onFailure: (failure: WalletFailure) => void) => Promise<void>,
  onError: ((error: unknown) => void) | undefined,
): () => Promise<void> {
  let reported: ReadonlySet<string> = new Set();
  return async () => {
    const failures = new Set<string>();
    await pass(({ wallet: { orgId, customerId, currency }, message }) => {
      const line = `${what} for wallet ${JSON.stringify([customerId, currency])} of organisation ${orgId}: ${message}`;
      if (!reported.has(line)) onError?.(new ControlPlaneError("operator_needed", line));
      failures.add(line);
    });
    reported = failures;
  };
}
