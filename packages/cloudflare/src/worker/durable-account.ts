import { backOffMs } from "@creditgate/client";
import type { Clock, ReportedBudget, WalletKind } from "@creditgate/core";
import {
  type Account,
  type AccountFigures,
  type Hold,
  type LedgerWork,
  type RefreshPermit,
  type Unconfirmed,
  type Verdict,
  type WorkAccount,
  within,
} from "@creditgate/core/adapter";
import type { HoldAnswer, HoldMessage, MessageTerms } from "../object/messages.ts";
import type { CalledObject, FindObject } from "./namespace.ts";

/** What a {@link DurableAccount} is made of. */
export interface DurableAccountOptions {
  readonly customerId: string;
  readonly currency: string;
  readonly find: FindObject;
  readonly terms: () => MessageTerms;
  readonly clock: Clock;
  readonly random: () => number;
}

/** A hold that the object of the wallet has. */
class DurableHold implements Hold {
  readonly admitted = true;
  readonly amount: number;
  readonly workId: string;
  /** Ends the renewals; `undefined` once the hold has ended. */
  cancel: (() => void) | undefined;

  constructor(workId: string, amount: number) {
    this.workId = workId;
    this.amount = amount;
  }
}

/**
 * The account of one wallet, as an isolate has it: each question goes to the wallet's object. Nothing is shared among requests but
 * the figures of the last answer, for in Workers what one request waits for another must not.
 */
export class DurableAccount implements Account {
  readonly stamp: undefined;
  readonly budgets: readonly ReportedBudget[] | undefined;
  readonly #options: DurableAccountOptions;
  readonly #latest: { figures: AccountFigures };

  /** `keys`: of the budgets at the service that its work names, sorted. Their object knows their periods. */
  constructor(
    options: DurableAccountOptions,
    latest: { figures: AccountFigures } = { figures: unknown },
    keys?: readonly string[],
  ) {
    this.#options = options;
    this.#latest = latest;
    this.budgets = keys?.map((key) => ({ key }));
  }

