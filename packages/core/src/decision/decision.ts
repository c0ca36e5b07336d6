import { judgeBudget } from "#budgets";
import { type Awaitable, andThen, isThenable } from "../values/awaitable.ts";
import { type Clock, within } from "../values/clock.ts";
import type { DenialCode } from "../values/denial-code.ts";
import type { WalletKind } from "../wallet/capacity.ts";
import type { BalanceSource, Customer, Refresh, Wallet } from "../wallet/customer.ts";
import type { AccountFigures, Hold, WorkAccount } from "../wallet/ledger.ts";
import type { Work } from "./authorize-request.ts";
import type { DecisionRule, Judgement } from "./trace.ts";

/** How old a balance may be, and how long to wait for a fresh one. */
export interface Freshness {
  readonly clock: Clock;
  readonly ttlMs: number;
  readonly maxStaleMs: number;
  readonly checkTimeoutMs: number;
  readonly source: (customer: Customer, kind: WalletKind | undefined) => BalanceSource;
  /** Resolves when the customer's reports that are on their way now are answered; `undefined` where none are. */
  readonly answering: (customerId: string) => Promise<void> | undefined;
  /** Called with a balance that a ledger which reads balances itself could not read. */
  readonly unread: (customerId: string, error: unknown) => void;
}

/** Work at the gate, and the wallet that is to pay for it. */
export interface Question {
  readonly work: Work;
  readonly customer: Customer;
  readonly wallet: Wallet;
  /** The wallet's, or with the budgets of the work. */
  readonly account: WorkAccount;
  /** From the gate's options; `undefined`: the service reports it. */
  readonly kind: WalletKind | undefined;
  /** When the request came, on the clock that stamps balances. */
  readonly arrival: number;
}

/**
 * Decides by the rules of docs/design/proof.md. Work that the cached balance can pay is admitted without waiting for anything, and
 * without a promise where the ledger is in memory. Work that it cannot pay is denied only on a balance that is younger than
 * its request, so that a customer who has just paid is admitted. If no such balance arrives in time, the request is denied as unread.
 */
export function decide(question: Question, freshness: Freshness): Awaitable<Judgement> {
  const { work, account, kind } = question;
  const verdict = account.decide?.(work, kind, freshness.unread);
  if (verdict !== undefined) return verdict;
  const held = hold(question, question.arrival, freshness);
  const known = isThenable(held) ? undefined : cached(question, freshness, held);
  return known ?? inquire(question, freshness, held);
}

/** The judgement on a cached balance; `undefined` where it cannot pay, or is not known. */
function cached(
  question: Question,
  { ttlMs, source }: Freshness,
  held: Hold | AccountFigures | undefined,
): Judgement | undefined {
  if (held?.admitted !== true) return undefined;
  const { work, customer, account, arrival } = question;
  const isStale = arrival - (account.stamp ?? arrival) > ttlMs;
  if (isStale) account.want?.();
  if (isStale) keepAlive(work, customer.refreshBehind(arrival - ttlMs, source(customer, question.kind)));
  return new Admission(question, held, isStale ? "stale" : "cached", arrival);
}

async function inquire(
  question: Question,
  freshness: Freshness,
  held: Awaitable<Hold | AccountFigures | undefined>,
): Promise<Judgement> {
  const { customer, arrival } = question;
  const { clock, checkTimeoutMs } = freshness;
  const leave = customer.visit();
  try {
    const known = isThenable(held) && cached(question, freshness, await held);
    if (known) return known;
    const older = customer.refreshing;
    if (older !== undefined && older.stamp < arrival) {
      // It was sent too early to deny this request, but it may admit it.
      const reading = await within(older.done, checkTimeoutMs, clock);
      const second = await holdNow(question, freshness);
      if (second.hold !== undefined) return second;
      if (reading === undefined) return second.because("upstream_unavailable");
    }
    const first = await judgeFresh(question, freshness, arrival);
    if (first.code !== "insufficient_credits" && first.code !== "budget_exceeded") return first;
    const answering = isUnanswered(question, first) ? freshness.answering(customer.id) : undefined;
    if (answering === undefined && !isRecent(question, first)) return first;
    // A report in flight counts with its hold until the service has returned its cost.
    if (answering !== undefined) await within(answering, checkTimeoutMs, clock);
    // A newer balance shows what was acknowledged meanwhile, and counts it no longer.
    return await judgeFresh(question, freshness, clock.now());
  } finally {
    leave();
  }
}

/** The judgement on a balance that was asked for at `since` or later. */
async function judgeFresh(
  question: Question,
  freshness: Freshness,
  since: number,
  round = 1,
): Promise<Judgement> {
  const { customer, work, account } = question;
  const { clock, checkTimeoutMs, source } = freshness;
  account.want?.();
  const refresh = customer.refreshSince(since, source(customer, question.kind));
  // Others may wait for it too, so it must not end with the request that sent it.
  keepAlive(work, refresh);
  await refresh.sent;
  const reading = await within(refresh.done, checkTimeoutMs, clock);
  const last = await holdNow(question, freshness, work.least);
  if (last.hold !== undefined) return last;
  if (reading === undefined) return last.because("upstream_unavailable");
  if (!reading.known) return last.because(reading.code);
  const ofBudget = judgeBudget(last.figures, since, round);
  if (ofBudget === "again") return judgeFresh(question, freshness, since, round + 1);
  if (ofBudget !== undefined) return last.because(ofBudget, "fresh");
  const balance = reading.wallet(work.currency);
  const kind = kindOf(question);
  const capacity = balance[kind ?? "prepaid"];
  // Nothing shows whether an all-zero wallet is exhausted or without a limit.
  if (capacity === "upstream_invalid" || (kind === undefined && typeof capacity === "number")) {
    return last.because("upstream_invalid");
  }
  if (typeof capacity === "string") return last.because(capacity, "fresh");
  last.wallet = capacity - (balance.unsettled ?? 0);
  last.extended = balance.unsettled !== undefined;
  return last;
}

