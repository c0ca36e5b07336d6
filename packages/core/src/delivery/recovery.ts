import { storedKeys } from "#budgets";
import type { GateEvents } from "../events/events.ts";
import type {
  OpenWork,
  Outbox,
  OutboxDecision,
  OutboxReport,
  RecoveredReport,
  Recovery,
} from "../outbox/outbox.ts";
import { Entry, Report } from "../outbox/report.ts";
import type { Customers } from "../registry/customers.ts";
import type { Ledger, NotedReservation, WorkAccount } from "../wallet/ledger.ts";
import type { Recovered } from "./delivery.ts";
import { type Ambiguous, mayRepeat } from "./delivery-options.ts";
import type { OutboxSettings } from "./outbox-support/outbox-settings.ts";

/** The settings of a gate with an outbox that a recovery depends on. */
export interface RecoverySettings extends Pick<OutboxSettings, "onOrphan" | "defaultUsage"> {
  readonly outbox: Outbox;
  readonly ambiguous: Ambiguous;
  readonly settlementLagMs: number;
  readonly maxStaleMs: number;
}

/**
 * Puts the remainder of other processes from the outbox into the ledger. How long they were away is unknown, so
 * acknowledged usage counts for the whole lag again. If it fails midway, the next try continues: nothing is recorded
 * or emitted twice.
 */
export class HandOver {
  readonly #settings: RecoverySettings;
  readonly #events: GateEvents;
  /** By the ids of the works. The outbox may have ended one although it failed, and then gives it no more. */
  readonly #orphans = new Map<string, Orphan>();
  /** What a try that failed has recorded, by the ids of the entries. */
  readonly #entered = new Map<string, Entry>();
  /** Returned by the outbox once, and kept for the try that succeeds. */
  readonly #decided: OutboxDecision[] = [];
  readonly #lost: string[] = [];

  constructor(settings: RecoverySettings, events: GateEvents) {
    this.#settings = settings;
    this.#events = events;
  }

