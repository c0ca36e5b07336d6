/** How many calls those that are called may add: without an end to it the work would never be billed. */
const mostAdded = 1_000;

/** What reports before the bill of a piece of work is drawn. */
export class BillCalls {
  readonly #waiting = new Set<() => void>();
  #ending = false;

  /** Returns what takes it back. */
  add(close: () => void): () => void {
    // One of its own: a function may be given twice.
    const call = () => close();
    this.#waiting.add(call);
    return () => this.#waiting.delete(call);
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Calls each once, those too that are added meanwhile. */
  end(): void {
    // Else calls that add one and end all would call each other until the stack is full.
    if (this.#ending) return;
    this.#ending = true;
    let left = this.#waiting.size + mostAdded;
    for (const close of this.#waiting) {
      this.#waiting.delete(close);
      try {
        close();
      } catch {
        // The work must be billed all the same.
      }
      if (--left === 0) break;
    }
    this.#ending = false;
  }
}
