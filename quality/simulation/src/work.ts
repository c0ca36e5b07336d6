import {
  type Charge,
  type Clock,
  pause as pauseForCredits,
  type ReportOverrides,
  type Usage,
} from "@creditgate/core";
import type { Random } from "@creditgate/core/testing";
import { fromMicro, toMicro } from "./micro.ts";
import type { Scenario } from "./scenario.ts";
import type { Cost } from "./service/fake-service.ts";
import { sleep } from "./time.ts";
import type { ClaimTerms, ReportTruth, Truth } from "./truth.ts";

/** Admitted work, and what it runs on. Amounts are micro-credits. */
export interface Work {
  readonly charge: Charge;
  readonly customerId: string;
  readonly currency: string;
  readonly hold: number;
  readonly scenario: Scenario;
  readonly clock: Clock;
  /** The time of the simulation, exact where the clock of the process is not. */
  readonly instant: () => number;
  readonly random: Random;
  readonly truth: Truth;
  readonly note: (text: string) => void;
  readonly violated: (message: string) => void;
  /** Whether the gate closes, and ends work that it does not see. */
  readonly closing: () => boolean;
  /** More is held for it. */
  readonly extended: (more: number) => void;
  /** Sends the same request again. */
  readonly again: () => void;
}

/** Micro-credits. */
interface Price {
  /** What the gate records: rounded up. */
  readonly recorded: number;
  /** The same rounded down: that much less of the hold is left to the others. */
  readonly floor: number;
  /** What the service debits at most: it may round either way. */
  readonly most: number;
  /** How the gate comes to know it: by `price()`, or in credits with the report. */
  readonly told: "listed" | number;
}

/** One report before it is made. */
export interface Draft {
  readonly report: ReportTruth;
  readonly price: Price | undefined;
  readonly usage: Usage;
  readonly overrides: ReportOverrides;
}

/**
 * Does the work: reports, then ends in one of the ways that work ends, and may report once more after that. It costs at
 * most its hold, and each report at most what is recorded for it. Resolves when its bill is in the outbox.
 */
export async function doWork(admitted: Work): Promise<void> {
  const work = admitted.random.chance(0.15) ? await extended(admitted) : admitted;
  const { charge, clock, random, truth, note } = work;
  const pause = () => sleep(clock, pauseMs(work));
  const drafts = drawReports(work);
  const reporting = new WorkReports(work);
  for (const draft of drafts) {
    if (random.chance(0.5)) await pause();
    reporting.make(draft);
  }
  if (random.chance(0.7)) await pause();
  if (reporting.ended) return charge.settle();
  if (random.chance(0.08)) return goOn(work, drafts);
  const ending = random.next();
  if (ending < 0.1) {
    note("release");
    truth.ended(work, []);
    for (const { report } of drafts) report.state = "dropped";
    charge.release();
    return;
  }
  let replaced = false;
  let bill = drafts;
  if (ending < 0.2) {
    // The client disconnected, and what it is billed is decided by a policy: none of the reports, or a usage instead of them.
    replaced = true;
    for (const { report } of drafts) report.state = "dropped";
    bill = drawReports(work).map(unoverridden);
  }
  truth.ended(work, claimsOf(bill, work.hold));
  note(
    `settle ${bill.map(({ report }) => `report ${report.number} for ${report.cost}`).join(", ") || "nothing"}`,
  );
  const settling = charge.settle(replaced ? bill.map(({ usage }) => usage) : undefined);
  if (random.chance(0.1)) charge.release();
  if (random.chance(0.1)) void charge.settle();
  const late = random.chance(0.1) ? reportLate(work, replaced) : undefined;
  await settling;
  await late;
}

/** The work pauses for credits. What it has reported is billed; if it goes on, as work of its own. */
async function goOn(work: Work, drafts: readonly Draft[]): Promise<void> {
  const { charge, hold, random, truth, note } = work;
  const need = random.integer(1, 2 * hold);
  const waitMs = random.pick([0, 1_000, 60_000]);
  truth.ended(work, claimsOf(drafts, hold));
  note(`pauses up to ${waitMs} ms for ${need}, bills ${drafts.length} reports`);
  const { allowed } = await pauseForCredits(charge, fromMicro(need), { waitMs });
  const held = toMicro(charge.held);
  note(`goes on with ${held}`);
  if (!allowed) return charge.settle();
  work.extended(held);
  return doWork({ ...work, hold: held });
}

/** The work with more, where that is let in: all of it or, sometimes, what there is. */
async function extended(work: Work): Promise<Work> {
  const { charge, hold, random, note } = work;
  const more = random.integer(1, hold);
  const least = random.chance(0.3) ? random.integer(1, more) : more;
  const before = toMicro(charge.held);
  const amount = least < more ? { min: fromMicro(least), max: fromMicro(more) } : fromMicro(more);
  const { allowed } = await charge.extend(amount);
  const held = toMicro(charge.held) - before;
  note(`more, ${least} to ${more}: ${allowed ? `holds ${held}` : "denied"}`);
  if (allowed) work.extended(held);
  return { ...work, hold: hold + held };
}

