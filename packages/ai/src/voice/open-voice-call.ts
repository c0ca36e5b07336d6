import type { Awaitable, Denial, Usage } from "@creditgate/core";
import {
  checkIdentifier,
  checkNames,
  checkNumber,
  day,
  emitReportedTwice,
  invalidOption,
  isUsageOf,
} from "@creditgate/core/adapter";
import { checkedCompletion, checkedSpeech, checkedTranscription, measuresIn } from "./checked-measures.ts";
import { billVoiceCall, type OpenedCall } from "./voice-bill.ts";
import type { VoiceBill, VoiceCall, VoiceCallState, VoiceEnd, VoiceEnding } from "./voice-call.ts";
import { VoiceFunds } from "./voice-funds.ts";
import { voiceCost } from "./voice-prices.ts";
import { type Completion, mostSeconds, type Speech, type Transcription, usageOf } from "./voice-usage.ts";

/** For a handler to stop and to report, once the signal has fired. */
const stopMs = 1_000;
/** The same where its gate closes, which has a tenth of its grace left: within it the bill has to be posted. */
const closedStopMs = 100;

/** More calls of models than a handler measures late. */
const mostOpen = 64;

/** A call from its session to its bill: opened, running, ending, ended. */
export class OpenVoiceCall implements VoiceCall {
  readonly ended: Promise<VoiceBill>;
  readonly #opened: OpenedCall;
  readonly #funds: VoiceFunds;
  readonly #stopping = new AbortController();
  /** Resolves when nothing is measured any more. */
  readonly #closed: Promise<void>;
  #close = () => {};
  #resolveBill: (bill: VoiceBill) => void = () => {};
  readonly #undo: (() => void)[] = [];
  #state: VoiceCallState = "opened";
  #startedAt: number | undefined;
  #hasHandler = false;
  #isClosed = false;
  /** The first reason counts. */
  #ending: VoiceEnding | undefined;
  #lastCost = 0;
  /** Calls of models that were measured in only one of two ways yet: reported, as by a metered model, or by hand. */
  readonly #completions: { readonly completion: Completion; readonly isReported: boolean }[] = [];

