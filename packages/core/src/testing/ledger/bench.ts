import type { WalletKind } from "../../wallet/capacity.ts";
import type { Account, Awaitable, Ledger } from "../../wallet/ledger.ts";

/** A ledger on trial, and power over its time. */
export interface LedgerOnTrial {
  readonly ledger: Ledger;
  /** Lets the clock of the ledger go on by so many milliseconds. */
  advance(ms: number): Awaitable<void>;
  /** Ends what the ledger has opened. */
  close?(): Awaitable<void>;
}

/** The lag in every acknowledgement of the bench, in milliseconds. */
export const lagMs = 1_000;

/** What the funds fell by longer ago than this shows nothing, in milliseconds. */
export const maxStaleMs = 60_000;

/** One account, and short ways to deal with it. */
export class LedgerBench {
  readonly trial: LedgerOnTrial;
  readonly account: Account;
  #ids = 0;

  constructor(trial: LedgerOnTrial) {
    this.trial = trial;
    this.account = trial.ledger.account("service", "ada", "credits");
  }

  async now(): Promise<number> {
    return this.trial.ledger.now();
  }

  async advance(ms: number): Promise<void> {
    await this.trial.advance(ms);
  }

  /** Installs a snapshot that is asked for now. */
  async read(capacity: number, stamp?: number): Promise<void> {
    await this.account.install(
      { stamp: stamp ?? (await this.now()), prepaid: capacity, postpaid: capacity },
      maxStaleMs,
    );
  }

  /** Installs one that is asked for, and answered, when some time has passed. */
  async readLater(capacity: number, ms = 1): Promise<void> {
    await this.advance(ms);
    await this.read(capacity);
  }

  async hold(
    amount: number,
    options: { id?: string; kind?: WalletKind; notBefore?: number } = {},
  ): Promise<boolean> {
    const { id = `hold ${this.#ids++}`, kind = "prepaid", notBefore = Number.NEGATIVE_INFINITY } = options;
    const { admitted } = await this.account.hold({ id, amount, kind, notBefore });
    return admitted;
  }

  /** Work that was done: unconfirmed until these reports are acknowledged. */
  async settle(amount: number, ...reports: readonly string[]): Promise<void> {
    await this.account.settle(undefined, [{ id: "entry", amount, reports }]);
  }

  /** More work that was done, of which the bench acknowledges nothing. */
  async record(id: string, amount: number): Promise<void> {
    await this.account.settle(undefined, [{ id, amount, reports: [id] }]);
  }

  async acknowledge(report: string): Promise<void> {
    await this.account.acknowledge("entry", report, lagMs);
  }

  async expect(figures: { held?: number; unconfirmed?: number; capacity?: unknown }): Promise<void> {
    const standing = await this.account.standing("prepaid");
    for (const [figure, expected] of Object.entries(figures)) {
      same(figure, standing[figure as keyof typeof standing], expected);
    }
  }

  async expectIdle(expected: boolean): Promise<void> {
    same("idle", this.account.idle(await this.now()), expected);
  }
}

/** Throws unless they are the same value. */
export function same(what: string, actual: unknown, expected: unknown): void {
  if (Object.is(actual, expected)) return;
  throw new Error(`${what}: expected ${String(expected)}, received ${String(actual)}`);
}
