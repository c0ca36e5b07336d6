import type { Outbox, OutboxDecision, OutboxReport, OutboxStatus, SendingJournal } from "../outbox/outbox.ts";
import { type Entry, Report } from "../outbox/report.ts";
import type { DeliveryFailure, Failed, Outcome } from "../service/outcome.ts";
import { type Awaitable, andThen, isThenable } from "../values/awaitable.ts";
import { AnswerLog } from "./answer-log.ts";
import { BackOff } from "./back-off.ts";
import type { Delivery, Recovered } from "./delivery.ts";
import type { DeliveryOptions } from "./delivery-options.ts";
import { Forgetting } from "./forgetting.ts";
import { Repeats } from "./repeats.ts";
import { postUsage } from "./usage-post.ts";

type Trouble = DeliveryFailure | "outbox";

/** A report that fails this often while others are delivered indicates a problem with its kind of work. */
const failuresOfReport = 3;
/** Batches on their way at once: with few, what comes meanwhile fills the next. */
const batchesAtOnce = 2;
/** From a batch that was not full to the next one: under load there are fewer calls, and a lone report waits for nothing. */
const gatherMs = 100;

/** Drains the outbox to the service (API 4.2): at once while it takes reports, ever more slowly while it does not. */
export class OutboxDelivery implements Delivery {
  readonly #options: DeliveryOptions & { readonly outbox: Outbox };
  readonly #backOff: BackOff;
  readonly #answers: AnswerLog;
  readonly #forgetting: Forgetting;
  readonly #repeats: Repeats;
  /** The requests on their way, and those that rest, each with its reports. */
  // No Set: one that fills and empties all the time keeps whatever was in it alive until the next full collection.
  readonly #sending: (readonly Report[])[] = [];
  readonly #resting = new Set<readonly Report[]>();
  /** An outbox that outlasts the process may hand out copies: the entries of the reports, by id. */
  readonly #entries: Map<string, Entry> | undefined;
  /** The entries of work that was cut off and waits for an operator, by the ids of the work. */
  readonly #kept = new Map<string, Entry>();
  readonly #watchers = new Set<() => void>();
  /** By id, how often a report has failed, others having been delivered between, and how many had been when it failed last. */
  readonly #failures = new Map<string, { readonly times: number; readonly delivered: number }>();
  #deliveries = 0;
  /** The kind of trouble that was emitted last; `undefined` while there is none. */
  #reported: Trouble | undefined;
  /** Sent with room for more: new reports gather until it is answered and `gatherMs` old, or fill a batch. */
  #unfilled: readonly Report[] | undefined;
  #cancelGathering: (() => void) | undefined;
  /** Released since the outbox was asked last. */
  #released = 0;
  #draining = false;
  /** Resolves when all that was to be sent is on its way. */
  #drained = Promise.resolve();
  #again = false;
  #stopped = false;

