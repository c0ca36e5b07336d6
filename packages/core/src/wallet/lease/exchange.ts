import { type AccountState, addUsage, type Block, dropTick, minus, setBlock } from "./account-state.ts";
import { timeAt } from "./account-time.ts";
import { beginEpoch } from "./epoch.ts";
import type { Answer, Snapshot, StoredCapacity, Word } from "./shared-store.ts";

/** What a store reads beside the account, in the same atomic step. */
export interface StoreInstant {
  /** Whole milliseconds. It may step back: the account's time does not. */
  readonly clock: number;
  /** Of the memory of the store: another one whenever something may have been forgotten. */
  readonly epoch: string;
  /** When that began, by the time of the account; `Number.MIN_SAFE_INTEGER` where nothing can have been before it. */
  readonly born: number;
}

const most = Number.MAX_SAFE_INTEGER;

/** What is said of a word that has no effect. */
const unchanged = { calm: false, denied: false, waiting: 0, news: null } as const;

/** The most blocks that one step clears away, the ones that are due longest first. */
const mostCleared = 20;

/**
 * The one step of a shared store, without any I/O: what the word of a process changes in the account, and what it is
 * answered. Every store does the same, in this order; `testSharedStore` holds it against this.
 */
export function exchange(account: AccountState, word: Word, { clock, epoch, born }: StoreInstant): Answer {
  const { terms } = word;
  const now = timeAt(account, clock);
  account.now = now;
  account.clock = clock;
  if (account.epoch !== epoch) beginEpoch(account, epoch, terms.tickMs);
  // Processes may differ for a while: a shorter lag must not drop what was acknowledged under a longer one.
  const lagMs = account.ticks.size > 0 ? Math.max(account.lagMs, terms.lagMs) : terms.lagMs;
  account.lagMs = lagMs;
  const own = account.blocks.get(word.id);
  if (mustRegister(account, word, own))
    return answer(account, word, born, { status: "register", ...unchanged });
  if (own !== undefined && word.seq <= own.seq)
    return answer(account, word, born, { status: "repeated", ...unchanged });

  if (word.snapshot?.epoch === epoch) install(account, word.snapshot, born, terms.maxStaleMs);
  if (word.failed !== undefined && word.failed === account.requestAt) account.requestDone = true;
  addUsage(account, now, terms.tickMs, word.acked, word.queued);
  for (const id of word.retire ?? []) retire(account, id, now + terms.leaseMs);
  clearAway(account, word.id, terms.tickMs);
  const verdict = grant(account, word, born);
  return answer(account, word, born, { status: "ok", ...verdict, news: newsFor(account, word) });
}

/** A process that has, or wants, more than the store knows of says first what it has: in a word of now, which no late copy is. */
function mustRegister({ epoch, now }: AccountState, word: Word, own: Block | undefined): boolean {
  if (word.epoch !== null && word.epoch !== epoch) return true;
  // A block of 0 is forgotten a lease after it was said: until then its number tells a copy.
  if (own !== undefined || word.keep + word.acked + word.need + word.want === 0) return false;
  return isLate(now, word) || (!word.register && word.keep + word.acked > 0);
}

/** Whether the word may be a copy of one that was said before blocks were forgotten. */
function isLate(now: number, { at, terms }: Word): boolean {
  return at === null || now >= at + terms.leaseMs;
}

/** Takes a newer balance. What is certain to be in it is forgotten; what it shows otherwise is V. */
function install(account: AccountState, snapshot: Snapshot, born: number, maxStaleMs: number): void {
  const { now } = account;
  const { stamp, tells } = snapshot;
  if (stamp > now || now - stamp > maxStaleMs) return;
  if (account.stamp !== null && stamp <= account.stamp) return;
  // Before that, a fall may be the debit of usage that the epoch before knew, and this one does not.
  const isOfThisEpoch = account.stamp !== null && account.stamp > born + account.lagMs;
  const comparable =
    isOfThisEpoch &&
    !tells &&
    !account.tells &&
    stamp > account.installedAt &&
    stamp - account.countedFrom <= maxStaleMs;
  const { used } = account;
  account.shownPrepaid = comparable
    ? fallen(account.prepaid, snapshot.prepaid, account.shownPrepaid, used)
    : 0;
  account.shownPostpaid = comparable
    ? fallen(account.postpaid, snapshot.postpaid, account.shownPostpaid, used)
    : 0;
  account.prepaid = snapshot.prepaid;
  account.postpaid = snapshot.postpaid;
  account.tells = tells;
  account.stamp = stamp;
  account.installedAt = now;
  let told = 0;
  for (const [end, tick] of account.ticks) {
    if (end + account.lagMs < stamp) {
      dropTick(account, end, tick);
      account.shownPrepaid = Math.max(0, account.shownPrepaid - tick.amount);
      account.shownPostpaid = Math.max(0, account.shownPostpaid - tick.amount);
      // They stay until the lag is over: the next answer may come from a service that does not tell.
    } else if (end < stamp) told = Math.min(most, told + tick.amount - tick.queued);
  }
  if (tells) account.shownPrepaid = account.shownPostpaid = account.used === most ? 0 : told;
  else if (account.shownPrepaid + account.shownPostpaid === 0) account.countedFrom = stamp;
  if (account.requestAt === stamp) account.requestDone = true;
}