  constructor(opened: OpenedCall) {
    const { charge, settings } = opened;
    const { hold, clock, signal } = settings;
    this.#opened = opened;
    this.ended = new Promise((resolve) => {
      this.#resolveBill = resolve;
    });
    this.#closed = new Promise((resolve) => {
      this.#close = resolve;
    });
    const cost = () => this.cost;
    const exhausted = (denial: Denial) => void this.#exhaust(denial);
    this.#funds = new VoiceFunds({ ...hold, charge, clock, cost, exhausted });
    // Later: what reports before the bill must be counted first.
    charge.beforeBill(() => queueMicrotask(() => this.#stop("closed")));
    const hungUp = () => this.#stop("aborted", signal?.reason);
    signal?.addEventListener("abort", hungUp);
    // Fired while the answer to its session was on its way here.
    if (signal?.aborted) hungUp();
    this.#undo.push(() => signal?.removeEventListener("abort", hungUp));
  }

  get sessionId(): string {
    return this.#opened.settings.sessionId;
  }

  get state(): VoiceCallState {
    return this.#state;
  }

  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  get held(): number {
    return this.#opened.charge.held;
  }

  get cost(): number {
    const { settings, meter } = this.#opened;
    const seconds = this.#seconds;
    if (seconds === undefined || this.#isClosed) return this.#lastCost;
    try {
      this.#lastCost = voiceCost(settings.prices, usageOf(seconds, meter.parts));
    } catch {
      // Prices that fail must end neither the call nor the process.
    }
    return this.#lastCost;
  }

  start(): void {
    if (this.#isClosed) invalidOption("call", "one that goes on", this.#state);
    if (this.#startedAt !== undefined) return;
    this.#state = "running";
    this.#startedAt = this.#opened.settings.clock.now();
    this.#funds.watch();
  }

  stt(transcription: Transcription): void {
    const measure = checkedTranscription(transcription);
    this.#measure(() => this.#opened.meter.stt(measure));
  }

  llm(completion: Completion): void {
    this.#complete(checkedCompletion(completion), false);
  }

  tts(speech: Speech): void {
    const measure = checkedSpeech(speech);
    this.#measure(() => this.#opened.meter.tts(measure));
  }

  // These need no receiver, as those of a charge do not.
  get report(): VoiceCall["report"] {
    return (usage: Usage) => {
      const { transcription, completion, speech } = measuresIn(usage);
      if (transcription !== undefined) this.stt(transcription);
      if (completion !== undefined) this.#complete(checkedCompletion(completion), true);
      if (speech !== undefined) this.tts(speech);
    };
  }

  get beforeBill(): VoiceCall["beforeBill"] {
    return (close) => this.#opened.charge.beforeBill(close);
  }

  async run(handler: (call: VoiceCall) => Awaitable<unknown>): Promise<VoiceEnding> {
    this.signal.throwIfAborted();
    this.start();
    this.#hasHandler = true;
    const work = async () => handler(this);
    const worked = work().then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    const failed = await Promise.race([worked, this.#closed]);
    // What a stopped handler throws is no failure.
    const hasFailed = failed !== undefined && !this.signal.aborted;
    const ending = this.#finish(hasFailed ? "failed" : "completed");
    if (hasFailed) throw failed.error;
    return ending;
  }

  end(how: VoiceEnd = {}): Promise<VoiceBill> {
    checkNames(how, { indicator: true, seconds: true, deliveryMs: true });
    const { indicator, seconds, deliveryMs } = how;
    if (indicator !== undefined) checkIdentifier("indicator", indicator);
    if (seconds !== undefined) checkNumber("seconds", seconds, 0, mostSeconds);
    if (deliveryMs !== undefined) {
      checkNumber("deliveryMs", deliveryMs, 0, day);
      const { settings, posts } = this.#opened;
      const cancel = settings.clock.schedule(deliveryMs, () => posts.stop());
      void this.ended.then(cancel);
    }
    this.#finish("completed", how);
    return this.ended;
  }

  /** A call that a metered model reports and the handler measures as well counts once. */
  #complete(completion: Completion, isReported: boolean): void {
    this.start();
    const first = this.#completions.findIndex(
      (one) =>
        one.isReported !== isReported &&
        (isReported ? isUsageOf(one.completion, [completion]) : isUsageOf(completion, [one.completion])),
    );
    if (first >= 0) {
      this.#completions.splice(first, 1);
      emitReportedTwice(this.#opened.charge, { ...completion });
      return;
    }
    this.#completions.push({ completion, isReported });
    if (this.#completions.length > mostOpen) this.#completions.shift();
    this.#measure(() => this.#opened.meter.llm(completion));
  }

  #measure(add: () => void): void {
    this.start();
    add();
    this.#funds.look();
    this.#opened.posts.wake();
  }

  /** Seconds since its start. */
  get #seconds(): number | undefined {
    if (this.#startedAt === undefined) return undefined;
    return (this.#opened.settings.clock.now() - this.#startedAt) / 1_000;
  }

  /** No more can be held: the application announces that to the caller. */
  async #exhaust(denial: Denial): Promise<void> {
    if (this.#state !== "running") return;
    this.#state = "ending";
    this.#ending ??= "exhausted";
    const { onExhausted, graceMs, clock, logger } = this.#opened.settings;
    const over = () => this.#stop("exhausted");
    this.#undo.push(clock.schedule(graceMs, over));
    const remaining = Math.max(0, Math.floor((this.held - this.cost) * 1e6) / 1e6);
    try {
      await onExhausted?.({ call: this, denial, remaining, graceMs });
    } catch (error) {
      if (logger !== false) logger.warn(`creditgate: onExhausted of a voice call failed: ${String(error)}`);
    }
    over();
  }

  /** The call is to stop: it ends at once, or with its handler. */
  #stop(ending: VoiceEnding, reason?: unknown): void {
    if (this.signal.aborted) return;
    this.#ending ??= ending;
    this.#stopping.abort(reason);
    const finish = () => this.#finish(ending);
    const waitMs = ending === "closed" ? closedStopMs : stopMs;
    if (this.#hasHandler) this.#undo.push(this.#opened.settings.clock.schedule(waitMs, finish));
    else finish();
  }

  /** Nothing is measured from here on, and what was is billed. Why the call has ended. */
  #finish(ending: VoiceEnding, { indicator, seconds }: VoiceEnd = {}): VoiceEnding {
    this.#ending ??= ending;
    const reason = this.#ending;
    if (this.#isClosed) return reason;
    // Model calls that go on report what they have used.
    this.#opened.charge.endCalls();
    void this.cost;
    this.#isClosed = true;
    this.#state = "ending";
    this.#funds.stop();
    for (const undo of this.#undo) undo();
    this.#stopping.abort();
    this.#close();
    const isStarted = this.#startedAt !== undefined;
    void billVoiceCall(this.#opened, {
      ending: reason,
      indicator: indicator ?? this.#opened.settings.indicator,
      seconds: isStarted ? (seconds ?? this.#seconds) : undefined,
    }).then((bill) => {
      this.#state = "ended";
      this.#resolveBill(bill);
    });
    return reason;
  }
}
