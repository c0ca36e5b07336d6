import type { ReportOverrides, Usage } from "@creditgate/core";
import { emitMeteredTwice, type MeteredCall as Metering, reportMetered } from "@creditgate/core/adapter";
import { costOf } from "../price/prices.ts";
import { type ModelUsage, reportedUsage } from "../usage/model-usage.ts";
import type { UsageReading } from "../usage/usage-reading.ts";
import {
  type CallEnding,
  type MeteredCall,
  type MeteredCharge,
  type MeteringOptions,
  noteOnce,
} from "./metering-options.ts";
import { type Prompt, tokensBeside } from "./prompt.ts";
import { estimatedTokens } from "./token-estimate.ts";

/** What is known of a model call before it goes out. */
export interface CallSubject {
  readonly provider: string;
  readonly model: string | undefined;
  /** The input. Read only if the provider reports no usage. */
  readonly prompt: () => Prompt;
  /** The totals of such a call. Those that are not reported are estimated. */
  readonly totals: Totals;
  /** What wraps it. */
  readonly meter: Metering["meter"];
}

export interface Totals {
  readonly input: boolean;
  readonly output: boolean;
}

/** A part of a budget that one call may spend. */
export interface Reservation {
  readonly credits: number;
  /** The call is over, and has cost so much. */
  end(cost: number): void;
}

/** Which charge bills the call that a signal belongs to: what is metered within it must not be billed again. */
const meteredSignals = new WeakMap<AbortSignal, MeteredCharge>();

/** Whether the signal belongs to a call that is already metered for the same charge. If so, the gate emits `duplicate`. */
export function isMetered(signal: unknown, credits: MeteredCharge, options: MeteringOptions): boolean {
  const isWithin = signal instanceof AbortSignal && meteredSignals.get(signal) === credits;
  if (isWithin) emitMeteredTwice(credits, options);
  return isWithin;
}

/** What a metered call has answered with: who passes that on as it is meters the same call. */
const answers = new WeakMap<object, ModelCall>();
let calls = 0;

/** One call of a model: billed once, however it ends. Nothing of it throws. */
export class ModelCall {
  readonly #credits: MeteredCharge;
  readonly #options: MeteringOptions;
  readonly #subject: CallSubject;
  readonly #controller = new AbortController();
  /** What is undone when the call is billed. */
  readonly #undo: (() => void)[] = [];
  /** What is undone when the provider has stopped: until then a caller may want to stop it. */
  readonly #joined: (() => void)[] = [];
  readonly #written: string[] = [];
  #model: string | undefined;
  #reported: UsageReading | undefined;
  #isFinal = false;
  #taken: ModelUsage | undefined;
  /** How many pieces had been written at that report. */
  #reportedAt = 0;
  #isAnswered = false;
  #failed = false;
  #leave: ((reason: unknown) => void) | undefined;
  #reservation: Reservation | undefined;
  #readOn = () => {};
  readonly #began = ++calls;
  /** A wrapper within this one meters it. */
  #isWithin = false;
  over = false;

  constructor(
    credits: MeteredCharge,
    options: MeteringOptions,
    subject: CallSubject,
    callers: AbortSignal | null | undefined,
  ) {
    this.#credits = credits;
    this.#options = options;
    this.#subject = subject;
    this.#model = subject.model;
    meteredSignals.set(this.signal, credits);
    this.#join(callers);
    this.#attempt(() => this.#join(credits.signal));
    this.#attempt(() => this.#undo.push(credits.beforeBill(() => this.end("left"))));
  }

  /** For the provider: aborts with the caller's signal, and when the client disconnects. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get drain(): MeteringOptions["drain"] {
    return this.#options.drain;
  }

  /** It is paid from this. */
  paidFrom(reservation: Reservation | undefined): void {
    this.#reservation = reservation;
  }

