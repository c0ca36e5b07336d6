import type { WalletKind } from "@creditgate/core";
import { fromMicro } from "../micro.ts";

/** A wallet as the service opens it. Amounts are micro-credits. */
export interface FakeWalletTerms {
  readonly customerId: string;
  readonly currency: string;
  readonly kind: WalletKind;
  /** What a prepaid wallet starts with. */
  readonly available?: number;
  /** Credits that no one has paid for yet. */
  readonly pending?: number;
  /** The credit line of a prepaid wallet; the limit of a postpaid one, 0 for none. */
  readonly limit?: number;
  /** When it is opened, in milliseconds. @default 0 */
  readonly opensAt?: number;
}

/** A wallet as it truly is (API 2.1 and 3): never late, and never refusing a debit. */
export class FakeWallet {
  readonly terms: FakeWalletTerms;
  readonly #limit: number;
  #available: number;
  #overageUsed = 0;
  #postpaidUsed = 0;

  constructor(terms: FakeWalletTerms) {
    this.terms = terms;
    this.#available = terms.available ?? 0;
    this.#limit = terms.limit ?? 0;
  }

  /** What it can pay, in micro-credits; below 0 once it has been overspent. */
  get capacity(): number {
    if (this.terms.kind === "prepaid") return this.#available + this.#limit - this.#overageUsed;
    return this.#limit === 0 ? Number.POSITIVE_INFINITY : this.#limit - this.#postpaidUsed;
  }

  /** Usage is never refused or clipped: a wallet without a line goes into debt, one with a line goes past it. */
  debit(amount: number): void {
    if (this.terms.kind === "postpaid") {
      this.#postpaidUsed += amount;
      return;
    }
    const paid = this.#limit === 0 ? amount : Math.min(amount, Math.max(0, this.#available));
    this.#available -= paid;
    this.#overageUsed += amount - paid;
  }

  /** Overage is cleared first. */
  topUp(amount: number): void {
    const cleared = Math.min(amount, this.#overageUsed);
    this.#overageUsed -= cleared;
    this.#available += amount - cleared;
  }

  /** The period ends: a postpaid wallet is invoiced and starts anew. */
  endPeriod(): void {
    this.#postpaidUsed = 0;
  }

  /** Its entry of `balances`, in credits. */
  entry(): Record<string, number> {
    const prepaid = this.terms.kind === "prepaid";
    return {
      available: fromMicro(this.#available),
      pending: fromMicro(this.terms.pending ?? 0),
      overage_used: fromMicro(this.#overageUsed),
      overage_limit: prepaid ? fromMicro(this.#limit) : 0,
      postpaid_used: fromMicro(this.#postpaidUsed),
      postpaid_limit: prepaid ? 0 : fromMicro(this.#limit),
    };
  }
}
