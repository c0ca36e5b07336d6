import type { LeaseContext } from "./lease-context.ts";

/** Earlier lives of the process: the store holds credits for them no longer, for their usage is in this one's. */
export class Predecessors {
  readonly #context: LeaseContext;
  readonly #account: string;
  readonly #sync: () => void;
  /** Those that the store must retire. */
  readonly #due = new Set<string>();
  /** Those that it has retired; an older store that takes its place must do so again. */
  readonly #retired = new Set<string>();
  #cancel: (() => void) | undefined;
  #isOver = false;

  constructor(account: string, context: LeaseContext, sync: () => void) {
    this.#account = account;
    this.#context = context;
    this.#sync = sync;
  }

  get none(): boolean {
    return this.#due.size === 0;
  }

  add(ids: readonly string[]): void {
    // A gate that has closed may have open work here: its holds are not in this one's usage.
    for (const id of ids) if (!this.#context.isAlive(id)) this.#due.add(id);
  }

  fieldsFor(): { readonly retire?: readonly string[] } {
    return this.#due.size > 0 ? { retire: [...this.#due] } : {};
  }

  /** The store has retired these. */
  receive(retire: readonly string[] = []): void {
    for (const id of retire) {
      this.#due.delete(id);
      this.#retired.add(id);
    }
    if (retire.length > 0) this.#endLater();
    if (!this.#isOver || this.#due.size > 0) return;
    this.#isOver = false;
    this.#context.ended(this.#account, [...this.#retired]);
  }

  /** Another epoch: the store may be an older one. */
  again(): void {
    for (const id of this.#retired) this.#due.add(id);
  }

  stop(): void {
    this.#cancel?.();
  }

  /** When a lease is over no older store can take the place of this one. */
  #endLater(): void {
    const { clock, terms } = this.#context;
    this.#cancel?.();
    this.#isOver = false;
    this.#cancel = clock.schedule(
      terms.leaseMs,
      () => {
        this.#isOver = true;
        this.#sync();
      },
      { idle: true },
    );
  }
}
