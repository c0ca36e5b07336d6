/** The signal of a charge, which most handlers never ask for: built when one does. */
export abstract class ClientSignal {
  #controller: AbortController | undefined;
  #left = false;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#left) this.#controller.abort();
    return this.#controller.signal;
  }

  /** The client has left. */
  protected fire(): void {
    this.#left = true;
    this.#controller?.abort();
  }
}
