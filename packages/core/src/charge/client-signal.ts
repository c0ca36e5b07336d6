/** The signal of a charge, which most handlers never ask for: built when one does. */
export abstract class ClientSignal {
  #controller: AbortController | undefined;
  #left = false;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#left) this.#controller.abort();
    return this.#controller.signal;
  }

  /** Whether someone has asked for the signal. */
  protected get taken(): boolean {
    return this.#controller !== undefined;
  }

  /** The client has left. */
  protected fire(): void {
    this.#left = true;
    this.#controller?.abort();
  }
}
