import { within } from "../../values/clock.ts";
import type { WalletKind } from "../capacity.ts";
import type { BalanceRequest, Departure, Standing, WalletNews } from "../ledger.ts";
import { type Heard, type LeaseContext, pollMs, storeTimeBy, storeTimeOf } from "./lease-context.ts";
import type { Answer, Snapshot, Word } from "./shared-store.ts";
import { capacityOf, snapshotOf } from "./stored-capacity.ts";

/** A balance request that the store has let go. */
export interface StoredRequest extends BalanceRequest {
  /** Its stamp on the store's clock. */
  readonly at?: number;
  readonly epoch?: string;
}

interface AwaitedDeparture {
  readonly since: number;
  readonly answer: (departure: Departure) => void;
}

interface AwaitedInstall {
  readonly snapshot: Snapshot;
  readonly done: () => void;
}

/** What one word says of the balance. */
export interface SaidOfBalance {
  readonly departure: AwaitedDeparture | undefined;
  readonly install: AwaitedInstall | undefined;
  readonly failed: number | undefined;
  readonly fields: Pick<Word, "news" | "snapshot" | "failed">;
}

/** The balance as the store has it, and what this process asks and says of it, on the clock of the process. */
export class StoredBalance {
  readonly #context: LeaseContext;
  readonly #speak: () => void;
  #departures: AwaitedDeparture[] = [];
  #installs: AwaitedInstall[] = [];
  #failed: number | undefined;
  #heard: Heard | undefined;
  #stamp: number | undefined;

  constructor(context: LeaseContext, speak: () => void) {
    this.#context = context;
    this.#speak = speak;
  }

  /** The latest instant that is certain not to be after the one at which the balance was asked for. */
  get stamp(): number | undefined {
    return this.#stamp;
  }

  /** Whether there is something to say. */
  get isUnsaid(): boolean {
    return this.#departures.length > 0 || this.#installs.length > 0 || this.#failed !== undefined;
  }

  async depart(since: number): Promise<Departure> {
    const { clock, timeoutMs } = this.#context;
    let awaited: AwaitedDeparture | undefined;
    const departure = new Promise<Departure>((resolve) => {
      awaited = { since, answer: resolve };
      this.#departures.push(awaited);
    });
    this.#speak();
    const answered = await within(departure, timeoutMs, clock);
    if (answered !== undefined) return answered;
    this.#departures = this.#departures.filter((other) => other !== awaited);
    throw new Error("the shared store does not answer");
  }

  async install({ at, epoch }: StoredRequest, news: WalletNews | undefined): Promise<void> {
    // A wallet that was opened while the request was on its way knows no stamp of the store's.
    if (at === undefined || epoch === undefined) return;
    if (news === undefined) {
      this.#failed = at;
      this.#speak();
      return;
    }
    const snapshot = snapshotOf(news, { stamp: at, epoch });
    const installed = new Promise<void>((resolve) => {
      this.#installs.push({ snapshot, done: resolve });
    });
    this.#speak();
    await within(installed, this.#context.timeoutMs, this.#context.clock);
  }

  /** That of the store, or an earlier one; `null` where it is not known in this epoch. */
  storeTime(epoch: string | null): number | null {
    const heard = this.#heard;
    return heard === undefined || heard.answer.epoch !== epoch ? null : storeTimeBy(this.#context, heard);
  }

  /** For a word to the store in this epoch. */
  say(epoch: string | null): SaidOfBalance {
    const [departure] = this.#departures;
    const [install] = this.#installs;
    const failed = this.#failed;
    return {
      departure,
      install,
      failed,
      fields: {
        ...(departure !== undefined && { news: this.#newsSince(departure.since, epoch) }),
        ...(install !== undefined && { snapshot: install.snapshot }),
        ...(failed !== undefined && { failed }),
      },
    };
  }

  /** Takes the figures of an answer. */
  hear(heard: Heard): void {
    const { stamp, now } = heard.answer;
    const isSame = this.#heard?.answer.stamp === stamp && this.#stamp !== undefined;
    this.#heard = heard;
    if (stamp === null) {
      this.#stamp = undefined;
      return;
    }
    const local = heard.sentAt - (now - stamp);
    this.#stamp = isSame ? Math.max(this.#stamp ?? local, local) : local;
  }

  /** The store has done what the word said. */
  hearSaid({ departure, install, failed }: SaidOfBalance, { answer, sentAt }: Heard): void {
    this.drop(install);
    if (failed === this.#failed) this.#failed = undefined;
    // Said before, it may have let a request go whose answer was lost: it is asked again.
    if (departure === undefined || answer.news === null) return;
    const isAwaited = this.#departures.includes(departure);
    this.#departures = this.#departures.filter((other) => other !== departure);
    if (answer.news === "wait") departure.answer({ wait: pollMs });
    else if (answer.news === "here") departure.answer({ here: newsHere(answer) });
    else if (isAwaited) {
      const go: StoredRequest = { stamp: sentAt, at: answer.now, epoch: answer.epoch };
      departure.answer({ go });
      // It has been given up meanwhile: another process may ask.
    } else this.#failed = answer.now;
  }

  /** A balance of another epoch is of no use. */
  drop(install: AwaitedInstall | undefined): void {
    this.#installs = this.#installs.filter((other) => other !== install);
    install?.done();
  }

  /** Whether less than this is left beside all blocks. */
  isScarce(kind: WalletKind, amount: number): boolean {
    const answer = this.#heard?.answer;
    if (answer === undefined) return false;
    const capacity = capacityOf(kind === "prepaid" ? answer.prepaid : answer.postpaid);
    if (typeof capacity !== "number") return false;
    const shown = kind === "prepaid" ? answer.shownPrepaid : answer.shownPostpaid;
    return capacity - answer.out - (answer.used - shown) < amount;
  }

  /** The figures, beside what this process has in use. */
  standing(kind: WalletKind, held: number, used: number): Standing {
    const answer = this.#heard?.answer;
    const shown = kind === "prepaid" ? answer?.shownPrepaid : answer?.shownPostpaid;
    return {
      admitted: false,
      capacity: capacityOf(kind === "prepaid" ? answer?.prepaid : answer?.postpaid),
      // What other processes have is not free, whatever they use of it.
      held: held + (answer === undefined ? 0 : answer.out - answer.block),
      unconfirmed: used + (answer?.used ?? 0) - (shown ?? 0),
      recent: answer?.recent ?? 0,
      stamp: this.#stamp,
    };
  }

  #newsSince(since: number, epoch: string | null): number | "now" {
    if (this.#heard === undefined || this.#heard.answer.epoch !== epoch) return "now";
    return storeTimeOf(this.#context.clock.now() - since, this.#context, this.#heard);
  }
}

function newsHere({ prepaid, postpaid, tells }: Answer): WalletNews {
  return {
    prepaid: capacityOf(prepaid) ?? "upstream_invalid",
    postpaid: capacityOf(postpaid) ?? "upstream_invalid",
    unsettled: tells ? 0 : undefined,
  };
}
