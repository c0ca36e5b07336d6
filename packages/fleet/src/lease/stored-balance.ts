import type { Capacity, WalletKind } from "@creditgate/core";
import {
  type AccountFigures,
  type BalanceRequest,
  type BalanceUpdate,
  type RefreshPermit,
  within,
} from "@creditgate/core/adapter";
import { type LeaseContext, pollMs, type Received, storeTimeBy, storeTimeOf } from "./lease-context.ts";
import type { Snapshot, StoredCapacity, SyncRequest, SyncResponse } from "./shared-store.ts";

/** A balance request that the store has let go. */
export interface StoredRequest extends BalanceRequest {
  /** Its stamp on the store's clock. */
  readonly at?: number;
  readonly epoch?: string;
}

interface AwaitedPermit {
  readonly since: number;
  readonly answer: (permit: RefreshPermit) => void;
}

interface AwaitedInstall {
  readonly snapshot: Snapshot;
  readonly done: () => void;
}

/** What one sync says of the balance. */
export interface BalanceFields {
  readonly permit: AwaitedPermit | undefined;
  readonly install: AwaitedInstall | undefined;
  readonly failed: number | undefined;
  readonly fields: Pick<SyncRequest, "refresh" | "snapshot" | "failed">;
}

/** The balance as the store has it, and what this process asks and says of it, on the clock of the process. */
export class StoredBalance {
  readonly #context: LeaseContext;
  readonly #sync: () => void;
  #permits: AwaitedPermit[] = [];
  #installs: AwaitedInstall[] = [];
  #failed: number | undefined;
  #received: Received | undefined;
  #stamp: number | undefined;
  #period: number | undefined;

  constructor(context: LeaseContext, sync: () => void) {
    this.#context = context;
    this.#sync = sync;
  }

  /** The latest instant that is certain not to be after the one at which the balance was asked for. */
  get stamp(): number | undefined {
    return this.#stamp;
  }

  /** Of a budget: the newest period that an answer has shown. */
  get period(): number | undefined {
    return this.#period;
  }

  /** Whether there is something to say. */
  get isPending(): boolean {
    return this.#permits.length > 0 || this.#installs.length > 0 || this.#failed !== undefined;
  }

  async beginRefresh(since: number): Promise<RefreshPermit> {
    const { clock, timeoutMs } = this.#context;
    let awaited: AwaitedPermit | undefined;
    const permit = new Promise<RefreshPermit>((resolve) => {
      awaited = { since, answer: resolve };
      this.#permits.push(awaited);
    });
    this.#sync();
    const answered = await within(permit, timeoutMs, clock);
    if (answered !== undefined) return answered;
    this.#permits = this.#permits.filter((other) => other !== awaited);
    throw new Error("the shared store does not answer");
  }

