import type { LeaseContext } from "./lease-context.ts";
import { renewMs } from "./lease-context.ts";

/** When a process says its next sync of its own accord, and what it has been asked for between two such syncs. */
export class SyncTimer {
  readonly #context: Pick<LeaseContext, "clock" | "terms">;
  readonly #run: () => void;
  #cancel: (() => void) | undefined;
  #isSlow = false;
  #asked = 0;
  #askedBefore = 0;
  /** Whether nothing has been asked for between the last two syncs. */
  isIdle = false;

  constructor(context: Pick<LeaseContext, "clock" | "terms">, run: () => void) {
    this.#context = context;
    this.#run = run;
  }

  /** How much is asked for in one sync, as it looks. */
  get demand(): number {
    return Math.max(this.#asked, this.#askedBefore);
  }

  ask(amount: number): void {
    this.#asked = Math.min(this.#asked + amount, Number.MAX_SAFE_INTEGER);
    this.isIdle = false;
  }

  /** Sees to it that there is a next sync. Seldom ones will do where nothing is free that another process could use. */
  keep(isFree: boolean): void {
    if (this.#cancel !== undefined) {
      if (!this.#isSlow || !isFree) return;
      this.#cancel();
    }
    this.#isSlow = !isFree;
    const { clock, terms } = this.#context;
    this.#cancel = clock.schedule(isFree ? renewMs : terms.leaseMs / 3, () => this.#timer(), { idle: true });
  }

  /** There is nothing to say any more: what was asked for before says nothing of what will be. */
  rest(): void {
    this.stop();
    this.#asked = 0;
    this.#askedBefore = 0;
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #timer(): void {
    this.#cancel = undefined;
    this.isIdle = this.#asked === 0;
    this.#askedBefore = this.#asked;
    this.#asked = 0;
    this.#run();
  }
}