  naming(keys: readonly string[]): WorkAccount {
    return new DurableAccount(this.#options, this.#latest, [...keys].sort());
  }

  async decide(
    work: LedgerWork,
    kind: WalletKind | undefined,
    unread: (customerId: string, error: unknown) => void,
  ): Promise<Verdict> {
    const { customerId, currency, find, terms, clock } = this.#options;
    const arrival = clock.now();
    const { id: workId, hold: amount, least, agentId, indicator } = work;
    const wallet = { customerId, currency, terms: terms() };
    const budgets = this.budgets?.map(({ key }) => key);
    const message = { ...wallet, workId, amount, least, agentId, indicator, kind: kind ?? null, budgets };
    let isGivenUp = false;
    // What is held by then has been given back, and another call would hold it again.
    const findInTime: FindObject = () => {
      if (isGivenUp) throw new Error("the work is not waited for any more");
      return find();
    };
    try {
      const answered = callObject(findInTime, (object) => object.hold(message), this.#options);
      const answer = await within(answered, patienceMs(message.terms), clock);
      if (answer === undefined) throw new Error("the object of the wallet does not answer");
      if (budgets !== undefined && answer.budget === undefined)
        throw new Error(
          "the object of the wallet knows no budgets. Deploy its Worker with this version of @creditgate/cloudflare",
        );
      if (answer.error !== null) unread(customerId, new Error(answer.error));
      return this.#verdict(answer, message, arrival);
    } catch (error) {
      unread(customerId, error);
      isGivenUp = true;
      // It may have held all the same: calls of one object arrive in their order.
      keepAlive(work, this.#release(workId));
      return this.#verdict(noAnswer, message, arrival);
    }
  }

  async hold(
    amount: number,
    kind: WalletKind,
    _notBefore: number,
    workId: string = crypto.randomUUID(),
    least: number = amount,
  ): Promise<Hold | AccountFigures> {
    const work = { id: workId, hold: amount, least, agentId: "", indicator: "", waitUntil: undefined };
    const { hold, figures } = await this.decide(work, kind, () => {});
    return hold ?? figures;
  }

  /** The object has the usage already: it has ended the hold in the step that took it. */
  settle(hold: Hold | undefined, amounts: readonly number[]): readonly Unconfirmed[] {
    if (hold instanceof DurableHold) {
      hold.cancel?.();
      hold.cancel = undefined;
    }
    return amounts.map((amount) => ({ amount }));
  }

  async release(hold: Hold): Promise<void> {
    if (!(hold instanceof DurableHold) || hold.cancel === undefined) return;
    hold.cancel();
    hold.cancel = undefined;
    await this.#release(hold.workId);
  }

  correct(): void {}

  acknowledge(): void {}

  recover(amounts: readonly number[]): readonly Unconfirmed[] {
    return amounts.map((amount) => ({ amount }));
  }

  beginRefresh(): RefreshPermit {
    return { go: { stamp: this.#options.clock.now() } };
  }

  install(): void {}

  figures(): AccountFigures {
    return this.#latest.figures;
  }

  flush(): void {}

  idle(): boolean {
    return true;
  }

  #verdict(answer: HoldAnswer, { workId, amount, kind }: HoldMessage, arrival: number): Verdict {
    const { admitted, code, rule, capacity, extended, usageParts } = answer;
    const figures = answer === noAnswer ? this.#latest.figures : this.#figuresIn(answer);
    if (figures.budget === undefined) this.#latest.figures = figures;
    return {
      code: code ?? undefined,
      rule,
      kind: kind ?? answer.kind,
      account: this,
      hold: admitted ? this.#begin(workId, answer.amount ?? amount) : undefined,
      figures,
      wallet: typeof capacity === "number" ? capacity : undefined,
      extended,
      usageParts: usageParts && new Set(usageParts),
      arrival,
      at: this.#options.clock.now(),
    };
  }

  #begin(workId: string, amount: number): DurableHold {
    const { find, terms, clock } = this.#options;
    const hold = new DurableHold(workId, amount);
    const renewLater = () => {
      hold.cancel = clock.schedule(terms().abandonMs / 3, renew, { idle: true });
    };
    const renew = () => {
      renewLater();
      // Where it fails the next one does it: there are three in the time.
      find()
        .renew(workId)
        .catch(() => {});
    };
    renewLater();
    return hold;
  }

  async #release(workId: string): Promise<void> {
    try {
      await callObject(this.#options.find, (object) => object.release(workId), this.#options);
    } catch {
      // The hold is abandoned later.
    }
  }

  #figuresIn({ capacity, held, unconfirmed, ageMs, budget }: HoldAnswer): AccountFigures {
    return {
      admitted: false,
      capacity: capacity ?? undefined,
      held,
      unconfirmed,
      recent: 0,
      stamp: ageMs === null ? undefined : this.#options.clock.now() - ageMs,
      ...(budget && { budget }),
    };
  }
}

const unknown: AccountFigures = {
  admitted: false,
  capacity: undefined,
  held: 0,
  unconfirmed: 0,
  recent: 0,
  stamp: undefined,
};

const noAnswer: HoldAnswer = {
  admitted: false,
  amount: null,
  code: "upstream_unavailable",
  rule: "unread",
  kind: null,
  capacity: null,
  held: 0,
  unconfirmed: 0,
  ageMs: null,
  extended: false,
  error: null,
};

function keepAlive({ waitUntil }: LedgerWork, work: Promise<void>): void {
  try {
    waitUntil?.(work);
  } catch {
    // The hold is abandoned later.
  }
}

/** An object may wait for two balances, and for the rest before each of them. */
function patienceMs({ checkTimeoutMs, minRefreshMs }: MessageTerms): number {
  return 4 * checkTimeoutMs + 2 * minRefreshMs;
}

const attempts = 3;
const rests = { firstMs: 40, longestMs: 160 };

/**
 * Calls the object, and again where it failed: an object that was evicted, moved or deployed anew fails the calls that it was in. Each call
 * has one effect, however often it arrives.
 */
export async function callObject<Answer>(
  find: FindObject,
  call: (object: CalledObject) => Promise<Answer>,
  { clock, random }: { readonly clock: Clock; readonly random: () => number },
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call(find());
    } catch (error) {
      if (attempt === attempts || isOverloaded(error)) throw error;
      await new Promise<void>((resolve) => clock.schedule(backOffMs(attempt, { ...rests, random }), resolve));
    }
  }
}

/** Workers mark such errors: another call would only make it worse. */
function isOverloaded(error: unknown): boolean {
  return typeof error === "object" && error !== null && "overloaded" in error && error.overloaded === true;
}
