/** The lanes of a process other than those of which it has read nothing yet, and how many rows each has. */
export class LaneTally {
  readonly #rows = new Map<string, number>();

  get all(): readonly string[] {
    return [...this.#rows.keys()];
  }

  /** Those other than `own` that have nothing in them any more. */
  empty(own: string): readonly string[] {
    return [...this.#rows].filter(([lane, rows]) => rows === 0 && lane !== own).map(([lane]) => lane);
  }

  add(lane: string): void {
    if (!this.#rows.has(lane)) this.#rows.set(lane, 0);
  }

  remove(lane: string): void {
    this.#rows.delete(lane);
  }

  clear(): void {
    this.#rows.clear();
  }

  /** A row comes into the lane. */
  enter(lane: string): void {
    this.#rows.set(lane, (this.#rows.get(lane) ?? 0) + 1);
  }

  /** A row goes from the lane. */
  leave(lane: string): void {
    const rows = this.#rows.get(lane);
    if (rows !== undefined) this.#rows.set(lane, rows - 1);
  }
}
