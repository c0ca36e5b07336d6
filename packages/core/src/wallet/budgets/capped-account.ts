import { type Awaitable, isThenable } from "../../values/awaitable.ts";
import type { Clock } from "../../values/clock.ts";
import type { WalletKind } from "../capacity.ts";
import type { AccountFigures, Hold, LedgerWork, Unconfirmed, Verdict, WorkAccount } from "../ledger.ts";
import type { ReportedBudget } from "./budget.ts";

/** A budget that a piece of work names. */
export interface Cap {
  /** `undefined`: of a run. */
  readonly key: string | undefined;
  readonly account: WorkAccount;
  /** The newest that is known. */
  readonly period: string | undefined;
  readonly resetsAt: string | undefined;
  /** It may deny work that came until then; `undefined` while it has not been read. */
  readonly freshFor: number | undefined;
  /** Work that came until then has had an answer that says nothing of it. */
  readonly unreadFor: number | undefined;
  /** Micro-credits; `undefined` where this process has not read it, and where the service has none of this key. */
  readonly limit: number | undefined;
  /** The next balance request asks for it. */
  wanted: boolean;
}

/** The same credits in a budget and in what lies under it: held, or spent. */
class Pair<Part extends Hold | Unconfirmed> implements Hold, Unconfirmed {
  readonly own: Part;
  readonly under: Part;

  constructor(own: Part, under: Part) {
    this.own = own;
    this.under = under;
  }

  get admitted(): true {
    return true;
  }

  get amount(): number {
    return this.own.amount;
  }
}

/** A hold that has ended: of work whose hold in another account goes on. */
const ended: Hold = { admitted: true, amount: 0 };

/** A budget over the wallet, or over another budget: each step is taken in both, or in none. */
class CappedAccount implements WorkAccount {
  readonly #cap: Cap;
  readonly #under: WorkAccount;

  constructor(cap: Cap, under: WorkAccount) {
    this.#cap = cap;
    this.#under = under;
  }

  get stamp(): number | undefined {
    const { key, account } = this.#cap;
    const { stamp } = this.#under;
    if (key === undefined || stamp === undefined) return stamp;
    return account.stamp === undefined ? undefined : Math.min(account.stamp, stamp);
  }

  get budgets(): readonly ReportedBudget[] | undefined {
    const { key, period } = this.#cap;
    const { budgets } = this.#under;
    if (key === undefined) return budgets;
    const own = period === undefined ? { key } : { key, period };
    return budgets === undefined ? [own] : [own, ...budgets];
  }

  want(): void {
    this.#cap.wanted = this.#cap.key !== undefined;
    this.#under.want?.();
  }