  constructor(options: DeliveryOptions & { readonly outbox: Outbox }) {
    this.#options = options;
    const { clock, random, outbox } = options;
    const resume = () => {
      // What it waits for is not waited for any more.
      this.#endGathering();
      if (!this.#stopped) this.#resume();
    };
    this.#backOff = new BackOff({ clock, random, resume });
    this.#answers = new AnswerLog({
      clock,
      random,
      failed: (error) => {
        if (!this.#stopped) this.#report("outbox", error);
      },
      written: () => this.#goOn(),
    });
    this.#forgetting = new Forgetting({ ...options, ledger: options.accounts });
    this.#repeats = new Repeats({
      ...options,
      answers: this.#answers,
      sending: () => this.#sending.flat(),
      drain: () => this.#drain(),
    });
    this.#entries = outbox.recover === undefined ? undefined : new Map();
  }

  get refusal(): Delivery["refusal"] {
    const { outbox } = this.#options;
    if (outbox.failing === true) return "outbox_unavailable";
    return outbox.full ? "outbox_full" : undefined;
  }

  get fullOfDead(): boolean {
    return this.#options.outbox.fullOfDead === true;
  }

  get sending(): readonly OutboxReport[] {
    return [...this.#sending, ...this.#resting].flat();
  }

  get left(): ReadonlyMap<string, Entry> {
    return this.#entries ?? new Map();
  }

  store(reports: readonly Report[], workId?: string): Awaitable<void> {
    return this.#options.outbox.append(reports, workId);
  }

  release(reports: readonly Report[]): undefined {
    this.#options.lagWatch?.expect(reports);
    if (this.#entries !== undefined) for (const { id, entry } of reports) this.#entries.set(id, entry);
    this.#options.outbox.release(reports);
    this.#released += reports.length;
    this.#drain();
  }

  start({ keysWritten, left, delivered, lost, kept, decided }: Recovered): void {
    this.#repeats.start(keysWritten);
    this.#forgetting.add(delivered);
    for (const [id, entry] of left) this.#entries?.set(id, entry);
    for (const [id, entry] of kept) this.#kept.set(id, entry);
    for (const decision of decided) this.#decide(decision);
    // Another process counts them too, and emits no event for their delivery: they would count here for ever.
    for (const id of lost) {
      this.#entries?.get(id)?.acknowledge(this.#options.settlementLagMs, false);
      this.#entries?.delete(id);
    }
    this.#drain();
  }

  /** The outbox has done what an operator has decided; so does the ledger. */
  #decide({ report, as, reason }: OutboxDecision): void {
    const { settlementLagMs, outbox, events } = this.#options;
    const { id } = report;
    const work = this.#kept.get(id);
    work?.join();
    this.#kept.delete(id);
    const entry = work ?? this.#entries?.get(id);
    if (as === "bill" && entry !== undefined) {
      this.#entries?.set(id, entry);
      outbox.release([report]);
    } else if (as !== "retry") {
      this.#entries?.delete(id);
      if (as === "discard") entry?.correct(id, 0, settlementLagMs);
      else {
        entry?.acknowledge(settlementLagMs, false);
        this.#forgetting.add([report]);
      }
    }
    events.emit("resolved", { report, as, reason });
  }

  async retry(ids: readonly string[]): Promise<readonly OutboxReport[]> {
    const { outbox, events } = this.#options;
    const reports = await outbox.retry(ids);
    for (const report of reports) events.emit("resolved", { report, as: "retry", reason: undefined });
    this.hurry();
    return reports;
  }

  forget(): Promise<void> {
    return this.#forgetting.now();
  }

  hurry(): void {
    if (this.#cancelGathering !== undefined) this.#endGathering();
    this.#backOff.end();
    this.#resume();
  }

  #resume(): void {
    void this.#answers.retry();
    this.#drain();
  }

  status(): Promise<OutboxStatus> {
    return this.#options.outbox.status();
  }

  /** Tries at once, and resolves when nothing is queued any more, nothing will be sent, or `timeoutMs` have passed. */
  flush(timeoutMs: number): Promise<OutboxStatus> {
    const { outbox, clock } = this.#options;
    this.hurry();
    return new Promise((resolve, reject) => {
      const finish = () => {
        cancel();
        this.#watchers.delete(look);
        outbox.status().then(resolve, reject);
      };
      const look = () => {
        outbox.status().then(({ queued }) => {
          if (this.#stopped || (this.#sending.length === 0 && queued === 0)) finish();
        }, finish);
      };
      const cancel = clock.schedule(timeoutMs, finish);
      this.#watchers.add(look);
      look();
    });
  }

  /** Sends nothing more. What is queued stays in the outbox. Done when what has been sent is answered. */
  stop(): Awaitable<void> {
    this.#stopped = true;
    this.#endGathering();
    this.#backOff.stop();
    this.#answers.stop();
    this.#repeats.stop();
    for (const look of this.#watchers) look();
    if (this.#sending.length > 0) return this.#until(() => this.#sending.length === 0);
  }

  answering(customerId: string): Promise<void> | undefined {
    if (this.#cancelGathering !== undefined) this.#sendGathered();
    // What gathered may still be read from a disk.
    return this.#draining ? this.#drained.then(() => this.#sentFor(customerId)) : this.#sentFor(customerId);
  }

  #sentFor(customerId: string): Promise<void> | undefined {
    const sent = this.#sending.filter((reports) =>
      reports.some((report) => report.customerId === customerId),
    );
    if (sent.length === 0) return undefined;
    return this.#until(() => !this.#sending.some((reports) => sent.includes(reports)));
  }

  #until(isSo: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!isSo()) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
    });
  }

  /** How many reports go in one request. */
  get #size(): number {
    const { wallets, clock } = this.#options;
    return this.#backOff.probing ? 1 : wallets.open.service.batchLimit(clock);
  }

  /** How many more requests of this size may go now. */
  #room(size: number): number {
    if (size > 1 && this.#unfilled !== undefined && this.#released < size) return 0;
    const { concurrency } = this.#options;
    return this.#backOff.room(size > 1 ? Math.min(batchesAtOnce, concurrency) : concurrency);
  }

  get #waits(): boolean {
    // Where a second time may count twice, an answer that is not written down must not be followed by a crash.
    const isUnsafe = !this.#answers.empty && !this.#repeats.allowed;
    return this.#stopped || this.#backOff.paused || this.#answers.full || isUnsafe;
  }

  #drain(): void {
    this.#again = true;
    // An async function that has nothing to do would cost settled work as much as its bill.
    if (!this.#draining && this.#room(this.#size) > 0) this.#drained = this.#run();
  }

  async #run(): Promise<void> {
    this.#draining = true;
    try {
      while (this.#again) {
        this.#again = false;
        if (this.#waits) continue;
        const size = this.#size;
        const room = this.#room(size);
        if (room <= 0) continue;
        this.#released = 0;
        const next = this.#options.outbox.next(size > 1 ? size : room);
        const found = (isThenable(next) ? await next : next).map((report) => this.#withEntry(report));
        const left = this.#repeats.withoutDoubtful(found);
        const due = isThenable(left) ? await left : left;
        // More may be behind those that were parked.
        if (due.length < found.length) this.#again = true;
        if (due.length === 0) continue;
        if (due.length > 1 && due.length < size) this.#unfilled = due;
        // Another batch may fill the remaining room.
        if (size > 1) this.#again = true;
        if (size > 1 || due.length === 1) this.#begin(due);
        else for (const report of due) this.#begin([report]);
      }
    } catch (error) {
      this.#pause("outbox", error);
    } finally {
      this.#draining = false;
    }
  }

  #withEntry(report: OutboxReport): Report {
    if (isReport(report)) return report;
    const entry = this.#entries?.get(report.id);
    if (entry === undefined)
      throw new Error(`the outbox handed out a report that it was not given: ${report.id}`);
    return new Report(report, entry);
  }

  #begin(reports: readonly Report[]): void {
    this.#sending.push(reports);
    this.#repeats.watch();
    void this.#deliver(reports);
  }

  async #deliver(reports: readonly Report[]): Promise<void> {
    const { outbox, clock } = this.#options;
    const number = this.#backOff.sent();
    const sentAt = clock.now();
    try {
      // Where a second time may count twice, the outbox knows of the first before it can have happened.
      const isNoted =
        outbox.sendings === undefined ||
        this.#repeats.allowed ||
        (await this.#note(reports, outbox.sendings));
      // Meanwhile the gate may have closed, or the service failed.
      if (!isNoted || this.#waits) await this.#requeue(reports);
      else {
        const outcomes = await postUsage(reports, this.#options);
        const concluded = this.#answered(reports, outcomes, sentAt);
        if (isThenable(concluded)) await concluded;
      }
    } finally {
      this.#backOff.answered(number);
      this.#sending.splice(this.#sending.indexOf(reports), 1);
      if (this.#unfilled === reports) this.#gather(sentAt);
      this.#goOn();
    }
  }

  /** What comes from now on waits until the last batch is old enough, unless a flush is under way. */
  #gather(sentAt: number): void {
    const { clock } = this.#options;
    const restMs = sentAt + gatherMs - clock.now();
    const isAwaited = restMs <= 0 || this.#watchers.size > 0 || this.#stopped;
    if (isAwaited) this.#endGathering();
    else this.#cancelGathering = clock.schedule(restMs, () => this.#sendGathered());
  }

  #sendGathered(): void {
    this.#endGathering();
    this.#drain();
  }

  #endGathering(): void {
    this.#cancelGathering?.();
    this.#cancelGathering = undefined;
    this.#unfilled = undefined;
  }

  #goOn(): void {
    this.#drain();
    for (const look of this.#watchers) look();
  }

  async #note(reports: readonly Report[], sendings: SendingJournal): Promise<boolean> {
    try {
      await sendings.begin(reports.map(({ id }) => id));
      return true;
    } catch (error) {
      this.#pause("outbox", error);
      return false;
    }
  }

  #answered(
    reports: readonly Report[],
    outcomes: readonly Outcome[] | undefined,
    sentAt: number,
  ): Awaitable<void> {
    const { clock, events } = this.#options;
    this.#repeats.watch();
    // A service that refuses a report is there.
    if (outcomes?.some((outcome) => isDelivered(outcome) || outcome.outcome === "undeliverable"))
      this.#backOff.succeeded();
    if (outcomes !== undefined && events.has("delivered")) {
      const delivered = reports.filter((_, index) => outcomes[index]?.outcome === "delivered");
      for (const report of delivered) events.emit("delivered", { report, tookMs: clock.now() - sentAt });
    }
    return outcomes?.every(isDelivered)
      ? this.#delivered(reports, outcomes)
      : this.#concludeFailed(reports, outcomes);
  }

  async #concludeFailed(reports: readonly Report[], outcomes: readonly Outcome[] | undefined): Promise<void> {
    // A batch that failed as such: its reports go again, singly.
    if (outcomes === undefined) {
      this.#repeats.doubt(
        reports,
        new Error("the batch that it was sent in failed, and may have been processed"),
      );
      return this.#requeue(reports);
    }
    await this.#delivered(reports, outcomes);
    // One failed report among accepted ones proves nothing about the service.
    const isTaken = outcomes.some(isDelivered);
    // What fails in one way in one request is one failure; each refusal has its own reason.
    const failures = new Map<unknown, { readonly outcome: Failed; readonly left: Report[] }>();
    for (const [index, report] of reports.entries()) {
      const outcome = outcomes[index];
      if (outcome === undefined || outcome.outcome === "delivered") continue;
      const kind = outcome.outcome === "undeliverable" ? outcome : outcome.outcome;
      const failure = failures.get(kind);
      if (failure === undefined) failures.set(kind, { outcome, left: [report] });
      else failure.left.push(report);
    }
    for (const { outcome, left } of failures.values()) await this.#failed(left, outcome, isTaken);
  }

  /** All that the service has of one request is written down in one step. */
  #delivered(reports: readonly Report[], outcomes: readonly Outcome[]): Awaitable<void> {
    const { outbox, settlementLagMs, lagWatch, reportedCosts, wallets } = this.#options;
    const taken: Report[] = [];
    const lowered = new Set<Entry>();
    let honoursKeys = false;
    for (let index = 0; index < reports.length; index++) {
      const report = reports[index];
      const outcome = outcomes[index];
      if (report === undefined || outcome?.outcome !== "delivered") continue;
      taken.push(report);
      this.#trust(report);
      honoursKeys ||= outcome.honoursKeys;
      lagWatch?.acknowledged(report, outcome.cost !== undefined);
      const cost = reportedCosts.read(report, outcome.cost);
      const shared = report.acknowledge(settlementLagMs, cost, false, outcome.budgets);
      if (shared !== undefined) lowered.add(shared);
      this.#entries?.delete(report.id);
    }
    if (taken.length === 0) return;
    this.#deliveries += taken.length;
    if (this.#answers.empty) this.#reported = undefined;
    if (honoursKeys) wallets.open.service.learnKeys();
    this.#repeats.watch();
    const { rememberMs } = this.#forgetting;
    const written = this.#answers.write(() => outbox.delivered(taken, rememberMs, [...lowered]));
    return andThen(written, () => this.#forgetting.add(taken));
  }

  async #failed(
    reports: readonly Report[],
    { outcome, error, pauseMs, overloaded = false, isOfOne = false }: Failed,
    isTaken: boolean,
  ): Promise<void> {
    const { outbox, events } = this.#options;
    if (outcome === "undeliverable") {
      const bury = (report: Report) =>
        andThen(outbox.bury(report, String(error)), () => events.emit("dead", { report, error }));
      for (const report of reports) this.#trust(report);
      await Promise.all(reports.map((report) => this.#answers.write(() => bury(report))));
      return;
    }
    // Paused first: while the outbox writes, the next report would go out.
    if (outcome === "ambiguous" && !this.#repeats.allowed) {
      this.#pause(outcome, error, pauseMs);
      for (const report of reports) await this.#repeats.park(report, error);
      this.#repeats.await();
      return;
    }
    if (outcome === "ambiguous") this.#repeats.doubt(reports, error);
    // A report that failed before the last delivery, and fails again, proves nothing about the service.
    const isTheirs = isTaken || reports.every((report) => this.#hasFailed(report));
    const failures = Math.max(...reports.map((report) => this.#noteFailure(report, error)));
    // A service that accepted other reports refuses this one alone: many such are tried one by one, without a pause.
    const isReply = isOfOne && this.#options.wallets.open.service.acceptsUsage;
    const isTheService = !isTheirs && this.#backOff.failed(isReply) && !isReply;
    if (isTheService || overloaded || outcome === "refused") {
      this.#pause(outcome, error, pauseMs);
      await this.#requeue(reports);
    } else {
      const { sendings } = outbox;
      if (sendings !== undefined) await this.#answers.write(() => sendings.end(reports.map(({ id }) => id)));
      this.#rest(reports, failures, outcome, error);
    }
  }

  /** Whether it has failed, and another has been delivered since. */
  #hasFailed({ id }: Report): boolean {
    const known = this.#failures.get(id);
    return known !== undefined && known.delivered !== this.#deliveries;
  }

  #noteFailure(report: Report, error: unknown): number {
    const { clock, wallets } = this.#options;
    const known = this.#failures.get(report.id);
    const isPassed = known?.delivered !== this.#deliveries;
    const times = (known?.times ?? 0) + (isPassed ? 1 : 0);
    this.#failures.set(report.id, { times, delivered: this.#deliveries });
    // More work of its kind would fill the outbox for all.
    if (isPassed && times >= failuresOfReport)
      wallets.open.service.unbillable.refused(report, error, clock.now(), report.entry.admittedAs);
    return times;
  }

  async #requeue(reports: readonly Report[]): Promise<void> {
    await this.#answers.write(() => this.#options.outbox.requeue(reports));
  }

  /** What became of it is known. */
  #trust(report: Report): void {
    this.#repeats.trust(report);
    if (this.#failures.size > 0) this.#failures.delete(report.id);
  }

  #rest(reports: readonly Report[], failures: number, trouble: Trouble, error: unknown): void {
    if (this.#stopped) return void this.#requeue(reports);
    this.#report(trouble, error);
    this.#resting.add(reports);
    this.#backOff.rest(failures, () => {
      this.#resting.delete(reports);
      void this.#requeue(reports).then(() => this.#drain());
    });
  }

  #pause(trouble: Trouble, error: unknown, leastMs = 0): void {
    // The next process delivers and reports what comes now.
    if (this.#stopped) return;
    this.#report(trouble, error);
    this.#backOff.pause(leastMs);
  }

  #report(trouble: Trouble, error: unknown): void {
    if (trouble !== this.#reported) {
      this.#options.events.emit("degraded", { what: trouble === "outbox" ? "outbox" : "delivery", error });
    }
    this.#reported = trouble;
  }
}

function isDelivered({ outcome }: Outcome): boolean {
  return outcome === "delivered";
}

/** Not by its class: where a bundler evaluates a module twice there are two of them. */
function isReport(report: OutboxReport): report is Report {
  return "acknowledge" in report;
}