  /** What the provider, or a wrapper within this one, answers with. */
  receives(answer: unknown): void {
    const call = answers.get(Object(answer));
    // An answer from a cache comes to calls that began later.
    this.#isWithin ||= call !== undefined && call.#credits === this.#credits && call.#began > this.#began;
  }

  /** What the caller gets. */
  passes(answer: unknown): void {
    if (typeof answer === "object" && answer !== null) answers.set(answer, this);
  }

  /** The provider has taken the call: from here on it costs. */
  answered(): void {
    this.#isAnswered = true;
  }

  /** A piece of what the model has written. */
  wrote(text: unknown): void {
    if (typeof text !== "string" || text === "") return;
    this.#isAnswered = true;
    this.#written.push(text);
  }

  /** How many pieces were written. */
  get pieces(): number {
    return this.#written.length;
  }

  /** About how many tokens were written since there was this number of pieces. */
  tokensSince(pieces: number): number {
    return estimatedTokens(this.#written.slice(pieces).join(""));
  }

  /** The provider has reported usage. The last report counts; `final` marks the last. */
  reported(reading: UsageReading | undefined, final: boolean): void {
    if (reading === undefined) return;
    this.#isAnswered = true;
    this.#reported = reading;
    this.#isFinal = final;
    this.#reportedAt = this.#written.length;
  }

  /** What an accepted call uses, unless its end reports otherwise. */
  took(reading: UsageReading | undefined): void {
    this.#taken = reading?.usage;
  }

  get isNamed(): boolean {
    return this.#model !== undefined;
  }

  /** The provider's name of the model, where the request had none. */
  named(model: unknown): void {
    if (typeof model === "string" && model !== "") this.#model ??= model;
  }

  /** The provider has reported a failure. */
  failed(): void {
    this.#failed = true;
  }

  /** Takes over what happens when the signal fires. */
  onLeave(leave: (reason: unknown) => void): void {
    this.#leave = leave;
  }

  /** Reads what of the answer has passed and was not read yet. */
  onCatchUp(readOn: () => void): void {
    this.#readOn = readOn;
  }

  /** All that has passed counts. */
  catchUp(): void {
    if (!this.over) this.#readOn();
  }

  /** Called when the call is over. */
  onOver(undo: () => void): void {
    if (this.over) undo();
    else this.#undo.push(undo);
  }

  /** Stops the provider. */
  stop(reason: unknown): void {
    this.#controller.abort(reason);
  }

  /** Calls `run` after that number of milliseconds, unless the call is over by then. */
  schedule(ms: number, run: () => void): void {
    const { clock } = this.#options;
    const schedule = clock === undefined ? afterwards : clock.schedule.bind(clock);
    this.onOver(schedule(ms, run));
  }

  /** The call is over; the first word counts. */
  end(ending: CallEnding): void {
    this.catchUp();
    // What was read may have ended it.
    if (this.over) return;
    this.#close();
    this.#attempt(() => this.#bill(this.#failed && ending === "finished" ? "failed" : ending));
    // Where it was not billed, it has cost nothing.
    this.#reservation?.end(0);
  }

  /** The call has not gone out: it cost nothing. */
  drop(): void {
    this.#close();
    this.#reservation?.end(0);
    this.detach();
  }

  #close(): void {
    this.over = true;
    // Another call that is given the same signal is not within this one.
    meteredSignals.delete(this.signal);
    for (const undo of this.#undo.splice(0)) this.#attempt(undo);
  }

  /** The provider has stopped. */
  detach(): void {
    for (const undo of this.#joined.splice(0)) this.#attempt(undo);
  }

  #bill(ending: CallEnding): void {
    const isUnserved = this.#reported === undefined && this.#written.length === 0;
    if (ending === "failed" && (!this.#isAnswered || (this.#failed && isUnserved))) return;
    const call = this.#bound(ending);
    const { onCall, prices, indicator, agentId } = this.#options;
    const credits = prices && costOf(prices, call.usage);
    this.#reservation?.end(credits ?? this.#reservation.credits);
    const overrides = {
      ...(credits !== undefined && { credits }),
      ...(indicator !== undefined && { indicator }),
      ...(agentId !== undefined && { agentId }),
    };
    if (!this.#report(reportedUsage(call.usage), overrides)) return;
    this.#attempt(() => onCall?.(call));
    this.#note(call);
  }

  /** Returns whether it is billed. */
  #report(usage: Usage, overrides: ReportOverrides): boolean {
    if (this.#isWithin) {
      this.#attempt(() => emitMeteredTwice(this.#credits, overrides));
      return false;
    }
    let isBilled = true;
    const call = { meter: this.#subject.meter, began: this.#began };
    this.#attempt(() => {
      isBilled = reportMetered(this.#credits, usage, overrides, call);
    });
    return isBilled;
  }

  #bound(ending: CallEnding): MeteredCall {
    const { usage = {}, malformed = [], least = { input: 0, output: 0 } } = this.#reported ?? {};
    const { provider, totals } = this.#subject;
    const estimated: ("inputTokens" | "outputTokens")[] = [];
    const bill: { -readonly [Field in keyof ModelUsage]: ModelUsage[Field] } = { provider };
    if (this.#model !== undefined) bill.model = this.#model;
    // A caller that stops early has asked for all of it.
    Object.assign(bill, usage, this.#isFinal ? {} : this.#taken);
    if (usage.inputTokens === undefined && (totals.input || least.input > 0)) {
      bill.inputTokens = Math.max(least.input, totals.input ? this.#inputTokens() : 0);
      estimated.push("inputTokens");
    }
    // Some providers report usage with each piece, or only with the first. If the call broke off, later pieces are
    // not included.
    const isLastReading =
      this.#isFinal && (ending === "finished" || this.#written.length === this.#reportedAt);
    const isOutputReported = isLastReading && usage.outputTokens !== undefined;
    if (!isOutputReported && (totals.output || least.output > 0)) {
      const written = totals.output ? this.#outputTokens() : 0;
      bill.outputTokens = Math.max(usage.outputTokens ?? 0, least.output, written);
      estimated.push("outputTokens");
    }
    return { usage: bill, ending, estimated, malformed };
  }

  #inputTokens(): number {
    const { provider, prompt, totals } = this.#subject;
    try {
      const read = prompt();
      // Of what is embedded there are no messages, whatever it is called.
      const messages = totals.output ? read.messages : 0;
      const tokens = estimatedTokens(read.texts.join("\n"), this.#options, this.#model);
      return tokens + tokensBeside({ ...read, messages }, provider);
    } catch {
      return 0;
    }
  }

  #outputTokens(): number {
    return estimatedTokens(this.#written.join(""), this.#options, this.#model);
  }

  #note({ ending, estimated, malformed }: MeteredCall): void {
    const subject = `${this.#subject.provider} ${this.#model ?? ""}`.trim();
    if (malformed.length > 0) {
      noteOnce(
        this.#options,
        `${subject} reported no count as ${malformed.join(", ")}; totals that need it are estimated`,
      );
    } else if (ending === "finished" && estimated.length > 0) {
      noteOnce(this.#options, `${subject} did not report its usage; ${estimated.join(", ")} are estimated`);
    }
  }

  /** The signal of the call fires with the other one. */
  #join(signal: AbortSignal | null | undefined): void {
    if (!signal) return;
    const abort = () => {
      if (this.#leave === undefined) this.stop(signal.reason);
      else this.#leave(signal.reason);
    };
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort);
    this.#joined.push(() => signal.removeEventListener("abort", abort));
  }

  /** Billing never breaks a model call. */
  #attempt(step: () => void): void {
    try {
      step();
    } catch {
      // The gate emits its own failures.
    }
  }
}

function afterwards(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}