/** The reports of work that the gate may cut off when it closes. */
export class WorkReports {
  /** Whether the work has ended for the gate: what it reports from here on is late. */
  ended = false;
  readonly inTime: Draft[] = [];
  readonly #work: Work;

  constructor(work: Work) {
    this.#work = work;
  }

  make(draft: Draft): void {
    const { charge, hold, truth, note, closing, violated } = this.#work;
    const { report } = draft;
    if (this.ended) {
      if (draft.price === undefined) report.recorded = hold;
      note(`late report ${report.number} for ${report.cost}`);
      truth.reportedLate(report);
    } else {
      this.inTime.push(draft);
      truth.reportedInTime(report, () => {
        if (!closing()) violated("work was cut off by a gate that does not close");
        this.end();
      });
    }
    charge.report(draft.usage, draft.overrides);
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.#work.note("its end is known");
    this.#work.truth.ended(this.#work, claimsOf(this.inTime, this.#work.hold));
  }
}

async function reportLate(work: Work, replaced: boolean): Promise<void> {
  const { charge, clock, truth, note } = work;
  await sleep(clock, pauseMs(work));
  const [draft] = drawReports(work);
  if (draft === undefined) return;
  // Its hold is gone, so unpriced it is reserved all that the hold was.
  if (draft.price === undefined) draft.report.recorded = work.hold;
  note(`late report ${draft.report.number} for ${draft.report.cost}`);
  if (replaced) draft.report.state = "dropped";
  else truth.reportedLate(draft.report);
  charge.report(draft.usage, draft.overrides);
}

/** How long a step of the work takes. */
export function pauseMs({ random, scenario: { lagMs } }: Work): number {
  return random.integer(0, random.pick([10, 300, 2_000, 2 * lagMs]));
}

/** Some reports: the priced ones cost at most their price, the others together what those leave of the hold. */
export function drawReports(work: Work): Draft[] {
  const { hold, random, truth, scenario } = work;
  const count = random.pick([0, 1, 1, 1, 2, 3]);
  const prices: (Price | undefined)[] = [];
  let rest = hold;
  for (let number = 0; number < count; number++) {
    const isListed = scenario.optionPrice && random.chance(0.5);
    const isPriced = random.chance(scenario.optionPrice ? 0.7 : 0.3);
    const price = isPriced ? drawPrice(rest, isListed, random) : undefined;
    prices.push(price);
    rest -= price?.most ?? 0;
  }
  return prices.map((price) => {
    const most = price?.most ?? rest;
    const misbilled = scenario.misbills && random.chance(0.3) ? drawMisbilled(hold, random) : undefined;
    const cost = misbilled !== undefined ? 0 : random.chance(0.5) ? most : random.integer(0, most);
    if (price === undefined) rest -= cost;
    const report = truth.draft(work, cost, price?.recorded ?? most, misbilled);
    const usage = { inputTokens: report.number, ...(price?.told === "listed" && { plan: "listed" }) };
    return {
      report,
      price,
      usage,
      overrides: typeof price?.told === "number" ? { credits: price.told } : {},
    };
  });
}

/** A price of at most so many micro-credits: from a list, or passed with the report, and then sometimes finer than one. */
function drawPrice(rest: number, isListed: boolean, random: Random): Price {
  const recorded = random.chance(0.4) ? rest : random.integer(0, rest);
  if (isListed) return { recorded, floor: recorded, most: recorded, told: "listed" };
  const told = inCredits(recorded, random);
  const floor = told < fromMicro(recorded) ? recorded - 1 : recorded;
  return { recorded, floor, most: random.pick([floor, recorded]), told };
}

/** In a currency of which no one has a wallet, or not in CREDITS. */
function drawMisbilled(hold: number, random: Random): Cost {
  return random.chance(0.5)
    ? { currency: null, amount: 0 }
    : { currency: "tokens", amount: random.integer(0, hold) };
}

/** Usage that is billed instead of reports brings no credits of its own. */
function unoverridden(draft: Draft): Draft {
  return draft.price?.told === "listed" ? draft : { ...draft, price: undefined, overrides: {} };
}

/** What the ledger must reserve for which reports, by rule 4, and what they may be debited: their hold together. */
export function claimsOf(drafts: readonly Draft[], hold: number): readonly ClaimTerms[] {
  const claims: ClaimTerms[] = [];
  const unpriced: ReportTruth[] = [];
  let amount = hold;
  let most = hold;
  for (const { report, price } of drafts) {
    if (price === undefined) {
      unpriced.push(report);
    } else {
      claims.push({ amount: price.recorded, most: price.most, reports: [report] });
      amount -= price.floor;
      most -= price.most;
    }
  }
  return unpriced.length === 0 ? claims : [...claims, { amount, most, reports: unpriced }];
}

/** A cost of so many micro-credits, sometimes finer than one: costs are ceiled. */
export function inCredits(micro: number, random: Random): number {
  return fromMicro(micro >= 1 && random.chance(0.4) ? micro - 0.5 : micro);
}
