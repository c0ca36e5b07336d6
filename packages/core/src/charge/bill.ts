import { Entry, Report } from "../delivery/report.ts";
import type { Usage } from "../values/usage.ts";
import type { Account, Hold } from "../wallet/ledger.ts";

/** One report before it is billed. */
export interface Draft {
  readonly id: string;
  readonly agentId: string;
  readonly indicator: string;
  readonly rawUsage: Usage;
  /** What it costs; `undefined` where that is not known. */
  readonly priced: Price | undefined;
}

/** A price that may be finer than a micro-credit, rounded both ways. */
export interface Price {
  readonly floor: number;
  readonly ceil: number;
}

interface Payer {
  readonly customerId: string;
  readonly currency: string;
}

/** What a piece of work is billed, and how the ledger remembers it. */
export interface Bill {
  readonly reports: readonly Report[];
  readonly entries: readonly Entry[];
}

/**
 * The bill of work whose hold is so many micro-credits: one entry for each priced report; those without a price share what
 * the priced ones leave of the hold, in one entry.
 */
export function billOf(drafts: readonly Draft[], hold: number, payer: Payer): Bill {
  const reports: Report[] = [];
  const entries: Entry[] = [];
  const rest = restOf(drafts, hold);
  let shared: Entry | undefined;
  for (const { id, agentId, indicator, rawUsage, priced } of drafts) {
    let entry = priced === undefined ? shared : undefined;
    if (entry === undefined) {
      entry = new Entry(id, priced?.ceil ?? rest);
      entries.push(entry);
      if (priced === undefined) shared = entry;
    }
    entry.join();
    const { customerId, currency } = payer;
    reports.push(new Report({ id, customerId, agentId, indicator, rawUsage, currency }, entry));
  }
  return { reports, entries };
}

/** What the priced reports leave of the hold. Rounded up, each price would take a part of a micro-credit from the others. */
function restOf(drafts: readonly Draft[], hold: number): number {
  let rest = hold;
  for (const { priced } of drafts) if (priced !== undefined) rest -= priced.floor;
  return Math.max(0, rest);
}

/** The hold becomes the usage of the bill, in one step. */
export function recordBill({ entries }: Bill, account: Account, hold: Hold | undefined): void {
  const amounts = entries.map(({ amount }) => amount);
  const usages = account.settle(hold, amounts);
  for (let index = 0; index < entries.length; index++) entries[index]?.record(account, usages[index]);
}
