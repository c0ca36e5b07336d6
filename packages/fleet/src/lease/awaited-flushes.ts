interface AwaitedFlush {
  readonly giveBack: boolean;
  /** Whether it is worth a sync of its own. */
  readonly hurries: boolean;
  /** The acknowledgements that must be counted. */
  readonly acks: number;
}

/** Calls that wait until the store knows what the process has acknowledged, or has what it does not use. */
export class AwaitedFlushes {
  #all: readonly (AwaitedFlush & { readonly done: () => void })[] = [];

  /** Whether one of them gives back what the process does not use. */
  get giveBack(): boolean {
    return this.#all.some(({ giveBack }) => giveBack);
  }

  /** Resolves when {@link AwaitedFlushes.end} finds nothing unsaid of it. */
  add(flush: AwaitedFlush): Promise<void> {
    return new Promise((resolve) => {
      this.#all = [...this.#all, { ...flush, done: resolve }];
    });
  }

  /** Ends those of which nothing is unsaid any more. Returns whether one of the others hurries. */
  end(isPending: (flush: AwaitedFlush) => boolean): boolean {
    const ended = this.#all.filter((flush) => !isPending(flush));
    this.#all = this.#all.filter(isPending);
    for (const { done } of ended) done();
    return this.#all.some(({ hurries }) => hurries);
  }
}
