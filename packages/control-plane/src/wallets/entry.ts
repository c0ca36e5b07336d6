import type { Change } from "./wallet.ts";

export interface WalletKey {
  readonly orgId: bigint;
  readonly customerId: string;
  readonly currency: string;
}

type Cause =
  | { readonly cause: "opening" }
  | { readonly cause: "usage"; readonly usageId: string }
  | { readonly cause: "top_up"; readonly topUpId: string }
  | { readonly cause: "benefit" | "payment" | "period" | "void"; readonly invoiceId: string }
  /** Of a grant: what an order gave as one is taken back out of it. */
  | { readonly cause: "credit_note"; readonly creditNoteId: string; readonly grantId?: string }
  | { readonly cause: "refund" | "correction"; readonly reason: string }
  | { readonly cause: "grant" | "expiry"; readonly grantId: string };

export type Entry = WalletKey &
  Change &
  Cause & {
    /** When it counts, where that is not now: it is on the invoice of the period that this instant is in. */
    readonly accruedAt?: Date;
  };

/** A wallet as a key of a map. */
export function nameOf({ orgId, customerId, currency }: WalletKey): string {
  return JSON.stringify([String(orgId), customerId, currency]);
}