/** Nothing but debits makes funds fall, so what they fell by is usage that they show from now on. */
function fallen(before: StoredCapacity | null, after: StoredCapacity, shown: number, used: number): number {
  // Without a number, or a limit, there is nothing to compare; nor where the sum of the usage is not exact.
  if (typeof before !== "number" || typeof after !== "number") return 0;
  if (before === most || after === most || used === most) return 0;
  return Math.min(shown + Math.max(0, before - after), used);
}

/** What the process of this id had is in its successor's word. A late word of it must change nothing. */
function retire(account: AccountState, id: string, expiresAt: number): void {
  setBlock(account, id, { amount: 0, free: 0, seq: most, expiresAt, goneAt: null, recalls: 0 });
}

/** Forgets blocks of 0 that are due. What a process had that is silent for too long becomes usage: it may have been spent. */
function clearAway(account: AccountState, id: string, tickMs: number): void {
  const due: { readonly id: string; readonly block: Block; readonly at: number }[] = [];
  for (const [other, block] of account.blocks) {
    const at = block.amount > 0 ? block.goneAt : block.expiresAt;
    if (other !== id && at !== null && at <= account.now) due.push({ id: other, block, at });
  }
  due.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  for (const { id: other, block, at } of due.slice(0, mostCleared)) {
    setBlock(account, other, undefined);
    addUsage(account, at, tickMs, block.amount);
  }
}

/** Whether the store knows enough to grant. */
function isCalm({ now, stamp, tells, lagMs }: AccountState, born: number, terms: Word["terms"]): boolean {
  if (stamp === null || now - stamp > terms.maxStaleMs) return false;
  // Processes may have blocks of the epoch before that this one does not know.
  if (now < born + terms.leaseMs) return false;
  // Nor does it know all usage of that epoch, and its debits may be missing in the balance.
  return stamp > born + (tells ? 0 : lagMs);
}

/** The new block of the word's process. */
function grant(
  account: AccountState,
  word: Word,
  born: number,
): { readonly calm: boolean; readonly denied: boolean; readonly waiting: number } {
  const { id, kind, base, keep, claim, first, need, want, terms } = word;
  const { now } = account;
  const own = account.blocks.get(id);
  const isOwnInForce = own !== undefined && own.amount > 0;
  const othersInForce = account.inForce - (isOwnInForce ? 1 : 0);
  const others = isOwnInForce ? minus(account.out, own.amount, othersInForce) : account.out;
  const calm = isCalm(account, born, terms);
  const capacity = kind === "prepaid" ? account.prepaid : account.postpaid;
  const shown = kind === "prepaid" ? account.shownPrepaid : account.shownPostpaid;
  const room = calm && typeof capacity === "number" ? capacity - others - (account.used - shown) : -most;
  const denied = calm && need > 0 && base + first > room;
  let amount = word.register && now < born + terms.leaseMs ? Math.max(keep, claim) : keep;
  let needed = base;
  if (calm && !denied) {
    needed = Math.min(base + need, Math.max(base, room));
    const rest = Math.max(0, room - needed);
    const parts = 2 * (othersInForce + 1);
    // Whole division: a quotient in floating point may be rounded up.
    amount = Math.max(amount, needed + Math.min(want, (rest - (rest % parts)) / parts));
  }
  // A late word that says nothing leaves no number, by which a later copy would be taken for news.
  if (own !== undefined || !isLate(now, word)) {
    setBlock(account, id, {
      amount,
      free: amount - needed,
      seq: word.seq,
      expiresAt: now + terms.leaseMs,
      goneAt: amount > 0 && word.abandonMs !== null ? now + word.abandonMs : null,
      recalls: Math.max(own?.recalls ?? account.recalls, word.recalled ?? 0),
    });
  }
  if (!denied) return { calm, denied, waiting: 0 };
  if (word.recall) account.recalls++;
  let waiting = 0;
  for (const [other, { free, recalls, expiresAt }] of account.blocks) {
    if (other !== id && free > 0 && recalls < account.recalls && expiresAt > now) waiting++;
  }
  return { calm, denied, waiting };
}

/** At most one process reads the balance at a time. */
function newsFor(account: AccountState, { news, terms }: Word): Answer["news"] {
  if (news === undefined) return null;
  const { now, requestAt } = account;
  if (account.stamp !== null && account.stamp >= (news === "now" ? now : news)) return "here";
  if (requestAt !== null) {
    if (!account.requestDone && now < requestAt + terms.requestMs) return "wait";
    if (now < requestAt + terms.minRefreshMs) return "wait";
  }
  account.requestAt = now;
  account.requestDone = false;
  return "go";
}

function answer(
  account: AccountState,
  { id }: Word,
  born: number,
  verdict: Pick<Answer, "status" | "calm" | "denied" | "waiting" | "news">,
): Answer {
  const { epoch, now, stamp, prepaid, postpaid, tells, out, used, queued, shownPrepaid, shownPostpaid } =
    account;
  return {
    now,
    epoch,
    born,
    block: account.blocks.get(id)?.amount ?? 0,
    recalls: account.recalls,
    stamp,
    prepaid,
    postpaid,
    tells,
    out,
    used,
    shownPrepaid,
    shownPostpaid,
    recent: tells ? Math.max(0, used - queued - shownPrepaid) : 0,
    ...verdict,
  };
}
