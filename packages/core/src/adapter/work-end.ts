import { insideOf } from "../charge/inside.ts";
import { type Awaitable, isThenable } from "../values/awaitable.ts";
import type { Admitted } from "./admission.ts";
import type { Ending } from "./request-work.ts";

/** A body that a handler fills while it is read, such as a stream. */
export interface AnswerBody {
  /** It has been read to its end, or has failed: nothing fills it any more. */
  isOver(): boolean;
  /** Settles when whatever fills it has received the cancellation. It may stop later, or never. */
  cancel(): Promise<unknown>;
  /** Reads what is there at once, where nobody else reads it. One without it is filled as it goes on. */
  look?(): Promise<void>;
}

const nothing = () => {};

/**
 * When work has ended, and how (rule 7). Two questions decide: how did the response end, and is work still running?
 * Web and Node responses report what they observe; only this class fires the signal, keeps the hold, and bills.
 *
 * - The response was delivered and nothing runs: the work is billed at once.
 * - The response was delivered and its handler runs: the work is billed when the promise has settled. The signal
 *   fires if the response is an error, since then the handler's answer was replaced.
 * - The answer, or its rest, reaches nobody (a disconnect, a HEAD, a stream that nobody reads): the signal fires, the
 *   body is cancelled, and the hold stays until the work shows its end, see `disconnect()` of an admission.
 */
export class WorkEnd {
  readonly #admission: Admitted;
  readonly #onBilled: (billed: Promise<void>) => void;
  /** How the response ended. */
  #ending: Ending | undefined;
  /** Whether the body is complete is not known yet. */
  #isLooking = false;
  /** Handlers whose promise is pending. */
  #pending = 0;
  #onIdle = nothing;
  /** A handler ended with its work: it threw, or its promise settled after nobody received its answer any more. */
  #isShown = false;
  #hasFailed = false;
  /** Whoever writes the response has ended it. */
  #isAnswered = false;
  #isUnwanted = false;
  #isBilled = false;
  #body: AnswerBody | undefined;
  #onCancelled: (() => void) | undefined;

  constructor(admission: Admitted, onBilled: (billed: Promise<void>) => void = dropError) {
    this.#admission = admission;
    this.#onBilled = onBilled;
  }

  /**
   * A handler has been called. The work goes on while its promise is pending. A result of `false` shows nothing: it has passed
   * the request on. `isGone` returns whether its connection is gone, so that its error is no failure.
   */
  handles(handling: Awaitable<unknown>, isGone: () => boolean): void {
    if (!isThenable(handling)) return;
    this.#pending++;
    const settled = (isShown: boolean) => {
      this.#isShown ||= isShown;
      if (--this.#pending > 0) return;
      this.#decide();
      this.#onIdle();
    };
    handling.then(
      // A handler that returns before the response is over may have passed its work on.
      (value) => settled(value !== false && this.#isAbandoned && this.#ending !== undefined),
      () => {
        if (!isGone()) this.fail();
        settled(true);
      },
    );
  }

  /** The handler threw. After its signal has fired that is no failure. */
  fail(): void {
    if (!this.#isAbandoned) this.#hasFailed = true;
  }

  /** The handler has answered with a body that it fills while it is read. */
  answers(body: AnswerBody): void {
    this.#body = body;
    this.#decide();
  }

  /**
   * The body of an answer to HEAD, which nobody reads. One of the web does not show whether it is a stream, and `json()` has one
   * too: what is not all there at once is being filled.
   */
  async answersHead(body: AnswerBody): Promise<void> {
    this.#isLooking = true;
    await body.look?.();
    this.#isLooking = false;
    this.answers(body);
    if (!body.isOver()) this.discard();
  }

  /** What the handler has yet to answer, or the rest of its body, reaches nobody, whatever the response will be. */
  discard(): void {
    this.#isUnwanted = true;
    this.#decide();
  }

  /**
   * The response has ended. `isAnswered` is false if the client disconnected before all of it was written. An error
   * may be the answer of other middleware while a handler works whose promise is not seen (`isSeen`).
   */
  over(ending: Ending, isAnswered: boolean = ending !== "aborted", isSeen = true): void {
    if (ending === "failed" && !isSeen) this.#abandonUnseen();
    this.#ending ??= ending;
    this.#isAnswered ||= isAnswered;
    this.#decide();
  }

  /** Who writes the response has called `end()`, though nobody receives it. */
  answered(): void {
    this.#isAnswered = true;
    this.#decide();
  }

  #decide(): void {
    if (this.#isBilled || this.#isLooking) return;
    if (this.#isAbandoned) this.#decideOnWork();
    else this.#decideOnResponse();
  }

  #decideOnResponse(): void {
    const ending = this.#ending;
    const isUnread = this.#body?.isOver() === false;
    // Frameworks break the response off if its handler throws midway. That is no disconnect.
    const isLost = ending === "aborted" && !this.#hasFailed;
    const isReplaced = ending === "failed" && this.#pending > 0;
    if (this.#isUnwanted || (ending !== undefined && (isUnread || isLost || isReplaced))) this.#abandon();
    else if (ending !== undefined && this.#pending === 0) this.#bill();
  }

  #abandonUnseen(): void {
    const { credits } = this.#admission;
    // Metered calls show that they run: the hold stays for them.
    if (insideOf(credits)?.isMetered) this.#body = endlessBody;
    else credits.disconnect();
  }

  /** Nobody receives what the work still produces. */
  #abandon(): void {
    const cancelled = new Promise<void>((resolve) => {
      this.#onCancelled = resolve;
    });
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
    const seen = this.#pending > 0 ? idle : undefined;
    this.#onBilled(this.#admission.disconnect(seen, cancelled, () => this.#outcome));
    this.#decideOnWork();
  }

  #decideOnWork(): void {
    const body = this.#body;
    if (body?.isOver() === false) {
      // After the signal: what the body reports meanwhile counts as reported since.
      body.cancel().then(this.#onCancelled, this.#onCancelled);
    } else if (this.#pending === 0 && this.#ending !== undefined && (this.#isShown || this.#isAnswered)) {
      this.#bill();
    }
  }

  get #isAbandoned(): boolean {
    return this.#onCancelled !== undefined;
  }

  #bill(): void {
    this.#isBilled = true;
    this.#onBilled(this.#admission.end(this.#outcome));
  }

  get #outcome(): Ending {
    // A response that has not ended yet is that of another: this work has answered nothing.
    return this.#hasFailed ? "failed" : (this.#ending ?? "failed");
  }
}

const endlessBody: AnswerBody = { isOver: () => false, cancel: async () => {} };

/** What could not be billed is reported by the gate's events. */
function dropError(billed: Promise<void>): void {
  billed.catch(() => {});
}