  /** Recovers the remainder of an earlier process. */
  async recover(customers: Customers): Promise<Recovered> {
    const { outbox } = this.#settings;
    const found = await outbox.recover?.(rememberMsOf(this.#settings, customers));
    return this.#enter(found ?? { reports: [], works: [] }, customers);
  }

  /**
   * Sends a heartbeat to the outbox's store, and recovers the remainder of processes that send none any more;
   * `undefined` if there is nothing.
   */
  async takeOver(customers: Customers): Promise<Recovered | undefined> {
    const { fleet } = this.#settings.outbox;
    const found = await fleet?.heartbeat(rememberMsOf(this.#settings, customers));
    if (found === undefined) return undefined;
    const { reports, works, reservations = [], lost, decided } = found;
    this.#decided.push(...decided);
    this.#lost.push(...lost);
    const isNothing = [reports, works, reservations, this.#lost, this.#decided].every(
      ({ length }) => length === 0,
    );
    if (isNothing && this.#orphans.size === 0) return undefined;
    const recovered = await this.#enter(found, customers);
    fleet?.entered();
    return { ...recovered, lost: this.#lost.splice(0), decided: this.#decided.splice(0) };
  }

  async #enter(found: Recovery, customers: Customers): Promise<Recovered> {
    const { outbox, ambiguous, onOrphan } = this.#settings;
    const keysWritten = found.keysHonouredBy === customers.service.fingerprint;
    if (keysWritten) customers.service.learnKeys();
    // First what may fail, so that wallets are touched once.
    for (const work of found.works) {
      if (!this.#orphans.has(work.id)) this.#orphans.set(work.id, new Orphan(work, this.#settings));
    }
    for (const orphan of this.#orphans.values()) await orphan.end(this.#settings, this.#events);
    if (!mayRepeat(ambiguous, customers.service.honoursKeys))
      await parkSent(found.sent ?? [], outbox, this.#events);
    const left = new Map<string, Entry>();
    for (const reports of byEntry(found.reports)) await this.#enterReports(reports, customers, left);
    const kept = new Map<string, Entry>();
    for (const { work, entry, report } of this.#orphans.values()) {
      if (onOrphan === "none") continue;
      const isNew = await this.#record(entry, this.#accountOf(customers, work));
      if (onOrphan === "review") kept.set(work.id, entry);
      else {
        if (isNew) entry.join();
        left.set(report.id, entry);
        outbox.release([report]);
      }
    }
    // After the entries: what they are in must not be freed before they count.
    if (customers.ledger.flush !== undefined)
      await this.#adoptReservations(found.reservations ?? [], customers.ledger);
    this.#orphans.clear();
    this.#entered.clear();
    const delivered = found.reports.filter((report) => report.delivered);
    return { left, kept, keysWritten, delivered, lost: [], decided: [] };
  }

  async #enterReports(reports: Reports, customers: Customers, left: Map<string, Entry>): Promise<void> {
    const [first] = reports;
    // Written down by a try that failed: it is entered with its work.
    if (this.#orphans.has(first.entry.id) || adopt(reports, customers, left)) return;
    const entry = this.#entered.get(first.entry.id) ?? new Entry(first.entry.id, first.entry.amount);
    const isNew = await this.#record(entry, this.#accountOf(customers, first));
    if (isNew) for (const _ of reports) entry.join();
    for (const { id, delivered, budgets = [] } of reports) {
      if (!delivered) left.set(id, entry);
      // Its answer had named them, as far as is known.
      else if (isNew) entry.acknowledge(this.#settings.settlementLagMs, false, storedKeys(budgets));
    }
  }

  /** Once. Returns whether it had not been there. */
  async #record(entry: Entry, account: WorkAccount): Promise<boolean> {
    if (this.#entered.has(entry.id)) return false;
    const [usage] = await account.recover([entry.amount], []);
    entry.record(account, usage);
    this.#entered.set(entry.id, entry);
    return true;
  }

  /** The reports here contain what earlier processes used of a shared store. The rest of their reservations is returned. */
  async #adoptReservations(reservations: readonly NotedReservation[], ledger: Ledger): Promise<void> {
    const { outbox } = this.#settings;
    for (const { service, customerId, currency, budget, process } of reservations) {
      const account =
        budget === undefined
          ? ledger.account(service, customerId, currency, outbox.reservations)
          : ledger.budget?.(service, customerId, currency, budget, outbox.reservations);
      await account?.recover([], [process]);
    }
  }

  #accountOf(
    customers: Customers,
    { customerId, currency, budgets }: Pick<RecoveredReport, "customerId" | "currency" | "budgets">,
  ): WorkAccount {
    return customers.accountOf(customerId, currency, this.#settings.outbox.reservations, budgets);
  }
}

function rememberMsOf({ settlementLagMs, maxStaleMs }: RecoverySettings, { ledger }: Customers): number {
  return ledger.flush === undefined ? settlementLagMs : settlementLagMs + maxStaleMs;
}

type Reports = readonly [RecoveredReport, ...RecoveredReport[]];

/** An earlier gate of this process has them in the ledger already: to record them again would count them for ever. */
function adopt(reports: Reports, customers: Customers, left: Map<string, Entry>): boolean {
  const waiting = reports.filter(({ delivered }) => !delivered);
  const entry = waiting.map(({ id }) => customers.left.get(id)).find((one) => one !== undefined);
  if (entry === undefined) return false;
  for (const { id } of waiting) {
    customers.left.delete(id);
    left.set(id, entry);
  }
  return true;
}

/** The answer never came: to send these again could bill them twice. */
async function parkSent(sent: readonly OutboxReport[], outbox: Outbox, events: GateEvents): Promise<void> {
  for (const report of sent) {
    const error = new Error("the process ended while the report was on its way: it may have been processed");
    await outbox.park(report, String(error));
    events.emit("parked", { report, error });
  }
}

/** Work whose process is gone: it is billed, forgotten or kept by the gate's policy. */
class Orphan {
  readonly work: OpenWork;
  readonly entry: Entry;
  readonly report: Report;
  #isEnded = false;

  constructor(work: OpenWork, { defaultUsage: rawUsage = {} }: RecoverySettings) {
    const { id, customerId, currency, agentId, indicator, budgets, hold } = work;
    this.work = work;
    // One id for the work, its report and its entry: after a crash here it is billed once all the same.
    this.entry = new Entry(id, hold);
    this.report = new Report({ id, customerId, currency, agentId, indicator, rawUsage, budgets }, this.entry);
  }

  /** Stored in the outbox once, and emitted once. */
  async end({ outbox, onOrphan }: RecoverySettings, events: GateEvents): Promise<void> {
    if (this.#isEnded) return;
    if (onOrphan === "default") await outbox.append([this.report], this.work.id);
    if (onOrphan === "none") await outbox.works?.end(this.work.id);
    this.#isEnded = true;
    events.emit("orphan", { work: this.work, policy: onOrphan });
  }
}

function byEntry(reports: readonly RecoveredReport[]): Iterable<Reports> {
  const entries = new Map<string, [RecoveredReport, ...RecoveredReport[]]>();
  for (const report of reports) {
    const entry = entries.get(report.entry.id);
    if (entry === undefined) entries.set(report.entry.id, [report]);
    else entry.push(report);
  }
  return entries.values();
}
