import type { Outbox, OutboxReport } from "../outbox/outbox.ts";
import type { Report } from "../outbox/report.ts";
import { type Awaitable, andThen } from "../values/awaitable.ts";
import type { AnswerLog } from "./answer-log.ts";
import { type DeliveryOptions, mayRepeat } from "./delivery-options.ts";

interface RepeatsOptions extends Pick<DeliveryOptions, "ambiguous" | "events" | "wallets"> {
  readonly outbox: Outbox;
  readonly answers: AnswerLog;
  /** What is on its way. */
  sending(): readonly OutboxReport[];
  drain(): void;
}

/** What may be sent a second time: by the keys that the service echoes, for as long as it does; what may not is parked. */
export class Repeats {
  readonly #options: RepeatsOptions;
  /** The outbox knows that the service honours keys. */
  #isWritten = false;
  #cancelWait: (() => void) | undefined;
  /** The service honoured keys when it was looked at last. */
  #hadKeys = false;
  /** Reports that may have been processed and go again by their keys, by id, with what failed. */
  readonly #doubtful = new Map<string, unknown>();

  constructor(options: RepeatsOptions) {
    this.#options = options;
  }

  /** Whether a report that may have been processed is sent again. */
  get allowed(): boolean {
    const { ambiguous, wallets } = this.#options;
    return mayRepeat(ambiguous, wallets.open.service.honoursKeys);
  }

  start(isWritten: boolean): void {
    this.#isWritten ||= isWritten;
    this.await();
  }

  stop(): void {
    this.#cancelWait?.();
  }

  /** What is parked waits for the first echo of a key, be it to another gate. */
  await(): void {
    this.#cancelWait?.();
    this.#cancelWait = this.#options.wallets.open.service.onKeys(() => void this.#use());
  }

  /** They may have been processed, and go again for as long as the service honours keys. */
  doubt(reports: readonly OutboxReport[], error: unknown): void {
    if (this.#options.ambiguous !== "auto") return;
    for (const { id } of reports) this.#doubtful.set(id, error);
  }

  /** What became of it is known. */
  trust({ id }: OutboxReport): void {
    // A new id would be hashed for this alone.
    if (this.#doubtful.size > 0) this.#doubtful.delete(id);
  }

  /** Without those that were to go again by their keys where the service honours keys no more: these are parked. */
  withoutDoubtful(reports: readonly Report[]): Awaitable<readonly Report[]> {
    return this.#doubtful.size === 0 || this.allowed ? reports : this.#parkDoubtful(reports);
  }

  async #parkDoubtful(reports: readonly Report[]): Promise<readonly Report[]> {
    const doubtful = reports.filter(({ id }) => this.#doubtful.has(id));
    for (const report of doubtful) await this.park(report, this.#doubtful.get(report.id));
    return reports.filter((report) => !doubtful.includes(report));
  }

  async park(report: Report, error: unknown): Promise<void> {
    const { outbox, events, answers } = this.#options;
    this.trust(report);
    await answers.write(() =>
      andThen(outbox.park(report, String(error)), () => events.emit("parked", { report, error })),
    );
  }

  /** Looks whether the service has ceased to honour keys. */
  watch(): void {
    const { honoursKeys } = this.#options.wallets.open.service;
    if (!honoursKeys && (this.#hadKeys || this.#isWritten)) void this.#lose();
    this.#hadKeys = honoursKeys;
  }

  /** The service honours keys: marks that in the outbox, and sends what is parked. */
  async #use(): Promise<void> {
    const { outbox, ambiguous, wallets, answers, drain } = this.#options;
    await answers.write(async () => {
      if (!this.#isWritten) await outbox.sendings?.keysHonoured(wallets.open.service.fingerprint);
      this.#isWritten = true;
      if (ambiguous === "auto") await outbox.unpark();
    });
    drain();
  }

  /** The service no longer honours keys: marks in the outbox what may have been processed, and sends none of that again. */
  async #lose(): Promise<void> {
    const { outbox, ambiguous, events, answers, sending, drain } = this.#options;
    if (ambiguous === "retry") return;
    const error = new Error(
      "the service answered without the Idempotency-Key that it used to echo: a proxy before it may drop that header; what may have been processed is parked, and not sent again",
    );
    events.emit("degraded", { what: "delivery", error });
    this.#isWritten = false;
    await answers.write(async () => {
      await outbox.sendings?.begin([...this.#doubtful.keys(), ...sending().map(({ id }) => id)]);
      await outbox.sendings?.keysHonoured("");
    });
    drain();
  }
}
