/** Micro-credits that were given at once, and what is left of them. */
interface Grant {
  left: number;
  readonly expiresAt: number;
  /** What is left then lapses: a while after it has expired. */
  readonly lapsesAt: number;
}

/**
 * What becomes of credits that have expired. All but `reserve` are mistakes: they are gone, still offered, the first to pay, or they
 * lapse although usage waits for settlement that was received before.
 */
export type ExpiredCredits = "reserve" | "gone" | "offered" | "first" | "hurried";

/**
 * A prepaid wallet whose credits may expire. From then on they are not offered: they pay last, for what else would be overage. So
 * work that was let in before is paid for if it is reported before they lapse, and expired credits buy nothing new.
 */
export class BudgetWallet {
  /** Micro-credits, of all grants, whatever they have paid. */
  given = 0;
  /** What no grant has paid. */
  unpaid = 0;
  /** What grants have paid for usage that came after their expiry. */
  paidByExpired = 0;
  /** Of usage that came after credits had lapsed which may have let it in: nothing need have paid for it. */
  late = 0;
  readonly #expired: ExpiredCredits;
  /** The next to expire first. */
  readonly #grants: Grant[] = [];

  constructor(expired: ExpiredCredits) {
    this.#expired = expired;
  }

  give(amount: number, expiresAt = Number.POSITIVE_INFINITY, lateMs = 0): void {
    this.given += amount;
    this.#grants.push({ left: amount, expiresAt, lapsesAt: expiresAt + lateMs });
    this.#grants.sort((one, other) => one.expiresAt - other.expiresAt);
  }

  available(now: number): number {
    let sum = 0;
    for (const { left, expiresAt } of this.#grants)
      if (expiresAt > now || this.#expired === "offered") sum += left;
    return sum;
  }

  /** Whether credits have expired in between. */
  hasExpired(after: number, until: number): boolean {
    return this.#grants.some(({ expiresAt }) => expiresAt > after && expiresAt <= until);
  }

  /** Usage has come that such an old balance may have let in. */
  receive(amount: number, since: number, receivedAt: number): void {
    if (this.#grants.some(({ expiresAt, lapsesAt }) => expiresAt > since && lapsesAt <= receivedAt))
      this.late += amount;
  }

  /** What is left of these lapses, unless usage waits for settlement that was received before. */
  lapse(now: number, oldestWaiting = now): void {
    const until = this.#expired === "hurried" ? now : Math.min(now, oldestWaiting);
    for (const grant of this.#grants) if (grant.lapsesAt <= until) grant.left = 0;
  }

  /** Pays for usage that was received then. */
  debit(amount: number, receivedAt: number): void {
    const isExpired = ({ expiresAt }: Grant) => expiresAt <= receivedAt;
    const expired = this.#expired === "gone" ? [] : this.#grants.filter(isExpired);
    const active = this.#grants.filter((grant) => !isExpired(grant));
    let due = amount;
    for (const grant of this.#expired === "first" ? [...expired, ...active] : [...active, ...expired]) {
      const paid = Math.min(due, grant.left);
      grant.left -= paid;
      due -= paid;
      if (isExpired(grant)) this.paidByExpired += paid;
    }
    this.unpaid += due;
  }
}
