import type { GateEvents } from "../events/events.ts";
import type { GateSettings } from "../gate-options.ts";
import type { BalanceCache } from "../wallet/customers.ts";
import type { Account } from "../wallet/ledger.ts";
import { mayRepeat } from "./ambiguous.ts";
import type { OpenWork, Outbox, OutboxReport, RecoveredReport } from "./outbox.ts";

/**
 * Puts what an earlier process has left in the outbox back into the ledger. Nobody knows for how long the process was
 * away, so what the service had acknowledged counts for the whole lag again. Resolves with whether
 * that process knew that the service honours keys. When it fails, it may be run again.
 */
export async function recover(
  settings: GateSettings,
  cache: BalanceCache,
  events: GateEvents,
): Promise<boolean> {
  const { outbox, settlementLagMs } = settings;
  const left = (await outbox.recover?.(settlementLagMs)) ?? { reports: [], works: [] };
  for (const reports of entriesOf(left.reports)) {
    const [first] = reports;
    const account = accountOf(cache, first);
    await account.settle(undefined, [{ ...first.entry, reports: reports.map(({ id }) => id) }]);
    for (const { id, entry, delivered } of reports) {
      if (delivered) await account.acknowledge(entry.id, id, settlementLagMs);
    }
  }
  for (const work of left.works) await endOrphan(work, settings, accountOf(cache, work), events);
  const keysWritten = left.keysHonouredBy === cache.service.fingerprint;
  if (keysWritten) cache.service.learnKeys();
  if (!mayRepeat(settings.ambiguous, cache.service.honoursKeys))
    await parkSent(left.sent ?? [], outbox, events);
  return keysWritten;
}

/** The answer never came: to send these again could bill them twice. */
async function parkSent(sent: readonly OutboxReport[], outbox: Outbox, events: GateEvents): Promise<void> {
  for (const report of sent) {
    const error = new Error("the process ended while the report was on its way: it may have been processed");
    await outbox.park(report.id, String(error));
    events.emit("parked", { report, error });
  }
}

/** Nobody will ever settle this work: it is billed, forgotten or kept by the gate's policy. */
async function endOrphan(
  work: OpenWork,
  { outbox, onOrphan, defaultUsage: rawUsage = {} }: GateSettings,
  account: Account,
  events: GateEvents,
): Promise<void> {
  const { id, customerId, currency, agentId, indicator, hold } = work;
  const entry = { id, amount: hold };
  // One id for the work, its report and its entry: whoever crashes here bills it once all the same.
  if (onOrphan === "default") {
    await outbox.append([{ id, customerId, currency, agentId, indicator, rawUsage, entry }], id);
  }
  if (onOrphan === "none") await outbox.works?.end(id);
  else await account.settle(undefined, [{ ...entry, reports: [id] }]);
  events.emit("orphan", { work, policy: onOrphan });
}

type Entry = readonly [RecoveredReport, ...RecoveredReport[]];

function entriesOf(reports: readonly RecoveredReport[]): Iterable<Entry> {
  const entries = new Map<string, [RecoveredReport, ...RecoveredReport[]]>();
  for (const report of reports) {
    const entry = entries.get(report.entry.id);
    if (entry === undefined) entries.set(report.entry.id, [report]);
    else entry.push(report);
  }
  return entries.values();
}

function accountOf(cache: BalanceCache, { customerId, currency }: RecoveredReport | OpenWork): Account {
  return cache.creditor(customerId).account(currency);
}
