import type { BudgetReading, ReadBudget } from "../balance-reading.ts";
import type { BalanceUpdate } from "../capacity.ts";
import type { Account, BalanceRequest, PermittedRefresh } from "../ledger.ts";
import type { Cap } from "./capped-account.ts";

/** A limit that another process has read may have been lowered for so long before this one shows it. */
const sharedMs = 10_000;

/** One budget of a customer, as it was last read. Its account is a wallet of its own, whose service is always an extended one. */
export class NamedBudget implements Cap {
  readonly key: string;
  readonly currency: string;
  readonly account: Account;
  wanted = true;
  limit: number | undefined;
  resetsAt: string | undefined;
  freshFor: number | undefined;
  unreadFor: number | undefined;
  /** As it was read, and in milliseconds. */
  #period: string | undefined;
  #periodAt = Number.NEGATIVE_INFINITY;
  #readAt = Number.NEGATIVE_INFINITY;
  /** As it was read: what was neither used nor unsettled. */
  #left = Number.NEGATIVE_INFINITY;

  constructor(currency: string, key: string, account: Account) {
    this.currency = currency;
    this.key = key;
    this.account = account;
  }

  get period(): string | undefined {
    const { period: shared } = this.account;
    return shared !== undefined && shared > this.#periodAt ? new Date(shared).toISOString() : this.#period;
  }

  /**
   * Whether a request for work that came until `since` must ask for it. What another process has read shows neither limit nor next
   * period: they are read beside it where they may have changed.
   */
  mustRead(permit: PermittedRefresh, since: number): boolean {
    if (!("here" in permit)) return true;
    const { prepaid: left } = permit.here;
    if (typeof left !== "number") return false;
    const isNewPeriod = (this.account.period ?? Number.NEGATIVE_INFINITY) > this.#periodAt;
    // It has got a limit, or has none any more.
    if ((this.limit === Number.POSITIVE_INFINITY) !== (left === Number.POSITIVE_INFINITY)) return true;
    return this.limit === undefined || isNewPeriod || left > this.#left || since - this.#readAt > sharedMs;
  }

  /** Its request was for work that came until `since`. */
  async answered(
    request: BalanceRequest,
    reading: ReturnType<ReadBudget>,
    since: number,
    maxStaleMs: number,
  ): Promise<void> {
    const isFor = Math.max(request.stamp, since);
    if (reading === "unread") {
      this.wanted = true;
      this.unreadFor = Math.max(isFor, this.unreadFor ?? isFor);
      await this.account.install(request, undefined, maxStaleMs);
      return;
    }
    this.#learn(reading, request.stamp);
    await this.account.install(request, this.#updateBy(reading), maxStaleMs);
    this.freshFor = Math.max(isFor, this.freshFor ?? isFor);
  }

  /** Another process has read it, for work that came until `since`; this one may have read it beside. */
  receiveShared({ prepaid }: BalanceUpdate, reading: ReturnType<ReadBudget>, since: number): void {
    const known = prepaid === none.prepaid ? "unknown" : reading;
    if (known !== "unread") this.#learn(known, since);
    this.freshFor = Math.max(since, this.freshFor ?? since);
  }

  #updateBy(reading: BudgetReading | "unknown"): BalanceUpdate {
    if (reading === "unknown") return none;
    const left = reading.limit - reading.used;
    const { period } = this;
    return {
      prepaid: left,
      postpaid: left,
      unsettled: reading.unsettled,
      // Never an earlier one than work may have been let in by.
      period: period === undefined ? 0 : Date.parse(period),
    };
  }

  #learn(reading: BudgetReading | "unknown", at: number): void {
    if (at < this.#readAt) return;
    this.#readAt = at;
    const { limit, resetsAt, period } = reading === "unknown" ? unknown : reading;
    if (reading !== "unknown") this.#left = reading.limit - reading.used - reading.unsettled;
    this.limit = limit;
    this.resetsAt = resetsAt;
    // A replica whose clock is behind may still be in the period before.
    const periodAt = period === undefined ? Number.NEGATIVE_INFINITY : Date.parse(period);
    if (periodAt <= this.#periodAt) return;
    this.#period = period;
    this.#periodAt = periodAt;
  }

  idle(now: number): boolean {
    return this.account.idle(now);
  }
}

const none = { prepaid: "wallet_missing", postpaid: "wallet_missing" } as const;
const unknown = { limit: undefined, resetsAt: undefined, period: undefined };
