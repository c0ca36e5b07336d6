import { type Awaitable, isThenable } from "../values/awaitable.ts";
import { type Clock, within } from "../values/clock.ts";
import type { WalletKind } from "../wallet/capacity.ts";
import type { BalanceSource, Customer, Refresh, Wallet } from "../wallet/customer.ts";
import type { Account, Hold, Standing } from "../wallet/ledger.ts";
import type { Work } from "./authorize-request.ts";
import type { Judgement } from "./trace.ts";

/** How old news may be, and how long to wait for it. */
export interface Freshness {
  readonly clock: Clock;
  readonly ttlMs: number;
  readonly maxStaleMs: number;
  readonly checkTimeoutMs: number;
  readonly source: (customer: Customer, kind: WalletKind | undefined) => BalanceSource;
}

/** Work at the gate, and the wallet that is to pay for it. */
export interface Question {
  readonly work: Work;
  readonly customer: Customer;
  readonly wallet: Wallet;
  /** As the gate's options say; `undefined` leaves it to the service to tell. */
  readonly kind: WalletKind | undefined;
  /** When the request came, on the clock that stamps balances. */
  readonly arrival: number;
}

/**
 * Decides by the rules of ARCHITECTURE.md. Work that the cached balance can pay is admitted without waiting for anything, and
 * without a promise where the ledger is in memory. Work that it cannot pay is denied only on news that is younger than
 * its request, so that a customer who has just paid is let in; when no such news comes in time the answer is "cannot tell".
 */
export function decide(question: Question, freshness: Freshness): Awaitable<Judgement> {
  const held = hold(question, question.arrival, freshness);
  if (isThenable(held)) return question.customer.visited(() => decideLater(question, freshness, held));
  return cached(question, freshness, held) ?? question.customer.visited(() => inquire(question, freshness));
}

async function decideLater(
  question: Question,
  freshness: Freshness,
  held: Promise<Hold | Standing | undefined>,
): Promise<Judgement> {
  return cached(question, freshness, await held) ?? inquire(question, freshness);
}

/** The judgement on a cached balance; `undefined` where it cannot pay, or is not known. */
function cached(
  question: Question,
  { ttlMs, source }: Freshness,
  held: Hold | Standing | undefined,
): Judgement | undefined {
  if (held?.admitted !== true) return undefined;
  const { work, customer, wallet, arrival } = question;
  const isStale = arrival - (wallet.account.stamp ?? arrival) > ttlMs;
  if (isStale) keepAlive(work, customer.refreshBehind(source(customer, question.kind)));
  return new Admission(question, held, isStale ? "stale" : "cached", arrival);
}

async function inquire(question: Question, freshness: Freshness): Promise<Judgement> {
  const { customer, arrival } = question;
  const { clock, checkTimeoutMs } = freshness;
  const older = customer.refreshing;
  if (older !== undefined && older.stamp < arrival) {
    // It left too early to deny this request, but it may well admit it.
    const reading = await within(older.done, checkTimeoutMs, clock);
    const second = await holdNow(question, freshness);
    if (second.hold !== undefined) return second;
    if (reading === undefined) return { ...second, code: "upstream_unavailable", rule: "no_news" };
  }
  const first = await judgeNews(question, freshness, arrival);
  if (first.code !== "insufficient_credits" || !isRecent(question, first)) return first;
  // A newer balance shows what was acknowledged meanwhile, and counts it no longer.
  return judgeNews(question, freshness, clock.now());
}

/** The judgement on a balance that was asked for at `since` or later. */
async function judgeNews(question: Question, freshness: Freshness, since: number): Promise<Judgement> {
  const { customer, work } = question;
  const { clock, checkTimeoutMs, source } = freshness;
  const refresh = customer.refreshSince(since, source(customer, question.kind));
  // Others may wait for it too, so it must not end with the request that sent it.
  keepAlive(work, refresh);
  await refresh.sent;
  const reading = await within(refresh.done, checkTimeoutMs, clock);
  const last = await holdNow(question, freshness);
  if (last.hold !== undefined) return last;
  if (reading === undefined) return { ...last, code: "upstream_unavailable", rule: "no_news" };
  if (!reading.known) return { ...last, code: reading.code, rule: "no_news" };
  const news = reading.wallet(work.currency);
  const capacity = news[kindOf(question) ?? "prepaid"];
  if (capacity === "upstream_invalid") return { ...last, code: capacity, rule: "no_news" };
  // Nothing tells whether an all-zero wallet is exhausted or without a limit.
  if (kindOf(question) === undefined && typeof capacity === "number") {
    return { ...last, code: "upstream_invalid", rule: "no_news" };
  }
  if (typeof capacity === "string") return { ...last, code: capacity };
  const { unsettled } = news;
  return { ...last, wallet: capacity - (unsettled ?? 0), tells: unsettled !== undefined };
}

/** Whether what was acknowledged since the balance was asked for makes the difference. */
function isRecent({ work }: Question, { standing }: Judgement): boolean {
  if (standing === undefined || typeof standing.capacity !== "number" || standing.recent === 0) return false;
  const { capacity, held, unconfirmed, recent } = standing;
  return held + unconfirmed - recent + work.hold <= capacity;
}

async function holdNow(question: Question, freshness: Freshness): Promise<Judgement> {
  const at = freshness.clock.now();
  const held = await hold(question, at, freshness);
  if (held?.admitted === true) return new Admission(question, held, "news", at);
  const { arrival } = question;
  const kind = kindOf(question) ?? null;
  return { code: "insufficient_credits", rule: "news", kind, hold: undefined, standing: held, arrival, at };
}

/** `undefined` where the kind of the wallet is not known yet. */
function hold(
  question: Question,
  at: number,
  { maxStaleMs }: Freshness,
): Awaitable<Hold | Standing | undefined> {
  const { work, wallet, arrival } = question;
  const kind = kindOf(question);
  // News younger than the request is never too old for it, however long it was on its way.
  return kind && wallet.account.hold(work.hold, kind, Math.min(arrival, at - maxStaleMs));
}

/** The judgement on work that is let in. Its figures are read when they are looked at, which is seldom. */
class Admission implements Judgement {
  readonly hold: Hold;
  readonly rule: Judgement["rule"];
  readonly at: number;
  readonly #question: Question;

  constructor(question: Question, hold: Hold, rule: Judgement["rule"], at: number) {
    this.#question = question;
    this.hold = hold;
    this.rule = rule;
    this.at = at;
  }

  get kind(): WalletKind | null {
    return kindOf(this.#question) ?? null;
  }

  get account(): Account {
    return this.#question.wallet.account;
  }

  get arrival(): number {
    return this.#question.arrival;
  }

  get code(): undefined {
    return undefined;
  }

  get standing(): Standing {
    return this.account.standing(this.kind ?? "prepaid");
  }
}

function kindOf({ kind, wallet }: Question): WalletKind | undefined {
  return kind ?? wallet.kind;
}

function keepAlive({ waitUntil }: Work, { done }: Refresh): void {
  try {
    waitUntil?.(done);
  } catch {
    // The billing of this work meets the same error, and tells.
  }
}
