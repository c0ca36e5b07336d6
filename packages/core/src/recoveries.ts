/** The recovery of one gate's outbox, as the other gates on its wallets see it. */
export interface PendingRecovery {
  /** The service and key that it concerns; `undefined` while that is not known, and then it concerns all. */
  service: string | undefined;
  /**
   * - `running`: gates wait for it
   * - `failed`: it will be tried again; until then no gate can tell what the wallets owe
   * - `dormant`: its client cannot say for which service and key it is, so that it keeps only its own gate waiting
   */
  state: "running" | "failed" | "dormant";
}

/** The recoveries of all gates on a registry: none of them decides before those that concern its wallets are over. */
export class Recoveries {
  readonly #pending = new Set<PendingRecovery>();
  #waiting: (() => void)[] = [];

  /** Whether there is nothing to wait for. */
  get none(): boolean {
    return this.#pending.size === 0;
  }

  /** A gate has been created that has one; that must be said before anything else is awaited. */
  begin(): PendingRecovery {
    const recovery: PendingRecovery = { service: undefined, state: "running" };
    this.#pending.add(recovery);
    return recovery;
  }

  update(recovery: PendingRecovery, change: Partial<PendingRecovery>): void {
    Object.assign(recovery, change);
    this.#wake();
  }

  end(recovery: PendingRecovery): void {
    this.#pending.delete(recovery);
    this.#wake();
  }

  /** Resolves with true when all that concern the service are over, with false as soon as one of them has failed. */
  async over(service: string): Promise<boolean> {
    for (;;) {
      const states = new Set<PendingRecovery["state"]>();
      for (const { service: concerned, state } of this.#pending) {
        if (concerned === undefined || concerned === service) states.add(state);
      }
      if (states.has("failed")) return false;
      if (!states.has("running")) return true;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
