import { ClientSignal } from "../adapter/client-signal.ts";
import { type Departure, Leaving, type LeftWork } from "../adapter/left-work.ts";
import type { Work } from "../decision/authorize-request.ts";
import type { GateEvents } from "../events/events.ts";
import { andThen } from "../values/awaitable.ts";
import { fromMicro, toMicro } from "../values/micro.ts";
import { checkIdentifier, checkNumber } from "../values/option.ts";
import {
  checkedOverrides,
  checkedUsage,
  lacksCounts,
  type ReportOverrides,
  salvagedUsage,
  type Usage,
} from "../values/usage.ts";
import type { Awaitable } from "../wallet/ledger.ts";
import { type Bill, billOf, type Draft, type Price } from "./bill.ts";

/** One piece of admitted work, from its hold to its bill. In a handler, `credits` is this. */
export interface Charge {
  /** Whether the work goes on: neither settled nor released. */
  readonly open: boolean;
  /** What has been reported so far. */
  readonly reported: readonly Usage[];
  /** Aborted when the client leaves, as an adapter tells by `leave()`: pass it to the model, so that the work ends. */
  readonly signal: AbortSignal;
  /**
   * Bills usage, as often as the work calls a model. Never waits. After `settle()` the usage is still billed, and a
   * `late` event tells. Throws an `invalid_option` error that names a field that is malformed or not known; since the
   * model has worked, what can be understood of the usage is billed all the same, unless the next report has the same numbers,
   * and a `degraded` event tells.
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
  /**
   * The client has left: `signal` fires, once. The hold stays until the work has ended; adapters say by the departure how
   * long to wait for an end that they may not see, for which see `left()` of {@link Admission}.
   */
  leave(departure?: Departure): void;
}

/** Keeps a process going until the promise is settled: `ctx.waitUntil` of a worker, or `after` of Next.js. */
export type WaitUntil = (work: Promise<unknown>) => void;

/** What a charge needs of its gate. */
export interface ChargeOffice {
  readonly events: GateEvents;
  readonly left: LeftWork;
  /** Credits; `undefined` where no one can say. */
  price(usage: Usage): number | undefined;
  /** The work has ended: files its bill, or gives its hold back. As `file`, it never throws. */
  settle(work: Work, bill: Bill): Awaitable<void>;
  /**
   * Makes the reports durable, turns the hold (if any) into the entries in one step, then lets the reports go. Rejects
   * when the gate has given up.
   */
  file(work: Work, hold: string | undefined, bill: Bill): Awaitable<void>;
}

export class GateCharge extends ClientSignal implements Charge {
  open = true;
  readonly #work: Work;
  readonly #office: ChargeOffice;
  #drafts: Draft[] = [];
  #drafted = 0;
  #settling: Promise<void> | undefined;
  /** The last draft, if it is what could be understood of a report that was refused. */
  #doubtful: Draft | undefined;
  #leaving: Leaving | undefined;
  /** Its bill has been decided elsewhere, so that late reports of the same work would count twice. */
  #replaced = false;

  constructor(work: Work, office: ChargeOffice) {
    super();
    this.#work = work;
    this.#office = office;
  }

  get reported(): readonly Usage[] {
    return this.#drafts.map((draft) => draft.rawUsage);
  }

  // These need no receiver: handlers take them out of `credits`, and work whose report() failed would be free.
  get report(): Charge["report"] {
    return (usage, overrides = {}) => this.#report(usage, overrides);
  }

  get settle(): Charge["settle"] {
    return (instead) => this.#settle(instead);
  }

  get release(): Charge["release"] {
    return () => this.#release();
  }

  #report(usage: Usage, overrides: ReportOverrides): void {
    const draft = this.#draftOrRefuse(usage, overrides);
    if (this.open && this.#doubtful !== undefined && corrects(draft, this.#doubtful)) this.#drafts.pop();
    this.#doubtful = undefined;
    this.#take(draft);
    this.#leaving?.reported();
  }