/** Whether what was acknowledged since the balance was asked for makes the difference. */
function isRecent({ work }: Question, { figures }: Judgement): boolean {
  if (figures === undefined || typeof figures.capacity !== "number" || figures.recent === 0) return false;
  const { capacity, held, unconfirmed, recent } = figures;
  return held + unconfirmed - recent + work.least <= capacity;
}

/** Whether usage that the service has not acknowledged makes the difference. */
function isUnanswered({ work }: Question, { figures }: Judgement): boolean {
  if (figures === undefined || typeof figures.capacity !== "number") return false;
  const { capacity, held, unconfirmed, recent } = figures;
  return unconfirmed > recent && held + work.least <= capacity;
}

/** `least`: with less than all, where that is what the request may be let in with. */
function holdNow(
  question: Question,
  freshness: Freshness,
  least: number = question.work.hold,
): Awaitable<Admission | Refusal> {
  const at = freshness.clock.now();
  return andThen(hold(question, at, freshness), (held) => {
    if (held?.admitted === true) return new Admission(question, held, "fresh", at);
    // All of it is asked for first: in a fleet that is what others give back for.
    if (least === question.work.hold) return refusal(question, held, at);
    return andThen(hold(question, at, freshness, least), (part) =>
      part?.admitted === true ? new Admission(question, part, "fresh", at) : refusal(question, part, at),
    );
  });
}

function refusal(question: Question, figures: AccountFigures | undefined, at: number): Refusal {
  const refusal = new Refusal(question, figures, at);
  return figures?.isUnsure === true ? refusal.because("ledger_unavailable") : refusal;
}

/** `undefined` where the kind of the wallet is not known yet. */
function hold(
  question: Question,
  at: number,
  { maxStaleMs }: Freshness,
  least?: number,
): Awaitable<Hold | AccountFigures | undefined> {
  const { work, account, arrival } = question;
  const kind = kindOf(question);
  // A balance younger than the request is never too old for it, however long its response took.
  return kind && account.hold(work.hold, kind, Math.min(arrival, at - maxStaleMs), work.id, least);
}

/** The judgement on work that is denied. */
class Refusal implements Judgement {
  code: DenialCode = "insufficient_credits";
  rule: DecisionRule = "fresh";
  readonly kind: WalletKind | null;
  readonly hold = undefined;
  readonly figures: AccountFigures | undefined;
  readonly arrival: number;
  readonly at: number;
  wallet: number | undefined = undefined;
  extended = false;

  constructor(question: Question, figures: AccountFigures | undefined, at: number) {
    this.kind = kindOf(question) ?? null;
    this.figures = figures;
    this.arrival = question.arrival;
    this.at = at;
  }

  because(code: DenialCode, rule: DecisionRule = "unread"): this {
    this.code = code;
    this.rule = rule;
    return this;
  }
}

/** The judgement on work that is let in. Its figures are read when they are looked at, which is seldom. */
class Admission implements Judgement {
  readonly hold: Hold;
  readonly rule: DecisionRule;
  readonly at: number;
  readonly #question: Question;

  constructor(question: Question, hold: Hold, rule: DecisionRule, at: number) {
    this.#question = question;
    this.hold = hold;
    this.rule = rule;
    this.at = at;
  }

  get kind(): WalletKind | null {
    return kindOf(this.#question) ?? null;
  }

  get account(): WorkAccount {
    return this.#question.account;
  }

  get arrival(): number {
    return this.#question.arrival;
  }

  get code(): undefined {
    return undefined;
  }

  get figures(): AccountFigures {
    return this.account.figures(this.kind ?? "prepaid");
  }
}

function kindOf({ kind, wallet }: Question): WalletKind | undefined {
  return kind ?? wallet.kind;
}

function keepAlive({ waitUntil }: Work, { done }: Refresh): void {
  try {
    waitUntil?.(done);
  } catch {
    // The billing of this work meets the same error, and reports it.
  }
}

/** How a gate asks for balances, and how long it waits for them. */
interface FreshnessSettings {
  readonly clock: Clock;
  readonly checkTimeoutMs: number;
  readonly source: (customer: Customer, kind: WalletKind | undefined) => BalanceSource;
}

/**
 * Whether the wallet's balance was requested before `since`, after it has been requested again if it was. A ledger
 * that reads balances itself is not asked: it uses the last balance it received.
 */
export async function isStale(
  { customer, wallet, account, kind }: Omit<Question, "work" | "arrival">,
  since: number,
  { clock, checkTimeoutMs, source }: FreshnessSettings,
): Promise<boolean> {
  const isOld = () => (account.stamp ?? Number.NEGATIVE_INFINITY) < since;
  // The account stays meanwhile: no customer is evicted while a request is on its way.
  if (isOld() && wallet.account.decide === undefined) {
    account.want?.();
    await within(customer.refreshSince(since, source(customer, kind)).done, checkTimeoutMs, clock);
  }
  return isOld();
}
