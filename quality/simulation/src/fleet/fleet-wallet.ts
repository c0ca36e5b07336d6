import type { Clock } from "@creditgate/core";

/** The wallet at the service, which debits what it has accepted after a while. */
export class FleetWallet {
  readonly #clock: Clock;
  #balance: number;
  #unsettled = 0;
  readonly #accepted = new Set<string>();
  extended: boolean;
  /** By how much it has been overspent at worst. */
  overspent = 0;

  constructor(clock: Clock, funds: number, extended: boolean) {
    this.#clock = clock;
    this.#balance = funds;
    this.extended = extended;
  }

  get balance(): number {
    return this.#balance;
  }

  has(id: string): boolean {
    return this.#accepted.has(id);
  }

  topUp(amount: number): void {
    this.#balance += amount;
  }

  /** Counts a report once, however often it comes. */
  accept(id: string, amount: number, debitedInMs: number): void {
    if (this.#accepted.has(id)) return;
    this.#accepted.add(id);
    this.#unsettled += amount;
    this.#clock.schedule(debitedInMs, () => {
      this.#unsettled -= amount;
      this.#balance -= amount;
      this.overspent = Math.max(this.overspent, -this.#balance);
    });
  }

  /** What it answers, from one instant. */
  read(): { readonly capacity: number; readonly unsettled: number | undefined } {
    return { capacity: this.#balance, unsettled: this.extended ? this.#unsettled : undefined };
  }
}
