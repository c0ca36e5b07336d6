import { type Bill, billOf, type Draft } from "./bill.ts";
import type { GateEvents } from "./events.ts";
import type { Awaitable } from "./ledger.ts";
import { fromMicro, toMicro } from "./micro.ts";
import { checkIdentifier, checkNumber } from "./option.ts";
import { checkedUsage, type ReportOverrides, type Usage } from "./usage.ts";

/** One piece of admitted work, from its hold to its bill. In a handler, `credits` is this. */
export interface Charge {
  /** Whether the work goes on: neither settled nor released. */
  readonly open: boolean;
  /** What has been reported so far. */
  readonly reported: readonly Usage[];
  /**
   * Bills usage, as often as the work calls a model. Never waits. Throws an `invalid_option` error that names the
   * field. After `settle()` the usage is still billed, and a `late` event tells.
   */
  report(usage: Usage, overrides?: ReportOverrides): void;
  /**
   * The work has ended: what was reported is billed, or `instead` of it and of all that may yet come. Idempotent.
   * Resolves when the reports are durable, and keeps trying until then; rejects only when the gate has given up
   * after `close()`, which need not be caught. Throws an `invalid_option` error for an `instead` that makes no sense.
   */
  settle(instead?: readonly Usage[]): Promise<void>;
  /** The work has cost nothing: gives the hold back and drops what was reported. Without effect after `settle()`. */
  release(): void;
}

/** For work that is free: its handler may report as always, and nothing is billed. */
export const freeOfCharge: Charge = {
  open: false,
  reported: [],
  report: () => {},
  settle: async () => {},
  release: () => {},
};

/** Keeps a process going until the promise is settled: `ctx.waitUntil` of a worker, or `after` of Next.js. */
export type WaitUntil = (work: Promise<unknown>) => void;

/** Whose work it is, and what it may cost. */
export interface ChargeTerms {
  readonly customerId: string;
  readonly currency: string;
  readonly agentId: string;
  readonly indicator: string;
  readonly holdId: string;
  /** Micro-credits. */
  readonly hold: number;
  /** Takes the billing, which outlasts the response. */
  readonly waitUntil?: WaitUntil | undefined;
}

/** What a charge needs of its gate. */
export interface ChargeOffice {
  readonly events: GateEvents;
  /** Credits; `undefined` where no one can say. */
  price(usage: Usage): number | undefined;
  /** Makes the reports durable, turns the hold (if any) into the entries in one step, then lets the reports go. */
  file(terms: ChargeTerms, hold: string | undefined, bill: Bill): Promise<void>;
  /** Gives the hold back. */
  release(terms: ChargeTerms): Awaitable<void>;
  /** The bill of one more charge is in the outbox, or given up. */
  close(): void;
  /** An id for a report, unique for ever. */
  nextId(): string;
}

export class GateCharge implements Charge {
  readonly #terms: ChargeTerms;
  readonly #office: ChargeOffice;
  #drafts: Draft[] = [];
  #settling: Promise<void> | undefined;
  /** Its bill has been decided elsewhere, so that late reports of the same work would count twice. */
  #replaced = false;

  constructor(terms: ChargeTerms, office: ChargeOffice) {
    this.#terms = terms;
    this.#office = office;
  }

  get open(): boolean {
    return this.#settling === undefined;
  }

  get reported(): readonly Usage[] {
    return this.#drafts.map((draft) => draft.rawUsage);
  }

  report(usage: Usage, overrides: ReportOverrides = {}): void {
    const draft = this.#draft(usage, overrides);
    if (this.open) this.#drafts.push(draft);
    else this.#reportLate(draft);
  }

  settle(instead?: readonly Usage[]): Promise<void> {
    if (this.#settling === undefined) {
      if (instead !== undefined) {
        this.#drafts = instead.map((usage) => this.#draft(usage, {}));
        this.#replaced = true;
      }
      this.#settling = this.#settle();
      // Who does not wait for it need not fear its rejection either.
      this.#outlast(this.#settling);
    }
    return this.#settling;
  }

  release(): void {
    if (!this.open) return;
    this.#drafts = [];
    void this.settle();
  }

  async #settle(): Promise<void> {
    const bill = billOf(this.#drafts, this.#terms.hold, this.#terms);
    try {
      if (bill.reports.length === 0) await this.#office.release(this.#terms);
      else await this.#office.file(this.#terms, this.#terms.holdId, bill);
    } finally {
      this.#office.close();
    }
    if (!this.#office.events.has("settled")) return;
    const { customerId, currency } = this.#terms;
    const credits = fromMicro(bill.entries.reduce((sum, { amount }) => sum + amount, 0));
    this.#office.events.emit("settled", { customerId, currency, reports: bill.reports.length, credits });
  }

  #reportLate(draft: Draft): void {
    const { customerId, currency, hold } = this.#terms;
    const billed = !this.#replaced;
    if (billed) {
      // Its hold is gone; unpriced, it may have cost all that the hold was for.
      this.#outlast(this.#office.file(this.#terms, undefined, billOf([draft], hold, this.#terms)));
    }
    this.#office.events.emit("late", { customerId, currency, billed });
  }

  #outlast(billing: Promise<void>): void {
    const { waitUntil, customerId } = this.#terms;
    const over = billing.catch(() => {});
    try {
      waitUntil?.(over);
    } catch (error) {
      this.#office.events.emit("degraded", { what: "delivery", error, customerId });
    }
  }

  #draft(usage: Usage, overrides: ReportOverrides): Draft {
    const rawUsage = checkedUsage("usage", usage);
    const { agentId = this.#terms.agentId, indicator = this.#terms.indicator } = overrides;
    const credits =
      overrides.credits === undefined
        ? this.#office.price(rawUsage)
        : checkNumber("credits", overrides.credits, 0, Number.MAX_VALUE);
    return {
      id: this.#office.nextId(),
      agentId: checkIdentifier("agentId", agentId),
      indicator: checkIdentifier("indicator", indicator),
      rawUsage,
      priced: credits === undefined ? undefined : toMicro(credits, "ceil"),
    };
  }
}
