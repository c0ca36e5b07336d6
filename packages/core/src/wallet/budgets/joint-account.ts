import { type Awaitable, isThenable } from "../../values/awaitable.ts";
import type { WalletKind } from "../capacity.ts";
import type { AccountFigures, Hold, Unconfirmed, WorkAccount } from "../ledger.ts";
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

/** A hold in each budget and in the wallet. */
class JointHold implements Hold {
  readonly parts: readonly Hold[];

  constructor(parts: readonly Hold[]) {
    this.parts = parts;
  }

  get admitted(): true {
    return true;
  }

  get amount(): number {
    return this.parts[0]?.amount ?? 0;
  }
}

class JointUsage implements Unconfirmed {
  readonly parts: readonly Unconfirmed[];

  constructor(parts: readonly Unconfirmed[]) {
    this.parts = parts;
  }

  get amount(): number {
    return this.parts[0]?.amount ?? 0;
  }
}

/** What a piece of work asks to be held. */
interface Asked {
  readonly amount: number;
  readonly least: number;
  readonly kind: WalletKind;
  readonly notBefore: number;
  readonly workId: string | undefined;
}

/** A wallet and the budgets that a piece of work names: each step is taken in all of them, or in none. */
export class JointAccount implements WorkAccount {
  readonly #wallet: WorkAccount;
  readonly #caps: readonly Cap[];
  /** In the order in which all work takes them: those that need no store, then by key. A budget is named before the wallet, which a payment would help. */
  readonly #accounts: readonly WorkAccount[];

  constructor(wallet: WorkAccount, caps: readonly Cap[]) {
    this.#wallet = wallet;
    this.#caps = [...caps].sort(({ key: one = "" }, { key: other = "" }) => (one < other ? -1 : 1));
    this.#accounts = [...this.#caps.map(({ account }) => account), wallet];
  }

  get stamp(): number | undefined {
    const named = this.#caps.filter(({ key }) => key !== undefined);
    const stamps = [this.#wallet.stamp, ...named.map(({ account }) => account.stamp)];
    return stamps.includes(undefined) ? undefined : Math.min(...stamps.map(Number));
  }

  get budgets(): readonly ReportedBudget[] | undefined {
    const named: ReportedBudget[] = [];
    for (const { key, period } of this.#caps)
      if (key !== undefined) named.push(period === undefined ? { key } : { key, period });
    return named.length > 0 ? named : undefined;
  }

  want(): void {
    for (const cap of this.#caps) cap.wanted = cap.key !== undefined;
  }

  hold(
    amount: number,
    kind: WalletKind,
    notBefore: number,
    workId?: string,
    least: number = amount,
  ): Awaitable<Hold | AccountFigures> {
    return this.#take({ amount, least, kind, notBefore, workId }, []);
  }

  /**
   * One account after the other. What is held already stays held while a shared store is waited for: all work takes the accounts
   * in one order, so none waits for work that waits for it.
   */
  #take(asked: Asked, parts: Hold[]): Awaitable<Hold | AccountFigures> {
    for (;;) {
      const account = this.#accounts[parts.length];
      if (account === undefined) return this.#joined(parts);
      const kind = account === this.#wallet ? asked.kind : "prepaid";
      const { notBefore, workId, least } = asked;
      const answer = account.hold(parts.at(-1)?.amount ?? asked.amount, kind, notBefore, workId, least);
      if (isThenable(answer)) {
        return answer.then((held) => this.#add(held, parts) ?? this.#take(asked, parts));
      }
      const refused = this.#add(answer, parts);
      if (refused !== undefined) return refused;
    }
  }

  /** Returns why there is no more to take: then none is held. */
  #add(held: Hold | AccountFigures, parts: Hold[]): AccountFigures | undefined {
    if (held.admitted) {
      parts.push(held);
      return undefined;
    }
    for (const [index, part] of parts.entries()) void this.#accounts[index]?.release(part);
    const cap = this.#caps[parts.length];
    return cap === undefined ? held : refusedBy(cap, held);
  }

  /** As much in each as in the one with the least room. */
  #joined(parts: readonly Hold[]): Hold {
    const amount = parts.at(-1)?.amount ?? 0;
    for (const [index, part] of parts.entries())
      if (part.amount > amount) void this.#accounts[index]?.release(part, amount);
    return new JointHold(parts);
  }

  settle(hold: Hold | undefined, amounts: readonly number[]): readonly Unconfirmed[] {
    const holds = hold instanceof JointHold ? hold.parts : [];
    return joined(
      this.#accounts.map((account, index) => account.settle(holds[index], amounts)),
      amounts,
    );
  }

  release(hold: Hold, rest?: number): void {
    if (!(hold instanceof JointHold)) return;
    for (const [index, part] of hold.parts.entries()) void this.#accounts[index]?.release(part, rest);
  }

  correct(usage: Unconfirmed, amount: number): void {
    this.#each(usage, (account, part) => account.correct(part, amount));
  }

  /** A budget that the service has not stored with the report would not show it: there it counts as long as this process lives. */
  acknowledge(usage: Unconfirmed, lagMs: number, byQueue?: boolean, budgets: readonly string[] = []): void {
    this.#each(usage, (account, part, key) => {
      if (key === undefined || budgets.includes(key)) account.acknowledge(part, lagMs, byQueue);
    });
  }

  async recover(
    amounts: readonly number[],
    predecessors: readonly string[],
  ): Promise<readonly Unconfirmed[]> {
    return joined(
      await Promise.all(this.#accounts.map((account) => account.recover(amounts, predecessors))),
      amounts,
    );
  }

  figures(kind: WalletKind): AccountFigures {
    return this.#wallet.figures(kind);
  }

  #each(
    usage: Unconfirmed,
    step: (account: WorkAccount, part: Unconfirmed, key: string | undefined) => void,
  ): void {
    if (!(usage instanceof JointUsage)) return;
    for (const [index, account] of this.#accounts.entries()) {
      const part = usage.parts[index];
      if (part !== undefined) step(account, part, this.#caps[index]?.key);
    }
  }
}

/** By account, what each amount has become there; returned by amount. */
function joined(
  settled: readonly (readonly Unconfirmed[])[],
  amounts: readonly number[],
): readonly Unconfirmed[] {
  return amounts.map((_, index) => new JointUsage(settled.flatMap((usages) => usages[index] ?? [])));
}

function refusedBy(
  { key, limit, resetsAt, freshFor, unreadFor }: Cap,
  figures: AccountFigures,
): AccountFigures {
  const { capacity, held, unconfirmed } = figures;
  const left = typeof capacity === "number" ? Math.max(0, capacity - held - unconfirmed) : 0;
  return { ...figures, budget: { key, limit, left, resetsAt, freshFor, unreadFor } };
}
