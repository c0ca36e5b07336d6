import { backOffMs } from "@creditgate/client";
import type { Clock, GateOptions, Logger } from "@creditgate/core";
import {
  type Ambiguous,
  decide,
  Entry,
  fromMicro,
  GateEvents,
  type Judgement,
  OperatorLog,
  type RecoveredReport,
  Report,
  recordBill,
  storedKeys,
  type WorkAccount,
} from "@creditgate/core/adapter";
import { Facts } from "./facts.ts";
import type {
  DoneMessage,
  HoldAnswer,
  HoldMessage,
  MessageTerms,
  StoredReport,
  WalletMessage,
  WalletStatus,
} from "./messages.ts";
import { migrate } from "./schema.ts";
import { linkService, type ServiceLink } from "./service-link.ts";
import { guardStorage, type ObjectStorage } from "./storage.ts";
import { StoredAccount } from "./stored-account.ts";
import { StoredOutbox } from "./stored-outbox.ts";
import { WalletAccount, type WalletTerms } from "./wallet-account.ts";
import { WalletBudgets } from "./wallet-budgets.ts";
import type { WalletEvents } from "./wallet-events.ts";

/** What a {@link WalletObject} is made of. */
export interface WalletObjectOptions {
  readonly storage: ObjectStorage;
  /** Forgets this memory: the next call finds the object as it is stored. */
  readonly abort: (reason: string) => void;
  readonly client: NonNullable<GateOptions["client"]>;
  readonly maxReports: number;
  readonly ambiguous: Ambiguous;
  readonly logger: Logger | false;
  readonly on: WalletEvents;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Of the names of the tables: a class of the user's may have tables of its own. */
const prefix = "creditgate";

/** What a Worker has handed over is not taken a second time for so long after its delivery. */
const keepMs = 3_600_000;

/** An alarm retries queued reports, in case no memory is left that does: after 5 s at the earliest, and less often after each failure. */
const retries = { firstMs: 5_000, longestMs: 300_000 };

/** How long one alarm delivers. */
const deliverMs = 10_000;

/** One wallet and its budgets: decides on its work, keeps what is held and used, delivers the usage. */
export class WalletObject {
  readonly #options: WalletObjectOptions;
  readonly #storage: ObjectStorage;
  readonly #facts: Facts;
  readonly #stored: StoredAccount;
  readonly #account: WalletAccount;
  readonly #budgets: WalletBudgets;
  readonly #outbox: StoredOutbox;
  readonly #events: GateEvents;
  readonly #clock: Clock;
  /** The entries of the reports that wait until there is a link to the service, by their ids. */
  readonly #left: Map<string, Entry>;
  /** Works that are being decided on, and those of them that no request waits for any more. */
  readonly #deciding = new Set<string>();
  readonly #givenUp = new Set<string>();
  #terms: MessageTerms;
  #linking: Promise<ServiceLink> | undefined;
  #link: ServiceLink | undefined;
  #unread: unknown;
  /** Drawn once for each alarm: of many draws the earliest would count. */
  #chance: number;
  /** When the next alarm comes; `undefined` while that is not known. */
  #alarmAt: number | undefined;

