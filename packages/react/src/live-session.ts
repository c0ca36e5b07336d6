/** What a reading of the balance was: one that has failed, or shows work in flight, is made again by itself. */
export type Reading = "settled" | "in_flight" | "failed";

const timeoutMs = 10_000;
const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

/**
 * Reads the balance while a page shows it: when it is said to have changed, here or in another tab, when the page is looked
 * at again, and after a pause that doubles while work is in flight or the reading fails. Of a pause it waits half, and a random part
 * of the rest, as the pages of an application must not come back together. One request at a time.
 */
export class LiveSession {
  /** Why the request of a session that is over was aborted. */
  static readonly over: unique symbol = Symbol("over");

  readonly #read: (signal: AbortSignal) => Promise<Reading>;
  readonly #ended = new AbortController();
  readonly #tabs: BroadcastChannel | undefined;
  #current: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #random: () => number;
  #pauseMs = firstPauseMs;

  constructor(
    url: string,
    read: (signal: AbortSignal) => Promise<Reading>,
    random: () => number = Math.random,
  ) {
    this.#read = read;
    this.#random = random;
    const { signal } = this.#ended;
    const seen = () => {
      if (document.visibilityState !== "hidden") void this.#look();
    };
    window.addEventListener("focus", seen, { signal });
    window.addEventListener("online", seen, { signal });
    document.addEventListener("visibilitychange", seen, { signal });
    if (typeof BroadcastChannel === "function") {
      this.#tabs = new BroadcastChannel(`creditgate ${url}`);
      this.#tabs.onmessage = () => {
        // A page that is hidden reads when it is looked at.
        if (document.visibilityState !== "hidden") void this.#refresh();
      };
    }
  }

  /** The first reading. Not at once: StrictMode ends the first session in the same step. */
  begin(): void {
    queueMicrotask(() => void this.#look());
  }

  /** The balance has changed. Resolves when it has been read, or the reading has failed. */
  changed(): Promise<void> {
    if (this.#ended.signal.aborted) return Promise.resolve();
    this.#tabs?.postMessage("changed");
    this.#pauseMs = firstPauseMs;
    return this.#refresh();
  }

  end(): void {
    this.#ended.abort(LiveSession.over);
    this.#tabs?.close();
    clearTimeout(this.#timer);
  }

  /** What is on its way is new enough. */
  #look(): Promise<void> {
    return this.#current ?? this.#refresh();
  }

  /** What is on its way may be too old: another follows it, for all that ask meanwhile. */
  #refresh(): Promise<void> {
    if (this.#current !== undefined) {
      this.#next ??= this.#current.then(() => {
        this.#next = undefined;
        return this.#refresh();
      });
      return this.#next;
    }
    this.#current = this.#run().finally(() => {
      this.#current = undefined;
    });
    return this.#current;
  }

  async #run(): Promise<void> {
    const { signal } = this.#ended;
    if (signal.aborted) return;
    clearTimeout(this.#timer);
    const request = new AbortController();
    const abort = () => request.abort(signal.reason);
    signal.addEventListener("abort", abort);
    // A request that hangs would keep every later one from being sent.
    const timeout = setTimeout(() => request.abort(), timeoutMs);
    const reading = await this.#read(request.signal);
    clearTimeout(timeout);
    signal.removeEventListener("abort", abort);
    if (signal.aborted) return;
    if (reading === "settled") this.#pauseMs = firstPauseMs;
    else this.#readLater();
  }

  #readLater(): void {
    const delayMs = (this.#pauseMs / 2) * (1 + this.#random());
    this.#timer = setTimeout(() => {
      if (document.visibilityState !== "hidden") void this.#look();
    }, delayMs);
    this.#pauseMs = Math.min(2 * this.#pauseMs, longestPauseMs);
  }
}
