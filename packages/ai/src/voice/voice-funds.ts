import type { Charge, Clock, Denial } from "@creditgate/core";

/** What is held for a call, beyond what it has cost. Credits. */
export interface VoiceHold {
  /** What the call goes on with: held at its start, and again when half of it is used. */
  readonly ahead: number;
  /** What its last words may cost: when no more than this is left, and no more can be held, the credits are exhausted. */
  readonly reserve: number;
}

interface FundsOptions extends VoiceHold {
  readonly charge: Pick<Charge, "held" | "extend">;
  readonly clock: Clock;
  /** What the call has cost so far. */
  cost(): number;
  exhausted(denial: Denial): void;
}

const lookEveryMs = 1_000;
/** After a denial a customer may pay: it is asked again so much later, and when nothing is left but the reserve. */
const askAgainMs = 5_000;
/** A micro-credit. */
const smallest = 1e-6;

/** Holds credits ahead of what a call costs, for as long as it lasts. */
export class VoiceFunds {
  readonly #options: FundsOptions;
  #cancel: (() => void) | undefined;
  #isAsking = false;
  #isOver = false;
  #deniedAt = Number.NEGATIVE_INFINITY;

  constructor(options: FundsOptions) {
    this.#options = options;
  }

  /** Looks now, and then each second. */
  watch(): void {
    this.look();
    if (this.#isOver) return;
    this.#cancel = this.#options.clock.schedule(lookEveryMs, () => this.watch(), { idle: true });
  }

  /** The call has cost more: holds more where that is needed. */
  look(): void {
    const { ahead, clock } = this.#options;
    if (this.#isOver || this.#isAsking) return;
    const left = this.#left;
    const isSoon = clock.now() - this.#deniedAt < askAgainMs;
    if (2 * left < ahead && (left <= 0 || !isSoon)) void this.#ask();
  }

  stop(): void {
    this.#isOver = true;
    this.#cancel?.();
  }

  /** Of what is held ahead, what the call has not used. */
  get #left(): number {
    const { charge, cost, reserve } = this.#options;
    return charge.held - cost() - reserve;
  }

  async #ask(): Promise<void> {
    const { charge, ahead, clock, exhausted } = this.#options;
    const before = charge.held;
    const max = Math.max(smallest, Math.ceil((ahead - this.#left) * 1e6) / 1e6);
    this.#isAsking = true;
    // It rejects for work that has ended meanwhile.
    const extension = await charge.extend({ min: smallest, max }).catch(() => undefined);
    this.#isAsking = false;
    if (this.#isOver || extension === undefined) return;
    if (!extension.allowed) {
      this.#deniedAt = clock.now();
      if (this.#left > 0) return;
      this.stop();
      return exhausted(extension.denial);
    }
    // Let on without a hold: its gate only observes, or its work is free.
    if (charge.held === before) return this.stop();
    this.look();
  }
}
