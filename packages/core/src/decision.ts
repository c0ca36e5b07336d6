import type { WalletKind } from "./capacity.ts";
import { type Clock, within } from "./clock.ts";
import type { CustomerBalance, Refresh } from "./customer-balance.ts";
import type { DecisionRule } from "./decision-trace.ts";
import type { DenialCode } from "./denial.ts";
import type { Account, Awaitable, Standing } from "./ledger.ts";

/** A wish to do work, and everything that decides it. */
export interface Wish {
  readonly customer: CustomerBalance;
  readonly currency: string;
  readonly kind: WalletKind;
  readonly holdId: string;
  /** Micro-credits. */
  readonly amount: number;
}

/** How old news may be, and how long to wait for it. */
export interface Freshness {
  readonly clock: Clock;
  readonly ttlMs: number;
  readonly maxStaleMs: number;
  readonly checkTimeoutMs: number;
  readonly refresh: (customer: CustomerBalance, kind: WalletKind) => Refresh;
  now(): Awaitable<number>;
}

/** Why the hold is not in force, `undefined` if it is; and what that followed from. */
export interface Verdict {
  readonly code: DenialCode | undefined;
  readonly rule: DecisionRule;
  readonly standing: Standing;
  /** When it was given, on the ledger's clock. */
  readonly at: number;
}

/**
 * Decides by the rules of ARCHITECTURE.md. A wish that the cached balance can pay is admitted without waiting for
 * anything. One that it cannot is denied only on news that is younger than the wish, so that a customer who has just
 * paid is let in; when no such news comes in time the answer is "cannot tell".
 */
export async function decide(wish: Wish, freshness: Freshness): Promise<Verdict> {
  const { customer, currency, kind, holdId: id, amount } = wish;
  const { clock, checkTimeoutMs } = freshness;
  const account = customer.account(currency);
  const now = freshness.now();
  const arrival = typeof now === "number" ? now : await now;

  const cached = hold(account, arrival);
  const standing = cached instanceof Promise ? await cached : cached;
  if (standing.admitted) {
    const stale = arrival - (standing.stamp ?? arrival) > freshness.ttlMs;
    if (stale) customer.refreshBehind(freshness.refresh(customer, kind));
    return { code: undefined, rule: stale ? "stale" : "cached", standing, at: arrival };
  }
  return customer.visited(inquire);

  function hold(of: Account, at: number): Awaitable<Standing> {
    // News younger than the wish is never too old for it, however long it was on its way.
    return of.hold({ id, amount, kind, notBefore: Math.min(arrival, at - freshness.maxStaleMs) });
  }

  async function inquire(): Promise<Verdict> {
    const older = customer.airborne;
    if (older !== undefined && older.stamp < arrival) {
      // What is in the air left too early to deny this wish, but it may well admit it.
      const landed = await within(older.landed, checkTimeoutMs, clock);
      const second = await holdNow();
      if (second.standing.admitted) return second;
      if (landed === undefined) return { ...second, code: "upstream_unavailable", rule: "no_news" };
    }
    const flight = customer.newsSince(arrival, freshness.refresh(customer, kind));
    await flight.departed;
    const reading = await within(flight.landed, checkTimeoutMs, clock);
    const last = await holdNow();
    if (last.standing.admitted) return last;
    if (reading === undefined) return { ...last, code: "upstream_unavailable", rule: "no_news" };
    if (!reading.known) return { ...last, code: reading.code, rule: "no_news" };
    const read = reading.wallet(currency)[kind];
    if (read === "upstream_invalid") return { ...last, code: read, rule: "no_news" };
    const { capacity } = last.standing;
    return { ...last, code: typeof capacity === "string" ? capacity : "insufficient_credits" };
  }

  async function holdNow(): Promise<Verdict> {
    const at = await freshness.now();
    return { code: undefined, rule: "news", standing: await hold(account, at), at };
  }
}