  /** What is held already stays held while a shared store is waited for. */
  hold(
    amount: number,
    kind: WalletKind,
    notBefore: number,
    workId?: string,
    least: number = amount,
  ): Awaitable<Hold | AccountFigures> {
    const own = this.#cap.account.hold(amount, "prepaid", notBefore, workId, least);
    // A function that is made for each hold in memory would cost as much as the hold.
    return isThenable(own)
      ? own.then((held) => this.#holdUnder(held, kind, notBefore, workId, least))
      : this.#holdUnder(own, kind, notBefore, workId, least);
  }

  #holdUnder(
    own: Hold | AccountFigures,
    kind: WalletKind,
    notBefore: number,
    workId: string | undefined,
    least: number,
  ): Awaitable<Hold | AccountFigures> {
    if (!own.admitted) return refusedBy(this.#cap, own);
    const under = this.#under.hold(own.amount, kind, notBefore, workId, least);
    return isThenable(under)
      ? under.then((held) => heldInBoth(this.#cap, own, held))
      : heldInBoth(this.#cap, own, under);
  }

  find(workId: string): Hold | undefined {
    const own = this.#cap.account.find?.(workId);
    const under = this.#under.find?.(workId);
    return own || under ? new Pair(own ?? ended, under ?? ended) : undefined;
  }

  settle(hold: Hold | undefined, amounts: readonly number[]): readonly Unconfirmed[] {
    const pair = hold instanceof Pair ? hold : undefined;
    return paired(this.#cap.account.settle(pair?.own, amounts), this.#under.settle(pair?.under, amounts));
  }

  release(hold: Hold, rest?: number): void {
    if (!(hold instanceof Pair)) return;
    void this.#cap.account.release(hold.own, rest);
    void this.#under.release(hold.under, rest);
  }

  correct(usage: Unconfirmed, amount: number): void {
    if (!(usage instanceof Pair)) return;
    this.#cap.account.correct(usage.own, amount);
    this.#under.correct(usage.under, amount);
  }

  /** A budget that the service has not stored with the report would not show it: there it counts as long as this process lives. */
  acknowledge(usage: Unconfirmed, lagMs: number, byQueue?: boolean, budgets: readonly string[] = []): void {
    if (!(usage instanceof Pair)) return;
    const { key, account } = this.#cap;
    if (key === undefined || budgets.includes(key)) account.acknowledge(usage.own, lagMs, byQueue);
    this.#under.acknowledge(usage.under, lagMs, byQueue, budgets);
  }

  async recover(
    amounts: readonly number[],
    predecessors: readonly string[],
  ): Promise<readonly Unconfirmed[]> {
    const own = this.#cap.account.recover(amounts, predecessors);
    const under = this.#under.recover(amounts, predecessors);
    return paired(...(await Promise.all([own, under])));
  }

  figures(kind: WalletKind): AccountFigures {
    return this.#under.figures(kind);
  }
}

type Decide = NonNullable<WorkAccount["decide"]>;

/** The budget of a run over a wallet whose ledger decides by itself. */
class DecidedAccount extends CappedAccount {
  readonly #cap: Cap;
  readonly #decide: Decide;
  readonly #clock: Clock;

  constructor(cap: Cap, under: WorkAccount, decide: Decide, clock: Clock) {
    super(cap, under);
    this.#cap = cap;
    this.#decide = decide;
    this.#clock = clock;
  }

  async decide(
    work: LedgerWork,
    kind: WalletKind | undefined,
    unread: Parameters<Decide>[2],
  ): Promise<Verdict> {
    const { id, hold, least } = work;
    const own = await this.#cap.account.hold(hold, "prepaid", 0, id, least);
    if (own.admitted) {
      const verdict = await this.#decide({ ...work, hold: own.amount }, kind, unread);
      const held = heldInBoth(this.#cap, own, verdict.hold ?? verdict.figures);
      return { ...verdict, account: this, hold: held.admitted ? held : undefined };
    }
    const at = this.#clock.now();
    return {
      code: "budget_exceeded",
      rule: "fresh",
      kind: kind ?? null,
      account: this,
      hold: undefined,
      figures: refusedBy(this.#cap, own),
      wallet: undefined,
      extended: false,
      arrival: at,
      at,
    };
  }
}

/** As much as there is room for in both. */
function heldInBoth({ account }: Cap, own: Hold, under: Hold | AccountFigures): Hold | AccountFigures {
  if (!under.admitted) {
    void account.release(own);
    return under;
  }
  if (under.amount < own.amount) void account.release(own, under.amount);
  return new Pair(own, under);
}

/**
 * A wallet and the budgets that a piece of work names. All work takes them in one order, so none waits for work that waits for
 * it: those of runs, which need no store, then by key. The wallet comes last: where a budget refuses too, a payment
 * would not help.
 */
export function cappedAccount(wallet: WorkAccount, caps: Cap[], clock?: Clock): WorkAccount {
  sort(caps);
  let account = wallet;
  for (let index = caps.length - 1; index >= 0; index--) {
    const cap = caps[index];
    if (cap === undefined) continue;
    const decide = account.decide?.bind(account);
    account =
      decide && clock ? new DecidedAccount(cap, account, decide, clock) : new CappedAccount(cap, account);
  }
  return account;
}

/** A few, which are most often in order already: the general way would cost as much as the decision. */
function sort(caps: Cap[]): void {
  for (let end = 1; end < caps.length; end++) {
    for (let index = end; index > 0; index--) {
      const [one, other] = [caps[index - 1], caps[index]];
      if (one === undefined || other === undefined || (one.key ?? "") <= (other.key ?? "")) break;
      caps[index - 1] = other;
      caps[index] = one;
    }
  }
}

function paired(own: readonly Unconfirmed[], under: readonly Unconfirmed[]): readonly Unconfirmed[] {
  const pairs: Unconfirmed[] = [];
  for (const part of own) {
    const other = under[pairs.length];
    if (other !== undefined) pairs.push(new Pair(part, other));
  }
  return pairs;
}

function refusedBy(
  { key, limit, resetsAt, freshFor, unreadFor }: Cap,
  figures: AccountFigures,
): AccountFigures {
  const { capacity, held, unconfirmed } = figures;
  const left = typeof capacity === "number" ? Math.max(0, capacity - held - unconfirmed) : 0;
  return { ...figures, budget: { key, limit, left, resetsAt, freshFor, unreadFor } };
}