  #take(draft: Draft): void {
    if (this.open) this.#drafts.push(draft);
    else this.#reportLate(draft);
  }

  #draftOrRefuse(usage: Usage, overrides: ReportOverrides): Draft {
    try {
      return this.#draft(usage, checkedOverrides(overrides));
    } catch (error) {
      // The model has worked: without this line a misspelt field would make its work free.
      const draft = this.#salvaged(usage, overrides);
      this.#take(draft);
      this.#doubtful = draft;
      this.#office.events.emit("degraded", { what: "usage", error, customerId: this.#work.customerId });
      throw error;
    }
  }

  #salvaged(usage: Usage, overrides: ReportOverrides): Draft {
    const salvaged = salvagedUsage(usage);
    try {
      return this.#draft(salvaged, overrides);
    } catch {
      return this.#draft(salvaged, {});
    }
  }

  #settle(instead?: readonly Usage[]): Promise<void> {
    if (this.open) {
      if (instead !== undefined) {
        this.#drafts = instead.map((usage) => this.#draft(usage, {}));
        this.#replaced = true;
      }
      const bill = billOf(this.#drafts, this.#work.hold, this.#work);
      // Before anyone is told of it, who may ask again.
      this.open = false;
      const billing = andThen(this.#office.settle(this.#work, bill), () => this.#tell(bill));
      this.#settling = this.#outlast(billing);
      this.#leaving?.end();
    }
    return this.#settling ?? Promise.resolve();
  }

  #release(): void {
    if (!this.open) return;
    this.#drafts = [];
    void this.#settle();
  }

  leave(departure?: Departure): void {
    const begins = departure !== undefined && this.#leaving === undefined;
    if (begins) {
      const { indicator } = this.#work;
      this.#leaving = new Leaving(this.#office.left, { indicator, heeds: () => this.taken }, departure);
    }
    // What is reported of that counts as reported since the client left.
    this.fire();
    if (!begins) return;
    if (this.open) this.#leaving?.begin();
    else this.#leaving?.end();
  }

  /** The gate waits no longer: bills what was reported, as the policy says where the client has left. */
  cutOff(): void {
    if (!this.open) return;
    this.#leaving?.end();
    if (this.#drafts.length > 0) void this.#settle();
  }

  #tell({ reports, entries }: Bill): void {
    if (!this.#office.events.has("settled")) return;
    const { customerId, currency } = this.#work;
    const credits = fromMicro(entries.reduce((sum, { amount }) => sum + amount, 0));
    this.#office.events.emit("settled", { customerId, currency, reports: reports.length, credits });
  }

  #reportLate(draft: Draft): void {
    const { customerId, currency, hold } = this.#work;
    const billed = !this.#replaced;
    if (billed) {
      // Its hold is gone; unpriced, it may have cost all that the hold was for.
      this.#outlast(this.#office.file(this.#work, undefined, billOf([draft], hold, this.#work)));
    }
    this.#office.events.emit("late", { customerId, currency, billed });
  }

  #outlast(billing: Awaitable<void>): Promise<void> {
    const settling = Promise.resolve(billing);
    const { waitUntil, customerId } = this.#work;
    // Who does not wait for it need not fear its rejection either.
    const over = settling.catch(() => {});
    try {
      waitUntil?.(over);
    } catch (error) {
      this.#office.events.emit("degraded", { what: "delivery", error, customerId });
    }
    return settling;
  }

  /** Where the provider has sent no counts, those of the default: else the dearest work might be billed as none. */
  #counted(given: Usage, usage: Usage): Usage {
    if (!lacksCounts(given)) return usage;
    const { customerId, indicator, defaultUsage } = this.#work;
    const billed =
      defaultUsage === undefined
        ? "no tokens are billed; set defaultUsage"
        : "those of defaultUsage are billed";
    const error = new TypeError(
      `a report for indicator ${JSON.stringify(indicator)} has no token counts, so ${billed}`,
    );
    this.#office.events.emit("degraded", { what: "counts", error, customerId });
    const { inputTokens, outputTokens } = defaultUsage ?? {};
    return {
      ...usage,
      ...(inputTokens !== undefined && { inputTokens }),
      ...(outputTokens !== undefined && { outputTokens }),
    };
  }

  #draft(usage: Usage, overrides: ReportOverrides): Draft {
    const rawUsage = this.#counted(usage, checkedUsage("usage", usage));
    const { holdId } = this.#work;
    const { agentId = this.#work.agentId, indicator = this.#work.indicator } = overrides;
    const credits =
      overrides.credits === undefined
        ? this.#office.price(rawUsage)
        : checkNumber("credits", overrides.credits, 0, Number.MAX_VALUE);
    return {
      // Unique for ever, as that of the hold is; most work is reported once, and then has one name in all.
      id: this.#drafted++ ? `${holdId}:${this.#drafted}` : holdId,
      agentId: checkIdentifier("agentId", agentId),
      indicator: checkIdentifier("indicator", indicator),
      rawUsage,
      priced: credits === undefined ? undefined : priceOf(credits),
    };
  }
}

/** Whether the report says again what was understood of the refused one: another piece of the work has other numbers. */
function corrects({ rawUsage }: Draft, { rawUsage: refused }: Draft): boolean {
  const same = (field: "inputTokens" | "outputTokens") =>
    refused[field] === undefined || refused[field] === rawUsage[field];
  return same("inputTokens") && same("outputTokens");
}

function priceOf(credits: number): Price {
  return { floor: toMicro(credits, "floor"), ceil: toMicro(credits, "ceil") };
}
