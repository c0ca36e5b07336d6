import { backOffMs } from "@creditgate/client";
import { unbilledLine } from "#operator-messages";
import { shown, verbose } from "#verbosity";
import type { Work } from "../decision/authorize-request.ts";
import type { Delivery } from "../delivery/delivery.ts";
import type { GateEvents } from "../events/events.ts";
import type { GateSettings } from "../options/gate-options.ts";
import type { OutboxReport } from "../outbox/outbox.ts";
import type { Report } from "../outbox/report.ts";
import type { KnownService } from "../service/known-service.ts";
import { type Awaitable, attempt, isThenable } from "../values/awaitable.ts";
import { within } from "../values/clock.ts";
import { isAmount } from "../values/micro.ts";
import { acceptedUsage, type Usage } from "../values/usage.ts";
import type { WorkAccount } from "../wallet/ledger.ts";
import { AbandonedWork } from "./abandoned-work.ts";
import { type Admitted, type AdmittedWork, type OpenCharge, OpenCharges } from "./admitted-work.ts";
import { recordBill, releaseAll, releaseMore } from "./bill.ts";
import type { ExtensionRules } from "./extension.ts";
import type { Pauses } from "./pauses.ts";

const pauses = { firstMs: 100, longestMs: 5_000 };
/** A gate that has given up lets a lasting outbox, or `onUndelivered`, take what it is given for this long. */
const handOverMs = 1_000;

/** What waits until a step is tried again. */
interface Rest {
  /** Reports that are nowhere but here. */
  readonly reports: readonly OutboxReport[];
  wake(): void;
}

/** What a gate's charges need of it, beside what takes their bills. */
export interface BilledGate {
  /** The account of work that was let in without a look at its wallet. Throws while the wallets are not known. */
  accountOf(work: Work): WorkAccount;
  /** The service, once it is known. */
  service(): KnownService | undefined;
  readonly extension: ExtensionRules;
}

/** Takes the bills of a gate's charges: into the outbox, into the ledger, and on their way to the service. */
export class Billing {
  readonly events: GateEvents;
  readonly abandonedWork: AbandonedWork;
  /** The work that waits for credits, once some has. */
  pauses: Pauses | undefined;
  readonly #settings: GateSettings;
  readonly #delivery: Delivery;
  readonly #gate: BilledGate;
  readonly #open = new OpenCharges<AdmittedWork>();
  #idle: (() => void) | undefined;
  /** Steps that are not done yet. */
  readonly #pending = new Tally();
  readonly #resting = new Set<Rest>();
  /** Reports that were not in the outbox when the gate gave up. */
  #unstored: readonly OutboxReport[] = [];
  /** Why the outbox did not take a bill, when it was tried last. */
  #outboxError: unknown;
  #abandoned = false;

  constructor(settings: GateSettings, events: GateEvents, delivery: Delivery, gate: BilledGate) {
    this.#settings = settings;
    this.events = events;
    this.#delivery = delivery;
    this.#gate = gate;
    this.abandonedWork = new AbandonedWork(settings.clock, { quiet: settings.logger === false });
  }

  /** The service, once it is known: the same object for all gates of a process on one service and key. */
  get service(): KnownService | undefined {
    return this.#gate.service();
  }

  get lagMs(): number {
    return this.#settings.settlementLagMs;
  }

  open(admitted: AdmittedWork, charge: OpenCharge): void {
    admitted.charge = charge;
    this.#open.add(admitted);
  }

  /** How the gate decides on more for work that goes on. */
  get extension(): ExtensionRules {
    return this.#gate.extension;
  }

  /** What pauses go by. */
  get pauseSettings(): Pick<GateSettings, "clock" | "random" | "maxPaused" | "resumesPerSecond"> {
    return this.#settings;
  }

  /** The work has ended: its bill is filed, or its hold given back. Never throws. */
  settle(admitted: AdmittedWork, reports: readonly Report[]): Awaitable<void> {
    const settled = this.settlePart(admitted, reports);
    if (settled instanceof Promise) return this.#closeLater(admitted, settled);
    this.#close(admitted);
  }

  /** {@link Billing.settle} for a part of the work, which goes on. */
  settlePart(part: Admitted, reports: readonly Report[]): Awaitable<void> {
    return reports.length > 0 ? this.file(part, reports) : this.#release(part);
  }

