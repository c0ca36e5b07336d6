/** The recovery of one gate's outbox, as the other gates on its wallets see it. */
export interface PendingRecovery {
  /** The service and key that it concerns; `undefined` while that is not known, and then it concerns all. */
  service: string | undefined;
  /** It will be retried. Until then no gate knows what the wallets owe. */
  failed: boolean;
}

/** The recoveries of all gates on a registry: none of them decides before those that concern its wallets are over. */
export class Recoveries {
  readonly #pending = new Set<PendingRecovery>();
  #waiting: (() => void)[] = [];

  /** Whether there is nothing to wait for. */
  get none(): boolean {
    return this.#pending.size === 0;
  }

  /** Gates wait for it from here on. A new gate calls this before it awaits anything. */
  begin(recovery: PendingRecovery): void {
    recovery.failed = false;
    this.#pending.add(recovery);
  }

  /** It has learned which service it concerns. */
  concerns(recovery: PendingRecovery, service: string): void {
    recovery.service = service;
    this.#wake();
  }

  fail(recovery: PendingRecovery): void {
    recovery.failed = true;
    this.#wake();
  }

  end(recovery: PendingRecovery): void {
    this.#pending.delete(recovery);
    this.#wake();
  }

  /** Resolves with true when all that concern the service are over, with false as soon as one of them has failed. */
  async over(service: string): Promise<boolean> {
    for (;;) {
      const concerned = [...this.#pending].filter(
        (recovery) => recovery.service === undefined || recovery.service === service,
      );
      if (concerned.length === 0) return true;
      if (concerned.some(({ failed }) => failed)) return false;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
