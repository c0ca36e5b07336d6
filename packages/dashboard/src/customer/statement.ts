import type { AdminLedgerEntry, AdminWallet } from "@creditgate/admin";
import { fromMicro, toMicro } from "../parts/amounts.ts";

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
  readonly change: number;
  readonly pending: number;
  /** After it. */
  readonly balance: number;
}

/** The entries of a wallet as they led to its balance. Amounts are credits. */
export interface Statement {
  /** The newest first. */
  readonly lines: readonly StatementLine[];
  /** Whether the changes lead from what the ledger says after one entry to what it says after the next. */
  readonly addsUp: boolean;
  /** Before the oldest line. */
  readonly opening: { readonly balance: number; readonly pending: number };
  readonly change: number;
  readonly closing: { readonly balance: number; readonly pending: number };
}

/** What the balance is that a wallet shows: what is available less what is owed; what a postpaid one has used. */
function balanceOf(wallet: Pick<AdminWallet, "kind" | "available" | "overageUsed" | "postpaidUsed">): number {
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
  let pending = toMicro(now.pending);
  let addsUp = true;
  const lines: (StatementLine & { readonly micro: number })[] = [];
  for (const entry of entries) {
    addsUp &&= balanceOf({ kind, ...entry.after }) === balance && toMicro(entry.after.pending) === pending;
    const change = balanceOf({ kind, ...entry });
    const previous = lines.at(-1);
    if (previous !== undefined && isUsage(previous) && isUsage(entry)) {
      const micro = previous.micro + change;
      lines[lines.length - 1] = {
        ...previous,
        entries: previous.entries + 1,
        from: entry.createdAt,
        micro,
        change: fromMicro(micro),
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
        micro: change,
        change: fromMicro(change),
        pending: entry.pending,
        balance: fromMicro(balance),
      });
    }
    balance -= change;
    pending -= toMicro(entry.pending);
  }
  return {
    lines,
    addsUp,
    opening: { balance: fromMicro(balance), pending: fromMicro(pending) },
    change: fromMicro(closing - balance),
    closing: { balance: fromMicro(closing), pending: now.pending },
  };
}

function isUsage({ cause }: { readonly cause: string }): boolean {
  return cause === "usage";
}
