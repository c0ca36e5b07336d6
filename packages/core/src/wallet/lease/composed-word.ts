import type { Beat } from "./beat.ts";
import type { LeaseContext } from "./lease-context.ts";
import type { LeasedBlock } from "./leased-block.ts";
import type { MovingUsage } from "./moving-usage.ts";
import type { Predecessors } from "./predecessors.ts";
import type { Word } from "./shared-store.ts";
import type { SaidOfBalance, StoredBalance } from "./stored-balance.ts";
import type { WaitingHolds } from "./waiting-holds.ts";

const most = Number.MAX_SAFE_INTEGER;

/** What an account speaks of. */
export interface AccountParts {
  readonly context: LeaseContext;
  readonly block: LeasedBlock;
  readonly waiting: WaitingHolds;
  readonly beat: Beat;
  readonly balance: StoredBalance;
  readonly predecessors: Predecessors;
}

/** What an account has outstanding when a word is composed. */
export interface WordFigures {
  /** Holds and unacknowledged usage. */
  readonly base: number;
  /** Acknowledged since the word before. */
  readonly moving: MovingUsage;
  /** Whether the process needs nothing beyond `base` any more. */
  readonly isOver: boolean;
}

/** A word on its way. */
export interface Saying {
  readonly word: Word;
  readonly moving: MovingUsage;
  readonly said: SaidOfBalance;
  readonly sentAt: number;
  readonly sentWall: number;
}

/** All that there is to say, as one word. From now on the block is used only as far as the word keeps it. */
export function composeWord(
  { context, block, waiting, beat, balance, predecessors }: AccountParts,
  { base, moving, isOver }: WordFigures,
): Saying {
  const { id, clock, wallClock, leases, abandonMs, terms } = context;
  const seq = context.nextSeq();
  const acked = moving.beyond > 0 ? most : moving.amount;
  const left = Math.max(base, block.amount - acked);
  const { first, need, recall } = waiting.sayIn(seq);
  const isIdle = beat.isIdle && need === 0;
  const isDenied = waiting.wasDenied && need > 0;
  const givesBack = !leases || isOver || block.isRecalled || isIdle || isDenied;
  const keep = givesBack || block.mustRegister ? base : left;
  const said = balance.say(block.epoch);
  const word: Word = {
    id,
    seq,
    epoch: block.epoch,
    at: balance.storeTime(block.epoch),
    register: block.mustRegister,
    kind: waiting.first?.kind ?? block.kind,
    base,
    keep,
    claim: block.mustRegister && block.isValid ? left : keep,
    acked,
    queued: Math.min(acked, moving.queued),
    first,
    need,
    want: givesBack || block.isYielding ? 0 : Math.min(most, 2 * beat.demand),
    abandonMs,
    recall,
    ...(keep === base && { recalled: block.recallsSeen }),
    ...said.fields,
    ...predecessors.say(),
    terms,
  };
  block.send(keep, moving);
  return { word, moving, said, sentAt: clock.now(), sentWall: wallClock() };
}