  constructor(options: WalletObjectOptions) {
    this.#options = options;
    this.#chance = options.random();
    migrate(options.storage, prefix);
    const storage = guardStorage(options.storage, options.abort);
    this.#storage = storage;
    this.#facts = new Facts(storage, prefix);
    this.#terms = readTerms(this.#facts.get("terms")) ?? defaultTerms;
    const { clock } = options;
    const stored = { storage, prefix, clock: () => clock.now(), epoch: crypto.randomUUID() };
    const terms = () => walletTerms(this.#terms);
    this.#stored = new StoredAccount(stored);
    // The time of the account, which does not step back.
    this.#clock = { now: () => this.#stored.now, schedule: clock.schedule.bind(clock), resolutionMs: 1 };
    this.#account = new WalletAccount(this.#stored, terms);
    this.#budgets = new WalletBudgets({
      storage,
      prefix,
      wallet: this.#account,
      load: (budget) => {
        // By the wallet's time: requests and balances of both are compared.
        const own = { ...stored, budget, clock: () => this.#stored.now };
        const account = new WalletAccount(new StoredAccount(own), terms);
        // As of the wallet: the first step of this memory stamps what was acknowledged anew.
        account.syncUsage();
        return account;
      },
    });
    this.#outbox = new StoredOutbox({
      storage,
      prefix,
      facts: this.#facts,
      clock: () => this.#stored.now,
      maxReports: options.maxReports,
      keepMs,
    });
    this.#events = this.#createEvents();
    this.#left = restoreUsage(
      this.#outbox.unfinished().reports,
      (budgets) => this.#budgets.accountOf(budgets),
      this.#terms.settlementLagMs,
    );
  }

  /** Decides on the work. An answer that is not `admitted` has held nothing. */
  async hold(message: HoldMessage): Promise<HoldAnswer> {
    this.#agree(message);
    const { workId, amount, least = amount, kind, budgets } = message;
    if (!Number.isSafeInteger(amount) || amount <= 0) throw new TypeError(`amount: received ${amount}`);
    if (!(least > 0 && least <= amount)) throw new TypeError(`least: received ${least}`);
    const arrival = this.#clock.now();
    // Asked again, for the answer was lost.
    const known = this.#account.find(workId);
    if (known !== undefined) return this.#answer({ code: undefined, rule: "cached", hold: known });
    if (this.#outbox.full) return this.#answer({ code: "outbox_full", rule: "refused" });
    this.#deciding.add(workId);
    try {
      const link = await this.#open();
      const { service, customer, wallet, freshness } = link;
      const { customerId, currency, agentId, indicator } = message;
      if (agentId !== undefined && indicator !== undefined) {
        const asked = { customerId, agentId, indicator };
        if (service.unbillable.refuses(asked, this.#clock, this.#outbox.fullOfDead, true))
          return this.#answer({ code: "unbillable", rule: "refused" });
      }
      const work = { ...noWork, id: workId, customerId, currency, hold: amount, least };
      const account = budgets === undefined ? wallet.account : link.accountOf(budgets);
      if (account === undefined) return this.#answer({ code: "over_capacity", rule: "refused" });
      const question = { work, customer, wallet, account, kind: kind ?? undefined, arrival };
      const judgement = await decide(question, freshness);
      if (wallet.kind !== undefined) this.#facts.set("kind", wallet.kind);
      const { hold } = judgement;
      const isGivenUp = this.#givenUp.delete(workId);
      if (isGivenUp && hold !== undefined) account.release(hold);
      return this.#answer(isGivenUp ? { ...judgement, code: "upstream_unavailable" } : judgement);
    } catch (error) {
      this.#unread = error;
      return this.#answer({ code: "upstream_unavailable", rule: "unread" });
    } finally {
      this.#deciding.delete(workId);
      this.#givenUp.delete(workId);
      this.#arm();
    }
  }

  /** Resolves when the usage is stored: from then on it is delivered, whatever becomes of the Worker. */
  done(message: DoneMessage): void {
    this.#agree(message);
    const { workId, reports } = message;
    const account = this.#budgets.accountOf(reports[0]?.budgets);
    const entries = new Map<string, Entry>();
    const added = this.#outbox.unknown(reports).map((report) => {
      const { id, amount } = report.entry;
      const entry = entries.get(id) ?? new Entry(id, amount);
      entries.set(id, entry);
      // The Worker does not know the periods of its budgets.
      return new Report({ ...report, budgets: account.budgets }, entry);
    });
    const hold = workId === null ? undefined : account.find?.(workId);
    this.#storage.transactionSync(() => {
      this.#outbox.append(added);
      if (added.length > 0) recordBill(added, account, hold);
      else if (hold !== undefined) account.release(hold);
    });
    if (this.#link !== undefined) this.#link.delivery.release(added);
    else {
      for (const { id, entry } of added) this.#left.set(id, entry);
      this.#outbox.release(added);
      void this.#deliver();
    }
    this.#arm();
  }

  /** The work has cost nothing. */
  release(workId: string): void {
    if (this.#deciding.has(workId)) this.#givenUp.add(workId);
    const account = this.#budgets.accountOf(this.#budgets.heldBy(workId));
    const hold = account.find?.(workId);
    if (hold !== undefined) account.release(hold);
  }

  /** The work goes on. */
  renew(workId: string): void {
    this.#account.renew(workId);
    for (const { key } of this.#budgets.heldBy(workId)) this.#budgets.account(key).renew(workId);
  }

  /** Abandoned holds become usage, and what is queued is delivered. */
  async alarm(): Promise<void> {
    this.#alarmAt = Number.POSITIVE_INFINITY;
    this.#account.syncUsage();
    this.#sweepBudgets();
    if (this.#outbox.waiting.queued > 0) await this.#deliver();
    const isLeft = this.#outbox.waiting.queued > 0;
    this.#facts.set("alarms", String(isLeft ? this.#alarms + 1 : 0));
    this.#chance = this.#options.random();
    this.#arm(this.#budgets.firstGoneAt);
  }

  status(): WalletStatus {
    const kind = this.#facts.get("kind") === "postpaid" ? "postpaid" : "prepaid";
    const { capacity, held, unconfirmed } = this.#account.figures(kind);
    const { reservations } = this.#stored.figures;
    const works = [...reservations.values()].filter(({ goneAt }) => goneAt !== null).length;
    return {
      customerId: this.#facts.get("customerId") ?? null,
      currency: this.#facts.get("currency") ?? null,
      capacity: typeof capacity === "number" ? fromMicro(capacity) : null,
      held: fromMicro(held),
      unconfirmed: fromMicro(unconfirmed),
      works,
      ...this.#outbox.waiting,
    };
  }

  /** The reports that are parked or dead, those queued longest first. */
  aside(limit: number): readonly StoredReport[] {
    return this.#outbox.aside(limit);
  }

  /** Parked and dead reports go out once more, or are given up: then they count against the wallet no longer. Returns how many. */
  resolve(ids: readonly string[], how: "retry" | "drop"): number {
    const found = how === "retry" ? this.#outbox.retry(ids) : this.#outbox.asideNamed(ids);
    if (how === "drop") {
      this.#storage.transactionSync(() => {
        for (const { id, ...report } of found) {
          const entry = (this.#link?.delivery.left ?? this.#left).get(id);
          const keys = storedKeys(report.budgets ?? []);
          if (entry !== undefined) new Report({ id, ...report }, entry).acknowledge(0, 0, false, keys);
        }
        this.#outbox.drop(found);
      });
    }
    void this.#deliver();
    this.#arm();
    return found.length;
  }

  /** Turns abandoned holds in budgets into usage, and forgets the budgets of which nothing would be lost. */
  #sweepBudgets(): void {
    this.#budgets.sweep();
    const { customer } = this.#link ?? {};
    // A decision may wait for one.
    if (customer?.isActive) return;
    const { now } = this.#stored;
    customer?.budgets?.forget(now);
    this.#budgets.forget(now);
  }

  #agree({ customerId, currency, terms }: WalletMessage): void {
    for (const [name, value] of Object.entries({ customerId, currency })) {
      const known = this.#facts.get(name) ?? value;
      if (known !== value) throw new TypeError(`${name}: expected ${known}, received ${value}`);
      this.#facts.set(name, value);
    }
    // A Worker of another version may send others.
    this.#terms = { ...defaultTerms, ...terms };
    this.#facts.set("terms", JSON.stringify(terms));
  }

  #open(): Promise<ServiceLink> {
    this.#linking ??= this.#linkNow();
    return this.#linking;
  }

  async #linkNow(): Promise<ServiceLink> {
    try {
      const { client, ambiguous, random } = this.#options;
      const link = await linkService(
        {
          client,
          ambiguous,
          random,
          clock: this.#clock,
          events: this.#events,
          account: this.#account,
          budgets: this.#budgets,
          outbox: this.#outbox,
          customerId: this.#facts.get("customerId") ?? "",
          currency: this.#facts.get("currency") ?? "",
          terms: () => this.#terms,
        },
        this.#left,
      );
      const kind = this.#facts.get("kind");
      if (kind === "prepaid" || kind === "postpaid") link.wallet.kind = kind;
      this.#link = link;
      this.#left.clear();
      return link;
    } catch (error) {
      this.#linking = undefined;
      throw error;
    }
  }

  /** Delivers what is queued, as far as that goes in a while. Never rejects. */
  async #deliver(): Promise<void> {
    try {
      const { delivery } = await this.#open();
      await delivery.flush(deliverMs);
    } catch (error) {
      this.#events.emit("degraded", { what: "delivery", error });
    }
  }

  /** How many consecutive alarms have not emptied the queue. */
  get #alarms(): number {
    return Number(this.#facts.get("alarms") ?? 0);
  }

  /** Sees to it that an alarm comes no later than there is something to do. A hold in a budget has its twin in the wallet. */
  #arm(budgetGoneAt: number | null = null): void {
    const { queued } = this.#outbox.waiting;
    const never = Number.POSITIVE_INFINITY;
    const goneAt = Math.min(this.#stored.firstGoneAt ?? never, budgetGoneAt ?? never);
    const retryMs = retries.firstMs + backOffMs(this.#alarms, { ...retries, random: () => this.#chance });
    const at = Math.min(queued > 0 ? this.#clock.now() + retryMs : never, goneAt);
    if (at === never) return;
    this.#armAt(at).catch((error: unknown) => this.#events.emit("degraded", { what: "outbox", error }));
  }

  async #armAt(at: number): Promise<void> {
    this.#alarmAt ??= (await this.#storage.getAlarm()) ?? Number.POSITIVE_INFINITY;
    // workerd has dropped it after its retries, which take some minutes. Older versions still show it then.
    const isDropped = this.#alarmAt < this.#clock.now() - retries.longestMs;
    if (at >= this.#alarmAt && !isDropped) return;
    this.#alarmAt = at;
    await this.#storage.setAlarm(at);
  }

  #answer({ code, rule, extended, hold, figures }: Answered): HoldAnswer {
    const kind = this.#link?.wallet.kind;
    const budget = code === undefined ? undefined : figures?.budget;
    const shown = budget && figures ? figures : this.#account.figures(kind ?? "prepaid");
    const { capacity, held, unconfirmed, stamp } = shown;
    return {
      admitted: code === undefined,
      amount: code === undefined ? (hold?.amount ?? null) : null,
      code: code ?? null,
      rule,
      kind: kind ?? null,
      budget: budget ?? null,
      capacity: capacity ?? null,
      held,
      unconfirmed,
      ageMs: stamp === undefined ? null : this.#clock.now() - stamp,
      extended: extended ?? false,
      usageParts: [...(this.#link?.service.usageParts ?? [])],
      error: rule === "unread" ? messageOf(this.#unread) : null,
    };
  }

  #createEvents(): GateEvents {
    const { logger, on } = this.#options;
    const log = logger === false ? undefined : new OperatorLog(this.#clock, logger);
    const events = new GateEvents(log && ((name, event) => log.log(name, event)));
    events.observe("degraded", ({ what, error }) => {
      if (what === "balance") this.#unread = error;
    });
    if (on.delivered) events.on("delivered", on.delivered);
    if (on.parked) events.on("parked", on.parked);
    if (on.dead) events.on("dead", on.dead);
    if (on.degraded) events.on("degraded", on.degraded);
    return events;
  }
}

/** What a decision is answered with. */
type Answered = Pick<Judgement, "code" | "rule" | "extended"> & Partial<Pick<Judgement, "hold" | "figures">>;

const noWork = { agentId: "", indicator: "", defaultUsage: undefined, waitUntil: undefined };

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error ?? "");
}

/** Until a gate has sent its own; those are a gate's defaults. */
export const defaultTerms: MessageTerms = {
  settlementLagMs: 10_000,
  maxStaleMs: 60_000,
  minRefreshMs: 250,
  checkTimeoutMs: 1_000,
  ttlMs: 5_000,
  abandonMs: 60_000,
};

/**
 * Usage that is acknowledged within so long is kept as one sum, and counts for up to so much longer: shorter than the pause between two
 * balance requests, so that the second of them shows what the first could not.
 */
const windowMs = 10;

/** What the step reckons with. */
export function walletTerms(terms: MessageTerms): WalletTerms {
  const { settlementLagMs, maxStaleMs, minRefreshMs, checkTimeoutMs, abandonMs } = terms;
  return {
    // Nothing is leased here: each work has what it may cost, and no more. So long a word of the object itself is no late copy.
    leaseMs: 1_000,
    lagMs: Math.ceil(settlementLagMs),
    maxStaleMs: Math.floor(maxStaleMs),
    minRefreshMs: Math.ceil(minRefreshMs),
    requestMs: Math.ceil(checkTimeoutMs),
    windowMs,
    abandonMs: Math.ceil(abandonMs),
  };
}

/** The terms as they were stored, by this version or another: what is missing has its default. */
export function readTerms(text: string | undefined): MessageTerms | undefined {
  return text === undefined ? undefined : { ...defaultTerms, ...(JSON.parse(text) as Partial<MessageTerms>) };
}

/**
 * Puts what waits in the outbox into the account, after an eviction. What was delivered is there: acknowledged usage is stored by
 * itself. The answer has the entries of the reports that the service has not acknowledged, by their ids.
 */
export function restoreUsage(
  reports: readonly RecoveredReport[],
  accountOf: (budgets: RecoveredReport["budgets"]) => WorkAccount,
  lagMs: number,
): Map<string, Entry> {
  const byEntry = new Map<string, RecoveredReport[]>();
  for (const report of reports) {
    const others = byEntry.get(report.entry.id) ?? [];
    byEntry.set(report.entry.id, [...others, report]);
  }
  const groups = [...byEntry.values()].filter((group) => group.some(({ delivered }) => !delivered));
  // Together, and also where there are none: the first step of this memory stamps what was acknowledged anew.
  const byBudgets = new Map<string, RecoveredReport[][]>([["", []]]);
  for (const group of groups) {
    const name = storedKeys(group[0]?.budgets ?? []).join(" ");
    const same = byBudgets.get(name) ?? [];
    same.push(group);
    byBudgets.set(name, same);
  }
  const left = new Map<string, Entry>();
  for (const same of byBudgets.values()) {
    const account = accountOf(same[0]?.[0]?.budgets);
    const usages = account.settle(
      undefined,
      same.map(([first]) => first?.entry.amount ?? 0),
    );
    for (const [index, group] of same.entries()) {
      const [first] = group;
      if (first === undefined) continue;
      const entry = new Entry(first.entry.id, first.entry.amount);
      entry.record(account, usages[index]);
      for (const _ of group) entry.join();
      for (const { id, delivered, budgets = [] } of group) {
        // Its answer had named them, as far as is known.
        if (delivered) entry.acknowledge(lagMs, false, storedKeys(budgets));
        else left.set(id, entry);
      }
    }
  }
  return left;
}