  async #closeLater(admitted: AdmittedWork, settled: Promise<void>): Promise<void> {
    try {
      await settled;
    } finally {
      this.#close(admitted);
    }
  }

  /**
   * Stores the reports, turns the hold, if there is one, into the entries in one step, then lets the reports go. Never
   * throws; rejects when the gate has given up.
   */
  file(admitted: Admitted, reports: readonly Report[]): Awaitable<void> {
    if (this.#abandoned && !this.#survivesGate()) return this.#giveUp(admitted, reports, closedError());
    const stored = this.#store(admitted, reports);
    return stored instanceof Promise
      ? this.#fileLater(admitted, reports, stored)
      : this.#post(admitted, reports);
  }

  #store(admitted: Admitted, reports: readonly Report[]): Awaitable<void> {
    const { work, hold } = admitted;
    const { durableHolds, queue } = this.#settings;
    const endsWork = durableHolds || queue !== undefined;
    const workId = endsWork && hold !== undefined ? work.id : undefined;
    try {
      // Throws while the wallets are not known: then nothing is stored either.
      this.accountOf(admitted);
      const stored = this.#delivery.store(reports, workId);
      return isThenable(stored) ? Promise.resolve(stored) : undefined;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #fileLater(admitted: Admitted, reports: readonly Report[], stored: Promise<void>): Promise<void> {
    return this.#pending.during(
      stored
        .catch((error) => this.#repeat(admitted.work, () => this.#store(admitted, reports), error, reports))
        .then(
          () => this.#post(admitted, reports),
          (error) => this.#giveUp(admitted, reports, error),
        ),
    );
  }

  #post(admitted: Admitted, reports: readonly Report[]): Awaitable<void> {
    const account = this.accountOf(admitted);
    recordBill(reports, account, admitted.hold);
    const ended = releaseMore(admitted, account);
    const released = this.#delivery.release(reports);
    if (released instanceof Promise || ended instanceof Promise) {
      const both = Promise.all([released, ended]);
      return this.#pending.during(both.then(([left]) => this.#handOver(left ?? [])));
    }
  }

  /**
   * The usage in the parts that the service accepts. A report keeps what it was written with, so that a repetition
   * has the same body under its key even if the service's answer changes meanwhile.
   */
  accepted(usage: Usage): Usage {
    return acceptedUsage(usage, this.service?.usageParts);
  }

  price(usage: Usage): number | undefined {
    const { price } = this.#settings;
    if (price === undefined) return undefined;
    try {
      const credits = price(usage);
      if (credits === undefined || isAmount(credits)) return credits;
      throw new RangeError(
        `price(): ${verbose ? "expected a number of credits, 0 or more, received " : ""}${shown(credits)}`,
      );
    } catch (error) {
      // The work has been done and will be billed; only the ledger does not know for how much, so it reserves the hold.
      this.events.emit("degraded", { what: "price", error });
      return undefined;
    }
  }

  /** How many charges are open, and the micro-credits that are held for them. */
  get figures(): { readonly open: number; readonly held: number } {
    const open = this.#open.all();
    return { open: open.length, held: open.reduce((sum, { hold, held }) => sum + (hold ? held : 0), 0) };
  }

  /** Resolves when no charge is open any more. */
  async idle(): Promise<void> {
    if (!this.#open.isEmpty) await new Promise<void>((resolve) => (this.#idle = resolve));
  }

  /** Bills what open work has reported, without waiting for its end. Returns whether some of the rest may yet bill itself. */
  cutOff(): boolean {
    const ending = this.#open.all().filter(({ charge }) => charge?.cutOff());
    return ending.length > 0;
  }

  /** After `cutOff()`: returns how many charges are not billed, and logs it. */
  unbilled(): number {
    const silent = this.#open.all().filter(({ charge }) => charge?.open).length;
    if (silent > 0 && this.#settings.logger !== false) {
      console.warn(unbilledLine(silent));
    }
    return silent;
  }

  /** Resolves when every bill that has been handed in is in the outbox. */
  filed(): Promise<void> {
    return this.#pending.zero();
  }

  /** Bills that the outbox will not take are given up from here on. Done when no answer is awaited any more. */
  abandon(): Awaitable<void> {
    this.#abandoned = true;
    const resting = [...this.#resting];
    this.#unstored = resting.flatMap(({ reports }) => reports);
    for (const { wake } of resting) wake();
    return this.#delivery.stop();
  }

  /** After `abandon()`: the reports that are lost when the process exits. Emits `undelivered` for those not emitted yet. */
  async undelivered(): Promise<readonly OutboxReport[]> {
    const { outbox, onUndelivered, clock } = this.#settings;
    const isTaken = onUndelivered !== undefined || outbox?.recover !== undefined;
    if (isTaken) await within(this.filed(), handOverMs, clock);
    // Where the outbox outlasts the process, so does what is on its way.
    const waiting = await outbox?.undelivered?.();
    const left = waiting === undefined ? [] : [...this.#delivery.sending, ...waiting];
    if (onUndelivered === undefined) this.#reportUndelivered(this.#unstored, this.#outboxError);
    this.#reportUndelivered(
      left,
      new Error(verbose ? "the gate was closed before they could be delivered" : "closed"),
    );
    return [...left, ...this.#unstored];
  }

  /** Whether something takes usage that comes when the gate has closed. */
  #survivesGate(): boolean {
    const { outbox, queue, onUndelivered } = this.#settings;
    return outbox?.recover !== undefined || queue !== undefined || onUndelivered !== undefined;
  }

  #close(admitted: AdmittedWork): void {
    this.#open.delete(admitted);
    this.pauses?.wake(admitted.work.customerId);
    if (this.#idle !== undefined && this.#open.isEmpty) this.#idle();
  }

  #release(ended: Admitted): Awaitable<void> {
    return this.#settings.durableHolds ? this.#releaseDurably(ended) : releaseAll(ended);
  }

  #releaseDurably(ended: Admitted): Awaitable<void> {
    const { work } = ended;
    const step = () => this.#settings.outbox?.works?.end(work.id);
    const noted = attempt(step);
    if (!(noted instanceof Promise)) return releaseAll(ended);
    const repeated = noted.catch((error) => this.#repeat(work, step, error));
    return this.#pending.during(repeated.then(() => releaseAll(ended)));
  }

  /** Repeats the step until it succeeds, or the gate gives up. */
  async #repeat<T>(
    { customerId }: Work,
    step: () => Awaitable<T>,
    failure: unknown,
    reports: readonly OutboxReport[] = [],
  ): Promise<T> {
    const { clock, random, settleTimeoutMs } = this.#settings;
    const deadline = clock.now() + (settleTimeoutMs ?? Number.POSITIVE_INFINITY);
    let error = failure;
    for (let failures = 1; ; failures++) {
      const delayMs = backOffMs(failures, { ...pauses, random });
      // The hold stays meanwhile: the work has been done, whether or not we can write that down.
      this.events.emit("degraded", { what: "outbox", error, customerId });
      this.#outboxError = error;
      if (!this.#abandoned && clock.now() + delayMs <= deadline) await this.#rest(delayMs, reports);
      else throw error;
      if (this.#abandoned) throw error;
      try {
        return await step();
      } catch (again) {
        error = again;
      }
    }
  }

  /** Resolves `delayMs` from now, or when the gate gives up. */
  #rest(delayMs: number, reports: readonly OutboxReport[]): Promise<void> {
    return new Promise((resolve) => {
      const rest: Rest = {
        reports,
        wake: () => {
          cancel();
          this.#resting.delete(rest);
          resolve();
        },
      };
      const cancel = this.#settings.clock.schedule(delayMs, rest.wake);
      this.#resting.add(rest);
    });
  }

  /** What the work has cost is counted all the same, instead of a hold that would never end. */
  async #giveUp(admitted: Admitted, reports: readonly Report[], error: unknown): Promise<void> {
    try {
      const account = this.accountOf(admitted);
      recordBill(reports, account, admitted.hold);
      await releaseMore(admitted, account);
    } catch {
      // The wallets are not known: there is no hold either.
    }
    if (this.#settings.onUndelivered !== undefined) return this.#handOver(reports);
    // Reports that were waiting when the gate gave up are emitted together.
    const areReportedTogether = reports.some((report) => this.#unstored.includes(report));
    if (!areReportedTogether) this.#reportUndelivered(reports, error);
    throw error;
  }

  async #handOver(reports: readonly OutboxReport[]): Promise<void> {
    if (this.#settings.onUndelivered === undefined) {
      this.#reportUndelivered(
        reports,
        new Error(verbose ? "they could not be delivered within their request" : "timeout"),
      );
      return;
    }
    for (const report of reports) {
      try {
        await this.#settings.onUndelivered(report);
      } catch (error) {
        this.#reportUndelivered([report], error);
      }
    }
  }

  #reportUndelivered(reports: readonly OutboxReport[], error: unknown): void {
    if (reports.length > 0) this.events.emit("undelivered", { reports, error });
  }

  /** Without a hold the customer may have been forgotten since, and be back: then it has another account. */
  accountOf({ work, account, hold }: Admitted): WorkAccount {
    return hold === undefined || account === undefined ? this.#gate.accountOf(work) : account;
  }
}

function closedError(): Error {
  return new Error(
    verbose
      ? "the gate has been closed before this work ended: the event `undelivered` has its usage"
      : "closed",
  );
}

/** Counts pending steps, and resolves when none is pending. */
export class Tally {
  #count = 0;
  #waiting: (() => void)[] = [];

  begin(): void {
    this.#count++;
  }

  end(): void {
    this.#count--;
    if (this.#count > 0 || this.#waiting.length === 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Counts the work in until it has ended. */
  during<T>(work: Promise<T>): Promise<T> {
    this.begin();
    return work.finally(() => this.end());
  }

  /** Resolves when nothing is under way. */
  async zero(): Promise<void> {
    if (this.#count > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
