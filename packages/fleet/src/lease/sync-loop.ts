import { backOffMs } from "@creditgate/client";
import { errorMessage } from "@creditgate/core/adapter";
import type { SentRequest } from "./composed-request.ts";
import { type LeaseContext, pollMs } from "./lease-context.ts";
import type { SyncResponse } from "./shared-store.ts";
import { StoreTrouble } from "./store-trouble.ts";

/** The longest between two tries to note that the process may have a reservation. */
const longestRestMs = 500;

/** Who speaks of an account. */
interface SyncOwner {
  /** Whether a request waits for the next sync. */
  isUrgent(): boolean;
  /** Whether the process must send a sync without a request. */
  hasPart(): boolean;
  /** Whether the store may give a reservation for the next sync, or has one. */
  mayGet(): boolean;
  /** All that there is to say now. */
  compose(): SentRequest;
  /** Called with the answer, before the next sync is composed. */
  receive(sent: SentRequest, response: SyncResponse): void;
  /** There is nothing more to say for now. */
  rest(): void;
}

/** The syncs of one account, one after the other: what comes meanwhile is said together in the next. */
export class SyncLoop {
  readonly #account: string;
  readonly #context: LeaseContext;
  readonly #owner: SyncOwner;
  #isRunning = false;
  #runsAgain = false;
  #isPolling = false;
  #isNoted = false;
  #isStopped = false;
  #isResting = false;
  /** Tries in a row that could not be noted. */
  #failures = 0;

  constructor(account: string, context: LeaseContext, owner: SyncOwner) {
    this.#account = account;
    this.#context = context;
    this.#owner = owner;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Whether it goes on in a moment. */
  get isPolling(): boolean {
    return this.#isPolling;
  }

  /** Whether a successor would find that the process may have a reservation. */
  get isNoted(): boolean {
    return this.#isNoted;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Says what there is to say: now, or when the sync on its way is answered. */
  sync(): void {
    this.#runsAgain = true;
    if (this.#isRunning || this.#isStopped) return;
    this.#isRunning = true;
    void this.#run();
  }

  /** Speaks in a moment. */
  poll(): void {
    if (this.#isPolling) return;
    this.#isPolling = true;
    this.#context.clock.schedule(pollMs, () => {
      this.#isPolling = false;
      this.sync();
    });
  }

  /** The process has no reservation any more, and its successor need not know of one. */
  end(): void {
    this.#isNoted = false;
    this.#context.ended(this.#account, [this.#context.id]);
  }

  /** Says nothing any more. */
  stop(): void {
    this.#isStopped = true;
  }

  async #run(): Promise<void> {
    const owner = this.#owner;
    // Holds that are asked for in one turn go together.
    await undefined;
    while (this.#runsAgain && !this.#isStopped) {
      if (this.#mustNote && !(await this.#note())) break;
      const answered = await this.#context.syncs.send(this.#account, {
        isUrgent: () => owner.isUrgent(),
        compose: () => {
          // Before its turn came a hold may have, which is noted first, or the end of the loop.
          if (this.#mustNote || this.#isStopped) return undefined;
          this.#runsAgain = false;
          return owner.compose();
        },
      });
      if (this.#isStopped) break;
      if (answered !== undefined) owner.receive(answered.sent, answered.response);
    }
    this.#isRunning = false;
    owner.rest();
  }

  /** The store must receive nothing of a process that its successor cannot find. */
  get #mustNote(): boolean {
    return this.#owner.mayGet() && !this.#isNoted;
  }

  async #note(): Promise<boolean> {
    try {
      await this.#context.note(this.#account);
      this.#isNoted = true;
      this.#failures = 0;
    } catch (cause) {
      // Tried again with the next sync: until then nothing is admitted.
      const message = `the outbox takes no note that credits are asked for: ${errorMessage(cause)}`;
      this.#context.report(new StoreTrouble("unnoted", message));
      this.#rest();
    }
    return this.#isNoted;
  }

  /** Tries again ever more seldom, and only what is needed: there may be thousands of wallets. */
  #rest(): void {
    if (this.#isResting) return;
    this.#isResting = true;
    const { clock, random } = this.#context;
    const restMs = backOffMs(++this.#failures, { firstMs: pollMs, longestMs: longestRestMs, random });
    const goOn = () => {
      this.#isResting = false;
      if (this.#owner.isUrgent() || this.#owner.hasPart()) this.sync();
    };
    clock.schedule(restMs, goOn, { idle: true });
  }
}
