import { backOffMs } from "@creditgate/client";
import type { Clock } from "@creditgate/core";
import type { SharedStore, SyncRequest, SyncResponse } from "./shared-store.ts";
import { StoreTrouble } from "./store-trouble.ts";

/** Words of one ledger on their way at once: enough for a pool of connections, and too few to wait for long in its queue. */
const mostAtOnce = 100;
/** Of a store that does not say how long an exchange may take. */
const usualTimeoutMs = 5_000;
const rests = { firstMs: 20, longestMs: 500 };

interface SyncQueueOptions {
  readonly store: SharedStore;
  readonly clock: Clock;
  readonly random: () => number;
  /** How long a request waits for the store. */
  readonly requestMs: () => number;
  /** Called with what keeps requests from being decided. */
  readonly report: (trouble: unknown) => void;
}

/** A sync that an account has to say. */
interface QueuedSync<Sent> {
  /** Whether a request waits for it: then it goes before the others. */
  isUrgent(): boolean;
  /** Called just before it is sent, so that it contains the present figures; `undefined`: it cannot be sent yet. */
  compose(): Sent | undefined;
}

/** The syncs of a ledger on their way to its store: a limited number at once, and each again until it is answered. */
export class SyncQueue {
  readonly #options: SyncQueueOptions;
  readonly #turns = new Turns(mostAtOnce);
  #isClosed = false;

  constructor(options: SyncQueueOptions) {
    this.#options = options;
  }

  /**
   * Sends a sync request until the store responds: verbatim, so that it has one effect however often it arrives, and again only once it
   * has failed or timed out. While it is unknown whether it has arrived, nothing else can be sent.
   */
  async send<Sent extends { readonly request: SyncRequest }>(
    account: string,
    { isUrgent, compose }: QueuedSync<Sent>,
  ): Promise<{ readonly sent: Sent; readonly response: SyncResponse } | undefined> {
    const { clock, random, report } = this.#options;
    const askedAt = clock.now();
    await this.#turns.take(isUrgent);
    const sent = compose();
    if (sent === undefined) {
      this.#turns.giveBack();
      return undefined;
    }
    for (let failures = 1; ; failures++) {
      try {
        const response = await this.#exchange(account, sent.request);
        this.#receive(sent.request, response, clock.now() - askedAt);
        return { sent, response };
      } catch (error) {
        if (this.#isClosed) return new Promise(() => {});
        report(error);
      }
      const restMs = backOffMs(failures, { ...rests, random });
      await new Promise<void>((resolve) => clock.schedule(restMs, resolve, { idle: true }));
      await this.#turns.take(isUrgent);
    }
  }

  /** What has failed from now on is not said again, and its `send` has no end. */
  close(): void {
    this.#isClosed = true;
  }

  /** One attempt, which gives its turn back when it is over. */
  #exchange(account: string, request: SyncRequest): Promise<SyncResponse> {
    const { store, clock } = this.#options;
    const { timeoutMs = usualTimeoutMs } = store;
    return new Promise((resolve, reject) => {
      const cancel = clock.schedule(
        timeoutMs,
        () => end(() => reject(new StoreTrouble("silent", `no answer in ${timeoutMs} ms`))),
        { idle: true },
      );
      let isOver = false;
      const end = (settle: () => void) => {
        if (isOver) return;
        isOver = true;
        cancel();
        this.#turns.giveBack();
        settle();
      };
      exchanged(store, account, request).then(
        (response) => end(() => resolve(response)),
        (error: unknown) => end(() => reject(error)),
      );
    });
  }

  #receive({ terms }: SyncRequest, { status, calm, now, born }: SyncResponse, tookMs: number): void {
    const { requestMs, report } = this.#options;
    if (tookMs > requestMs()) {
      report(
        new StoreTrouble(
          "slow",
          `an answer took ${Math.round(tookMs)} ms, and requests wait ${requestMs()} ms`,
        ),
      );
    }
    if (status === "repeated" || calm || now >= born + terms.leaseMs) return;
    const seconds = (born + terms.leaseMs - now) / 1_000;
    report(
      new StoreTrouble(
        "new",
        `it has not been used before, or has lost its memory, and grants nothing for ${seconds} s`,
      ),
    );
  }
}

/** A store that throws at once has failed as well. */
async function exchanged(store: SharedStore, account: string, request: SyncRequest): Promise<SyncResponse> {
  return store.exchange(account, request);
}

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
