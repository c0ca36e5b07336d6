import type { GateEvents } from "../events/events.ts";
import type { GateSettings } from "../gate-options.ts";
import type { Customers } from "../wallet/customers.ts";
import type { Account, Ledger, NotedBlock } from "../wallet/ledger.ts";
import { mayRepeat } from "./ambiguous.ts";
import type { Recovered } from "./delivery.ts";
import type { OpenWork, Outbox, OutboxReport, RecoveredReport, Recovery } from "./outbox.ts";
import { Entry, Report } from "./report.ts";

/** The settings of a gate with an outbox. */
export type LastingSettings = GateSettings & { readonly outbox: Outbox };

/**
 * Puts what an earlier process has left in the outbox back into the ledger. For how long the process was away is not known,
 * so what the service had acknowledged counts for the whole lag again. When it fails, it may be run again.
 */
export async function recover(
  settings: LastingSettings,
  customers: Customers,
  events: GateEvents,
): Promise<Recovered> {
  const { outbox } = settings;
  return enter(
    (await outbox.recover?.(rememberMsOf(settings, customers))) ?? { reports: [], works: [] },
    settings,
    customers,
    events,
  );
}

/**
 * Tells the others that use the store of the outbox that this process lives, and does the same with what those have left
 * that do not any more; `undefined` if there is nothing.
 */
export async function takeOver(
  settings: LastingSettings,
  customers: Customers,
  events: GateEvents,
): Promise<Recovered | undefined> {
  const { fleet } = settings.outbox;
  const found = await fleet?.beat(rememberMsOf(settings, customers));
  if (found === undefined) return undefined;
  const { reports, works, blocks = [], lost } = found;
  if ([reports, works, blocks, lost].every(({ length }) => length === 0)) return undefined;
  const recovered = await enter(found, settings, customers, events);
  fleet?.entered();
  return { ...recovered, lost };
}

function rememberMsOf({ settlementLagMs, maxStaleMs }: LastingSettings, { ledger }: Customers): number {
  return ledger.flush === undefined ? settlementLagMs : settlementLagMs + maxStaleMs;
}

async function enter(
  found: Recovery,
  settings: LastingSettings,
  customers: Customers,
  events: GateEvents,
): Promise<Recovered> {
  const { outbox, settlementLagMs, ambiguous } = settings;
  const keysWritten = found.keysHonouredBy === customers.service.fingerprint;
  if (keysWritten) customers.service.learnKeys();
  // First what may fail: run again, it would put each entry into the ledger once more.
  const orphans: Orphan[] = [];
  for (const work of found.works) orphans.push(await endOrphan(work, settings, events));
  if (!mayRepeat(ambiguous, customers.service.honoursKeys)) await parkSent(found.sent ?? [], outbox, events);
  const left = new Map<string, Entry>();
  for (const reports of byEntry(found.reports)) await recoverEntry(reports, customers, settlementLagMs, left);
  for (const { work, entry, report } of orphans) {
    if (entry !== undefined) await recordEntry(entry, accountOf(customers, work));
    if (report === undefined) continue;
    left.set(report.id, report.entry);
    outbox.release([report]);
  }
  // After the entries: what they are in must not be freed before they count.
  if (customers.ledger.flush !== undefined) await adoptBlocks(found.blocks ?? [], customers.ledger);
  return { left, keysWritten, delivered: found.reports.filter(({ delivered }) => delivered), lost: [] };
}

/** What earlier processes had in a shared store is in the reports that they have left; the rest of it goes back. */
async function adoptBlocks(blocks: readonly NotedBlock[], ledger: Ledger): Promise<void> {
  for (const { service, customerId, currency, process } of blocks) {
    await ledger.account(service, customerId, currency).recover([], [process]);
  }
}

type Reports = readonly [RecoveredReport, ...RecoveredReport[]];

async function recoverEntry(
  reports: Reports,
  customers: Customers,
  lagMs: number,
  left: Map<string, Entry>,
): Promise<void> {
  const [first] = reports;
  if (adopt(reports, customers, left)) return;
  const entry = new Entry(first.entry.id, first.entry.amount);
  await recordEntry(entry, accountOf(customers, first));
  for (const _ of reports) entry.join();
  for (const { id, delivered } of reports) {
    if (delivered) entry.acknowledge(lagMs, false);
    else left.set(id, entry);
  }
}

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

async function recordEntry(entry: Entry, account: Account): Promise<void> {
  const [usage] = await account.recover([entry.amount], []);
  entry.record(account, usage);
}

/** The answer never came: to send these again could bill them twice. */
async function parkSent(sent: readonly OutboxReport[], outbox: Outbox, events: GateEvents): Promise<void> {
  for (const report of sent) {
    const error = new Error("the process ended while the report was on its way: it may have been processed");
    await outbox.park(report, String(error));
    events.emit("parked", { report, error });
  }
}

/** Work whose process is gone, and what is left of it by the gate's policy. */
interface Orphan {
  readonly work: OpenWork;
  readonly entry?: Entry;
  readonly report?: Report;
}

/** The work is billed, forgotten or kept by the gate's policy. */
async function endOrphan(
  work: OpenWork,
  { outbox, onOrphan, defaultUsage: rawUsage = {} }: LastingSettings,
  events: GateEvents,
): Promise<Orphan> {
  const { id, customerId, currency, agentId, indicator, hold } = work;
  // One id for the work, its report and its entry: after a crash here it is billed once all the same.
  const entry = new Entry(id, hold);
  const report = new Report({ id, customerId, currency, agentId, indicator, rawUsage }, entry);
  if (onOrphan === "default") await outbox.append([report], id);
  if (onOrphan === "none") await outbox.works?.end(id);
  events.emit("orphan", { work, policy: onOrphan });
  if (onOrphan === "default") return { work, entry, report };
  return onOrphan === "none" ? { work } : { work, entry };
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

function accountOf(
  customers: Customers,
  { customerId, currency }: Pick<RecoveredReport, "customerId" | "currency">,
): Account {
  return customers.keep(customerId).wallet(currency).account;
}
