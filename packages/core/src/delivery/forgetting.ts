import type { Outbox, OutboxReport } from "../outbox/outbox.ts";
import type { Ledger } from "../wallet/ledger.ts";

interface ForgettingOptions {
  readonly outbox: Outbox;
  readonly ledger: () => Ledger;
  /** What a report must be remembered for at most. */
  readonly settlementLagMs: number;
  readonly maxStaleMs: number;
}

/**
 * When the outbox forgets what was delivered. Beside a shared store that is as soon as the store counts it: until then it is in
 * the reservation of this process, which a successor frees; from then on a successor would count it a second time.
 */
export class Forgetting {
  readonly #options: ForgettingOptions;
  #ids: string[] = [];
  #isRunning = false;

  constructor(options: ForgettingOptions) {
    this.#options = options;
  }

  /** How long a delivered report is remembered if it is not forgotten before. */
  get rememberMs(): number {
    const { settlementLagMs, maxStaleMs } = this.#options;
    // A store that does not know it yet may grant by a balance of that age. The next balance shows the debit.
    return this.#isShared ? settlementLagMs + maxStaleMs : settlementLagMs;
  }

  /** These were delivered, or had been before this process began, and are in the ledger. */
  add(reports: readonly Pick<OutboxReport, "id">[]): void {
    if (!this.#isShared || this.#options.outbox.forget === undefined) return;
    for (const { id } of reports) this.#ids.push(id);
    if (!this.#isRunning) void this.#run();
  }

  /** All that the store counts now is forgotten. Never rejects. */
  async now(): Promise<void> {
    const ids = this.#ids.splice(0);
    if (ids.length === 0) return;
    const { ledger, outbox } = this.#options;
    try {
      await ledger().counted?.();
      await outbox.forget?.(ids);
    } catch {
      // It is remembered for `rememberMs`: a successor counts it for longer.
    }
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#ids.length > 0) await this.now();
    this.#isRunning = false;
  }

  get #isShared(): boolean {
    return this.#options.ledger().flush !== undefined;
  }
}
