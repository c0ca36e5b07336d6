/** Counts pending steps, and resolves when none is pending. */
export class Tally {
  #count = 0;
  #waiting: (() => void)[] = [];

  begin(): void {
    this.#count++;
  }

  end(): void {
    this.#count--;
    if (this.#count > 0 || this.#waiting.length === 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Counts the work in until it has ended. */
  during<T>(work: Promise<T>): Promise<T> {
    this.begin();
    return work.finally(() => this.end());
  }

  /** Resolves when nothing is under way. */
  async zero(): Promise<void> {
    if (this.#count > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
