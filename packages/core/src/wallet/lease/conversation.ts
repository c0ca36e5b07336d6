import { backOffMs } from "@creditgate/client";
import { errorWords } from "../../values/error-words.ts";
import type { Saying } from "./composed-word.ts";
import { type LeaseContext, pollMs } from "./lease-context.ts";
import type { Answer } from "./shared-store.ts";
import { StoreTrouble } from "./store-trouble.ts";

/** The longest between two tries to note that the process may have a block. */
const longestRestMs = 500;

/** Who speaks of an account. */
interface Speaker {
  /** Whether a request waits for the next word. */
  isUrgent(): boolean;
  /** Whether the store must hear of this process without a request. */
  hasPart(): boolean;
  /** Whether the store may give a block for the next word, or has one. */
  mayGet(): boolean;
  /** All that there is to say now. */
  compose(): Saying;
  /** Called with the answer, before the next word is composed. */
  hear(saying: Saying, answer: Answer): void;
  /** There is nothing more to say for now. */
  rest(): void;
}

/** The words of one account, one after the other: what comes meanwhile is said together in the next. */
export class Conversation {
  readonly #account: string;
  readonly #context: LeaseContext;
  readonly #speaker: Speaker;
  #isSpeaking = false;
  #speaksAgain = false;
  #isPolling = false;
  #isNoted = false;
  #isStopped = false;
  #isResting = false;
  /** Tries in a row that could not be noted. */
  #failures = 0;

  constructor(account: string, context: LeaseContext, speaker: Speaker) {
    this.#account = account;
    this.#context = context;
    this.#speaker = speaker;
  }

  get isSpeaking(): boolean {
    return this.#isSpeaking;
  }

  /** Whether it goes on in a moment. */
  get isPolling(): boolean {
    return this.#isPolling;
  }

  /** Whether a successor would find that the process may have a block. */
  get isNoted(): boolean {
    return this.#isNoted;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Says what there is to say: now, or when the word on its way is answered. */
  speak(): void {
    this.#speaksAgain = true;
    if (this.#isSpeaking || this.#isStopped) return;
    this.#isSpeaking = true;
    void this.#converse();
  }

  /** Speaks in a moment. */
  poll(): void {
    if (this.#isPolling) return;
    this.#isPolling = true;
    this.#context.clock.schedule(pollMs, () => {
      this.#isPolling = false;
      this.speak();
    });
  }

  /** The process has no block any more, and its successor need not know of one. */
  end(): void {
    this.#isNoted = false;
    this.#context.ended(this.#account, [this.#context.id]);
  }

  /** Says nothing any more. */
  stop(): void {
    this.#isStopped = true;
  }

  async #converse(): Promise<void> {
    const speaker = this.#speaker;
    // Holds that are asked for in one turn go together.
    await undefined;
    while (this.#speaksAgain && !this.#isStopped) {
      if (speaker.mayGet() && !this.#isNoted && !(await this.#note())) break;
      const { saying, answer } = await this.#context.words.say(this.#account, {
        isUrgent: () => speaker.isUrgent(),
        compose: () => {
          this.#speaksAgain = false;
          return speaker.compose();
        },
      });
      if (this.#isStopped) break;
      speaker.hear(saying, answer);
    }
    this.#isSpeaking = false;
    speaker.rest();
  }

  /** The store must hear nothing of a process that its successor cannot find. */
  async #note(): Promise<boolean> {
    try {
      await this.#context.note(this.#account);
      this.#isNoted = true;
      this.#failures = 0;
    } catch (cause) {
      // Tried again with the next word: until then nothing is admitted.
      const words = `the outbox takes no note that credits are asked for: ${errorWords(cause)}`;
      this.#context.tell(new StoreTrouble("unnoted", words));
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
      if (this.#speaker.isUrgent() || this.#speaker.hasPart()) this.speak();
    };
    clock.schedule(restMs, goOn, { idle: true });
  }
}
