import type { OutboxReport } from "../delivery/outbox.ts";
import type { Usage } from "../values/usage.ts";
import type { UnconfirmedEntry } from "../wallet/ledger.ts";

/** One report before it is billed. */
export interface Draft {
  readonly id: string;
  readonly agentId: string;
  readonly indicator: string;
  readonly rawUsage: Usage;
  /** What it costs; `undefined` when no one could say. */
  readonly priced: Price | undefined;
}

/** A price that may be finer than a micro-credit, rounded both ways. */
export interface Price {
  readonly floor: number;
  readonly ceil: number;
}

/** What a piece of work is billed, and how the ledger remembers it. */
export interface Bill {
  readonly reports: readonly OutboxReport[];
  readonly entries: readonly UnconfirmedEntry[];
}

interface Payer {
  readonly customerId: string;
  readonly currency: string;
}

/**
 * The bill of work that may cost so much: one entry for each priced report; those without a price share what the priced
 * ones leave of the hold, in one entry that is acknowledged when the last of them is.
 */
export function billOf(drafts: readonly Draft[], hold: number, payer: Payer): Bill {
  const entries: UnconfirmedEntry[] = [];
  const shared: string[] = [];
  let rest = hold;
  for (const { id, priced } of drafts) {
    if (priced === undefined) {
      shared.push(id);
    } else {
      entries.push({ id, amount: priced.ceil, reports: [id] });
      // Rounded up again, each price would take a part of a micro-credit from what the others may cost.
      rest -= priced.floor;
    }
  }
  const [sharedId] = shared;
  const sharedAmount = Math.max(0, rest);
  // The entry may stay for long: a copy has no room to spare, and an array that has grown much.
  if (sharedId !== undefined) entries.push({ id: sharedId, amount: sharedAmount, reports: [...shared] });
  const { customerId, currency } = payer;
  const reports = drafts.map(({ id, agentId, indicator, rawUsage, priced }) => {
    const entry =
      priced === undefined ? { id: sharedId ?? id, amount: sharedAmount } : { id, amount: priced.ceil };
    return { id, customerId, agentId, indicator, rawUsage, currency, entry };
  });
  return { reports, entries };
}
