/** The signal of a charge, which most handlers never ask for: built when one does. */
export abstract class ClientSignal {
  #controller: AbortController | undefined;
  #fired = false;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#fired) this.#controller.abort();
    return this.#controller.signal;
  }

  /** Whether someone has asked for the signal. */
  protected get taken(): boolean {
    return this.#controller !== undefined;
  }

  /** Whether the client has disconnected. */
  protected get fired(): boolean {
    return this.#fired;
  }

  protected fire(): void {
    this.#fired = true;
    this.#controller?.abort();
  }
}
