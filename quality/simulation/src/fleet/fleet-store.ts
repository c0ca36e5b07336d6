import { type AccountPart, loseOf } from "@creditgate/conformance";
import type { Clock } from "@creditgate/core";
import {
  type AccountState,
  createAccountState,
  exchange,
  type SyncRequest,
  type SyncResponse,
  timeAt,
} from "@creditgate/fleet";

/** How often a replica has what the store has, in milliseconds. */
const copyMs = 20;

/** A shared store as its server is: what was said to it is in its memory, until that is lost. */
export class FleetStore {
  readonly #clock: Clock;
  #state: AccountState = createAccountState();
  #run = 1;
  /** `undefined` until the first sync after its start. */
  #born: number | undefined;
  #skewMs: number;
  readonly #copies: { readonly at: number; readonly state: AccountState }[] = [];
  /** Whether it is in another epoch when an older one has taken its place, or a part of it is gone. */
  readonly #detectsRestarts: boolean;

  constructor(clock: Clock, isNew: boolean, detectsRestarts: boolean, aheadMs: number) {
    this.#clock = clock;
    this.#skewMs = aheadMs;
    this.#born = isNew ? undefined : Number.MIN_SAFE_INTEGER;
    this.#detectsRestarts = detectsRestarts;
  }

  exchange(request: SyncRequest): SyncResponse {
    const clock = this.#clock.now() + this.#skewMs;
    this.#born ??= timeAt(this.#state, clock);
    return exchange(this.#state, request, { clock, epoch: String(this.#run), born: this.#born });
  }

  reservationOf(id: string): number {
    return this.#state.reservations.get(id)?.amount ?? 0;
  }

  /** From now on there are copies, the oldest of `count` periods ago. */
  copy(count: number): void {
    for (let period = 0; period < count; period++) {
      this.#clock.schedule(period * copyMs, () =>
        this.#copies.push({ at: this.#clock.now(), state: copyOf(this.#state) }),
      );
    }
  }

  /** Its clock is put right, and steps back: that of an older store may be behind already. */
  setClock(): void {
    this.#skewMs = Math.min(this.#skewMs, 0);
  }

  /** A part of its memory is gone. */
  lose(part: AccountPart): void {
    loseOf(this.#state, part);
    if (this.#detectsRestarts) this.#renew();
  }

  /** Its memory is empty. */
  empty(): void {
    this.#state = createAccountState();
    this.#renew();
  }

  /** An older one takes its place, with a clock of its own. */
  fallBack(byMs: number, skewMs: number): void {
    const at = this.#clock.now() - byMs;
    const copy = this.#copies.filter((other) => other.at <= at).at(-1);
    this.#state = copy === undefined ? createAccountState() : copyOf(copy.state);
    this.#skewMs = skewMs;
    if (this.#detectsRestarts) this.#renew();
  }

  #renew(): void {
    this.#run++;
    this.#born = undefined;
  }
}

function copyOf(state: AccountState): AccountState {
  return { ...state, reservations: new Map(state.reservations), windows: new Map(state.windows) };
}
