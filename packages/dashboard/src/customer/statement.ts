import type { AdminLedgerEntry, AdminWallet } from "@creditgate/admin";
import { toMicro } from "../parts/amounts.ts";

/** A line of a statement: an entry, or the usage between two others. */
export interface StatementLine {
  readonly id: number;
  readonly cause: string;
  readonly reason: string | null;
  /** Of the invoice that it is of. */
  readonly invoiceId: string | null;
  /** How many entries it stands for, and over which time. */
  readonly entries: number;
  readonly from: string;
  readonly to: string;
  readonly change: bigint;
  readonly pending: bigint;
  /** After it. */
  readonly balance: bigint;
}

/** The entries of a wallet as they led to its balance. Amounts are micro-credits. */
export interface Statement {
  /** The newest first. */
  readonly lines: readonly StatementLine[];
  /** Whether the changes lead from what the ledger says after one entry to what it says after the next. */
  readonly addsUp: boolean;
  /** Before the oldest line. */
  readonly opening: { readonly balance: bigint; readonly pending: bigint };
  readonly change: bigint;
  readonly closing: { readonly balance: bigint; readonly pending: bigint };
}

/** What the balance is that a wallet shows: what is available less what is owed; what a postpaid one has used. */
function balanceOf(wallet: Pick<AdminWallet, "kind" | "available" | "overageUsed" | "postpaidUsed">): bigint {
  return wallet.kind === "prepaid"
    ? toMicro(wallet.available) - toMicro(wallet.overageUsed)
    : toMicro(wallet.postpaidUsed);
}

/** Counts back from what the wallet has after the newest entry. */
export function createStatement(wallet: AdminWallet, entries: readonly AdminLedgerEntry[]): Statement {
  const { kind } = wallet;
  const now = entries[0]?.after ?? wallet;
  const closing = balanceOf({ kind, ...now });
  let balance = closing;
  const closingPending = toMicro(now.pending);
  let pending = closingPending;
  let addsUp = true;
  const lines: StatementLine[] = [];
  for (const entry of entries) {
    addsUp &&= balanceOf({ kind, ...entry.after }) === balance && toMicro(entry.after.pending) === pending;
    const change = balanceOf({ kind, ...entry });
    const previous = lines.at(-1);
    if (previous !== undefined && isUsage(previous) && isUsage(entry)) {
      lines[lines.length - 1] = {
        ...previous,
        entries: previous.entries + 1,
        from: entry.createdAt,
        change: previous.change + change,
      };
    } else {
      lines.push({
        id: entry.entryNo,
        cause: entry.cause,
        reason: entry.reason,
        invoiceId: entry.invoiceId,
        entries: 1,
        from: entry.createdAt,
        to: entry.createdAt,
        change,
        pending: toMicro(entry.pending),
        balance,
      });
    }
    balance -= change;
    pending -= toMicro(entry.pending);
  }
  return {
    lines,
    addsUp,
    opening: { balance, pending },
    change: closing - balance,
    closing: { balance: closing, pending: closingPending },
  };
}

function isUsage({ cause }: { readonly cause: string }): boolean {
  return cause === "usage";
}
