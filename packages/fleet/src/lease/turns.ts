interface Waiting {
  readonly isUrgent: () => boolean;
  readonly begin: () => void;
}

/** A limited number at once: those that are urgent first, else in the order in which they came. */
export class Turns {
  #free: number;
  readonly #waiting: Waiting[] = [];

  constructor(most: number) {
    this.#free = most;
  }

  /** Resolves when there is a turn. `isUrgent` is asked until then: what can wait may become urgent. */
  take(isUrgent: () => boolean): void | Promise<void> {
    if (this.#free === 0) return new Promise((begin) => void this.#waiting.push({ isUrgent, begin }));
    this.#free--;
  }

  giveBack(): void {
    const urgent = this.#waiting.findIndex(({ isUrgent }) => isUrgent());
    const [next] = this.#waiting.splice(Math.max(0, urgent), 1);
    if (next === undefined) this.#free++;
    else next.begin();
  }
}
