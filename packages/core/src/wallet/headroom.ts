import type { Hold, Unconfirmed } from "./ledger.ts";

/** A part of what is outstanding: first a hold, then the usage that the work has cost, until the service has it. */
class Share implements Hold, Unconfirmed {
  amount: number;
  phase: "held" | "awaited" | "ended" = "held";
  /** Too large to be added up. */
  isBeyond = false;

  constructor(amount: number) {
    this.amount = amount;
  }

  // On the prototype: it costs no memory for each hold.
  get admitted(): true {
    return true;
  }
}

/**
 * What one process has outstanding on one wallet. H of the proof is `held`, U is `used`. How much room there is, the
 * ledger around it knows: the balance in memory, a reservation of it in a shared store.
 */
export class Headroom {
  protected held = 0;
  protected used = 0;
  /** How many parts of `used` the service has not acknowledged. */
  protected awaited = 0;
  /** How many parts are beyond the range in which sums are exact. While there is one nothing is admitted. */
  protected beyond = 0;

  /**
   * Holds the amount, or what is available of it but at least `least`, if all outstanding credits then stay within
   * the limit.
   */
  protected take(amount: number, limit: number, least: number = amount): Hold | undefined {
    const left = this.left(limit);
    if (least > left) return undefined;
    const taken = least === amount ? amount : Math.min(amount, left);
    this.held += taken;
    return new Share(taken);
  }

  /** What may still be held within the limit. */
  protected left(limit: number): number {
    return this.beyond > 0 ? Number.NEGATIVE_INFINITY : limit - this.held - this.used;
  }

  settle(hold: Hold | undefined, amounts: readonly number[]): readonly Unconfirmed[] {
    const [first] = amounts;
    // Ended already, it may be usage that is counted: what the work has cost beside it has objects of its own.
    if (hold instanceof Share && hold.phase === "held") {
      this.release(hold);
      // Most work costs one amount: the hold itself becomes its usage.
      if (amounts.length === 1 && first !== undefined) return [this.await(hold, first)];
    }
    return amounts.map((amount) => this.await(new Share(amount), amount));
  }

  release(hold: Hold, rest = 0): void {
    if (!(hold instanceof Share) || hold.phase !== "held") return;
    this.held -= hold.amount - rest;
    if (rest === 0) hold.phase = "ended";
    else hold.amount = rest;
  }

  /** Without a hold: the work was done by an earlier process. */
  recover(amounts: readonly number[], _predecessors: readonly string[]): readonly Unconfirmed[] {
    return this.settle(undefined, amounts);
  }

  correct(usage: Unconfirmed, amount: number): void {
    if (!(usage instanceof Share) || usage.phase !== "awaited") return;
    this.subtract(usage);
    this.add(usage, amount);
  }

  /** Ends the wait for the service; the amount goes on counting until `forget`. */
  protected end(usage: Unconfirmed): Share | undefined {
    if (!(usage instanceof Share) || usage.phase !== "awaited") return undefined;
    usage.phase = "ended";
    this.awaited--;
    return usage;
  }

  private await(share: Share, amount: number): Share {
    share.phase = "awaited";
    this.awaited++;
    this.add(share, amount);
    return share;
  }

  private add(share: Share, amount: number): void {
    share.amount = amount;
    share.isBeyond = this.used + amount > Number.MAX_SAFE_INTEGER;
    if (share.isBeyond) this.beyond++;
    else this.used += amount;
  }

  private subtract(share: Share): void {
    if (share.isBeyond) this.beyond--;
    else this.used -= share.amount;
  }
}
