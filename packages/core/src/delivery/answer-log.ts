import type { Awaitable } from "../values/awaitable.ts";
import { attempt } from "../values/awaitable.ts";
import type { Clock } from "../values/clock.ts";
import { deliveryPauseMs } from "./back-off.ts";

/** This many answers that the outbox has not taken are kept in memory. */
const mostUnwritten = 10_000;

interface AnswerLogOptions {
  readonly clock: Clock;
  readonly random: () => number;
  /** The outbox did not take an answer. */
  failed(error: unknown): void;
  /** It has taken all. */
  written(): void;
}

type Write = () => Awaitable<void>;

/**
 * Writes into the outbox what the service has answered. What the outbox does not take, such as on a full disk, is kept and
 * written later: to ask the service again could count twice.
 */
export class AnswerLog {
  readonly #options: AnswerLogOptions;
  #unwritten: Write[] = [];
  #retrying = false;
  #cancelRetry: (() => void) | undefined;
  #failures = 0;
  #stopped = false;

  constructor(options: AnswerLogOptions) {
    this.#options = options;
  }

  get empty(): boolean {
    return this.#unwritten.length === 0;
  }

  get full(): boolean {
    return this.#unwritten.length >= mostUnwritten;
  }

  /** Done when it is written, or kept for later. Never throws or rejects. */
  write(write: Write): Awaitable<void> {
    const written = attempt(write);
    if (written instanceof Promise) return written.catch((error: unknown) => this.#keep(write, error));
  }

  /** Tries at once. */
  async retry(): Promise<void> {
    if (this.#retrying || this.empty) return;
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    this.#retrying = true;
    // One finds out whether the outbox can be written again; then the others follow.
    const [first, ...others] = this.#unwritten;
    this.#unwritten = [];
    const isWritten = first === undefined || (await this.#again(first));
    if (isWritten) await Promise.all(others.map((write) => this.#again(write)));
    else this.#unwritten.push(...others);
    this.#retrying = false;
    this.#failures = isWritten ? 0 : this.#failures + 1;
    if (this.empty) this.#options.written();
    else this.#retryLater();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelRetry?.();
  }

  #keep(write: Write, error: unknown): void {
    // The next process finds what the outbox has, and reports it.
    if (this.#stopped) return;
    this.#unwritten.push(write);
    this.#options.failed(error);
    this.#retryLater();
  }

  async #again(write: Write): Promise<boolean> {
    try {
      await write();
      return true;
    } catch (error) {
      this.#unwritten.push(write);
      this.#options.failed(error);
      return false;
    }
  }

  #retryLater(): void {
    if (this.#stopped || this.#retrying || this.#cancelRetry !== undefined) return;
    const { clock, random } = this.#options;
    const delayMs = deliveryPauseMs(this.#failures + 1, random);
    this.#cancelRetry = clock.schedule(delayMs, () => void this.retry());
  }
}
