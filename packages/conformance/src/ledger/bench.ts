import type { Awaitable, Capacity, Ledger, WalletKind } from "@creditgate/core";
import type { Account, AccountFigures, BalanceRequest, Hold, Unconfirmed } from "@creditgate/core/adapter";
/** A ledger on trial, and power over its time. */
export interface LedgerOnTrial {
  readonly ledger: Ledger;
  /** What the clock of the ledger shows, in milliseconds. */
  now(): number;
  /** Lets the clock of the ledger go on by this many milliseconds. */
  advance(ms: number): Awaitable<void>;
  /** Ends what was opened for the ledger, once that is closed. */
  close?(): Awaitable<void>;
}

/** The lag in every acknowledgement of the bench, in milliseconds. */
export const lagMs = 1_000;

/** What the funds fell by longer ago than this shows nothing, in milliseconds. */
export const maxStaleMs = 60_000;

interface HoldRequest {
  readonly kind?: WalletKind;
  readonly notBefore?: number;
  /** Admitted with less than all, but not with less than this. */
  readonly least?: number;
}

/** One account, and short ways to deal with it. */
export class LedgerBench {
  readonly trial: LedgerOnTrial;
  readonly account: Account;
  readonly #isShared: boolean;

  constructor(trial: LedgerOnTrial, isShared: boolean) {
    this.trial = trial;
    this.#isShared = isShared;
    this.account = trial.ledger.account("service", "ada", "credits");
  }

  get now(): number {
    return this.trial.now();
  }

  async advance(ms: number): Promise<void> {
    await this.trial.advance(ms);
  }

  /** A balance request that leaves a while after whatever came before. */
  async beginRefresh(afterMs = 1): Promise<BalanceRequest> {
    await this.advance(afterMs);
    const since = this.now;
    for (;;) {
      const permit = await this.account.beginRefresh(since);
      if ("go" in permit) return permit.go;
      if ("here" in permit) throw new Error("beginRefresh: expected a request, received an older balance");
      await this.advance(permit.wait);
    }
  }

  /** The answer to a balance request; `unsettled` from an extended service. */
  async answer(request: BalanceRequest, capacity: Capacity, unsettled?: number): Promise<void> {
    await this.account.install(request, { prepaid: capacity, postpaid: capacity, unsettled }, maxStaleMs);
  }

  /** Requests the balance of a service that is not extended. */
  async read(capacity: Capacity, afterMs?: number): Promise<void> {
    await this.answer(await this.beginRefresh(afterMs), capacity);
  }

  /** Requests the balance of an extended service. */
  async readReported(capacity: Capacity, unsettled: number, afterMs?: number): Promise<void> {
    await this.answer(await this.beginRefresh(afterMs), capacity, unsettled);
  }

  async ask(
    amount: number,
    { kind = "prepaid", notBefore = 0, least }: HoldRequest = {},
  ): Promise<Hold | AccountFigures> {
    return this.account.hold(amount, kind, notBefore, undefined, least);
  }

  async admits(amount: number, request?: HoldRequest): Promise<boolean> {
    return (await this.ask(amount, request)).admitted;
  }

  /** A hold that must be admitted. */
  async hold(amount: number): Promise<Hold> {
    const hold = await this.ask(amount);
    if (!hold.admitted) throw new Error(`a hold of ${amount}: expected to be admitted`);
    return hold;
  }

  /** Work that was done: unconfirmed until it is acknowledged. */
  record(amount: number): Unconfirmed {
    const [usage, ...more] = this.account.settle(undefined, [amount]);
    if (usage === undefined || more.length > 0) throw new Error("settle: expected one object for one amount");
    return usage;
  }

  /** Work that was done, for which a fall of the funds is taken. */
  async recordComparable(amount: number): Promise<Unconfirmed> {
    const usage = this.record(amount);
    if (this.#isShared) await this.acknowledge(usage);
    return usage;
  }

  async acknowledge(usage: Unconfirmed, byQueue?: boolean): Promise<void> {
    this.account.acknowledge(usage, lagMs, byQueue);
    await this.account.flush(false);
  }

  async expect(figures: Partial<AccountFigures>): Promise<void> {
    await this.account.flush(false);
    const found = this.account.figures("prepaid");
    same("stamp", this.account.stamp, found.stamp);
    for (const [figure, expected] of Object.entries(figures)) {
      same(figure, found[figure as keyof typeof found], expected);
    }
  }

  expectIdle(expected: boolean): void {
    same("idle", this.account.idle(this.now), expected);
  }
}

/** Throws unless they are the same value. */
export function same(what: string, actual: unknown, expected: unknown): void {
  if (Object.is(actual, expected)) return;
  throw new Error(`${what}: expected ${String(expected)}, received ${String(actual)}`);
}
