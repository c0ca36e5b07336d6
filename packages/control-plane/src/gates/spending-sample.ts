import { hash } from "node:crypto";

/** A wallet that a ledger has spent. */
export interface SpentWallet {
  readonly customerId: string;
  readonly currency: string;
  readonly firstAt: number;
  lastAt: number;
  /** Up to when it has been written down. */
  writtenAt: number;
}

/** Wallets of one ledger that are remembered. */
const mostWallets = 32;

/**
 * Some of the wallets that one ledger spends: those whose hashes are the lowest. So two ledgers that spend the same wallets
 * have the same ones in their samples, however many there are and whichever replica counts them.
 */
export class SpendingSample {
  readonly #wallets = new Map<string, SpentWallet & { readonly rank: string }>();
  /** The highest rank of a full sample: what is above it is not looked at again. */
  #highest: string | undefined;

  see(customerId: string, currency: string, now: number): void {
    const name = `${currency} ${customerId}`;
    const known = this.#wallets.get(name);
    if (known !== undefined) {
      known.lastAt = Math.max(known.lastAt, now);
      return;
    }
    const rank = hash("sha256", name);
    if (this.#highest !== undefined) {
      if (rank > this.#highest) return;
      for (const [other, wallet] of this.#wallets)
        if (wallet.rank === this.#highest) this.#wallets.delete(other);
    }
    const unwritten = Number.NEGATIVE_INFINITY;
    this.#wallets.set(name, {
      customerId,
      currency,
      firstAt: now,
      lastAt: now,
      writtenAt: unwritten,
      rank,
    });
    this.#highest = this.#highestRank();
  }

  /** Those that have been spent since they were written down. */
  get unwritten(): readonly SpentWallet[] {
    return [...this.#wallets.values()].filter(({ lastAt, writtenAt }) => lastAt > writtenAt);
  }

  /** Forgets wallets that were last spent before; whether any are left. */
  forget(before: number): boolean {
    for (const [name, { lastAt }] of this.#wallets) if (lastAt < before) this.#wallets.delete(name);
    this.#highest = this.#highestRank();
    return this.#wallets.size > 0;
  }

  #highestRank(): string | undefined {
    if (this.#wallets.size < mostWallets) return undefined;
    return [...this.#wallets.values()].map(({ rank }) => rank).reduce((a, b) => (a > b ? a : b));
  }
}