  async install({ at, epoch }: StoredRequest, update: BalanceUpdate | undefined): Promise<void> {
    // A wallet that was opened while the request was on its way knows no stamp of the store's.
    if (at === undefined || epoch === undefined) return;
    if (update === undefined) {
      this.#failed = at;
      this.#sync();
      return;
    }
    const snapshot = snapshotOf(update, { stamp: at, epoch });
    const installed = new Promise<void>((resolve) => {
      this.#installs.push({ snapshot, done: resolve });
    });
    this.#sync();
    await within(installed, this.#context.timeoutMs, this.#context.clock);
  }

  /** That of the store, or an earlier one; `null` where it is not known in this epoch. */
  storeTime(epoch: string | null): number | null {
    const received = this.#received;
    return received === undefined || received.response.epoch !== epoch
      ? null
      : storeTimeBy(this.#context, received);
  }

  /** For a sync to the store in this epoch. */
  fieldsFor(epoch: string | null): BalanceFields {
    const [permit] = this.#permits;
    const [install] = this.#installs;
    const failed = this.#failed;
    return {
      permit,
      install,
      failed,
      fields: {
        ...(permit !== undefined && { refresh: this.#freshSince(permit.since, epoch) }),
        ...(install !== undefined && { snapshot: install.snapshot }),
        ...(failed !== undefined && { failed }),
      },
    };
  }

  /** Takes the figures of an answer. */
  receive(received: Received): void {
    const { stamp, now } = received.response;
    const isSame = this.#received?.response.stamp === stamp && this.#stamp !== undefined;
    this.#received = received;
    this.#period = newest(this.#period, received.response);
    if (stamp === null) {
      this.#stamp = undefined;
      return;
    }
    const local = received.sentAt - (now - stamp);
    this.#stamp = isSame ? Math.max(this.#stamp ?? local, local) : local;
  }

  /** The store has done what the sync said. */
  receiveSent({ permit, install, failed }: BalanceFields, { response, sentAt }: Received): void {
    this.drop(install);
    if (failed === this.#failed) this.#failed = undefined;
    // Said before, it may have let a request go whose answer was lost: it is asked again.
    if (permit === undefined || response.refresh === null) return;
    const isAwaited = this.#permits.includes(permit);
    this.#permits = this.#permits.filter((other) => other !== permit);
    if (response.refresh === "wait") permit.answer({ wait: pollMs });
    else if (response.refresh === "here") permit.answer({ here: storedUpdate(response) });
    else if (isAwaited) {
      const go: StoredRequest = { stamp: sentAt, at: response.now, epoch: response.epoch };
      permit.answer({ go });
      // It has been given up meanwhile: another process may ask.
    } else this.#failed = response.now;
  }

  /** A balance of another epoch is of no use. */
  drop(install: AwaitedInstall | undefined): void {
    this.#installs = this.#installs.filter((other) => other !== install);
    install?.done();
  }

  /** Whether the wallet, or the budget, has been deleted, or is of the other kind. */
  isRefused(kind: WalletKind): boolean {
    const response = this.#received?.response;
    return typeof (kind === "prepaid" ? response?.prepaid : response?.postpaid) === "string";
  }

  /** Whether less than this is left beside all reservations. */
  isScarce(kind: WalletKind, amount: number): boolean {
    const response = this.#received?.response;
    if (response === undefined) return false;
    const capacity = capacityOf(kind === "prepaid" ? response.prepaid : response.postpaid);
    if (typeof capacity !== "number") return false;
    const shown = kind === "prepaid" ? response.shownPrepaid : response.shownPostpaid;
    return capacity - response.out - (response.used - shown) < amount;
  }

  /** The figures, beside what this process has in use. */
  figures(kind: WalletKind, held: number, used: number): AccountFigures {
    const response = this.#received?.response;
    const shown = kind === "prepaid" ? response?.shownPrepaid : response?.shownPostpaid;
    return {
      admitted: false,
      capacity: capacityOf(kind === "prepaid" ? response?.prepaid : response?.postpaid),
      // What other processes have is not free, whatever they use of it.
      held: held + (response === undefined ? 0 : response.out - response.reservation),
      unconfirmed: used + (response?.used ?? 0) - (shown ?? 0),
      recent: response?.recent ?? 0,
      stamp: this.#stamp,
    };
  }

  #freshSince(since: number, epoch: string | null): number | "now" {
    if (this.#received === undefined || this.#received.response.epoch !== epoch) return "now";
    return storeTimeOf(this.#context.clock.now() - since, this.#context, this.#received);
  }
}

/** The later one: a replica whose clock is behind may still be in the period before. */
function newest(period: number | undefined, { postpaid }: SyncResponse): number | undefined {
  return typeof postpaid === "number" && postpaid > (period ?? 0) ? postpaid : period;
}

function storedUpdate({ prepaid, postpaid, extended }: SyncResponse): BalanceUpdate {
  return {
    prepaid: capacityOf(prepaid) ?? "upstream_invalid",
    postpaid: capacityOf(postpaid) ?? "upstream_invalid",
    unsettled: extended ? 0 : undefined,
  };
}

const most = Number.MAX_SAFE_INTEGER;

/** A balance answer, as a sync sends it to a store: of a request that was sent at this instant, in this epoch. */
export function snapshotOf(
  { prepaid, postpaid, unsettled, period }: BalanceUpdate,
  { stamp, epoch }: Pick<Snapshot, "stamp" | "epoch">,
): Snapshot {
  return {
    stamp,
    epoch,
    prepaid: stored(prepaid, unsettled),
    // A budget has one capacity, and is read as prepaid: in the place of the other one its period travels with it.
    postpaid: period ?? stored(postpaid, unsettled),
    extended: unsettled !== undefined,
  };
}

/** What a store says that a wallet can pay, as a gate reads it. */
export function capacityOf(capacity: StoredCapacity | null | undefined): Capacity | undefined {
  return capacity === most ? Number.POSITIVE_INFINITY : (capacity ?? undefined);
}

function stored(capacity: Capacity, unsettled = 0): StoredCapacity {
  if (typeof capacity !== "number") return capacity;
  return capacity === Number.POSITIVE_INFINITY ? most : Math.max(capacity - unsettled, -most);
}
