import type { Ledger, OutboxReport } from "@creditgate/core";
import type { Account, Hold, Recovery, ReservationJournal, Unconfirmed } from "@creditgate/core/adapter";
import type { FleetOutbox, SyncRequest, SyncResponse } from "@creditgate/fleet";
import type { FleetClock } from "./fleet-clock.ts";
import { type FleetScenario, unrestMs } from "./fleet-scenario.ts";

/** A report of usage. */
export interface FleetReport {
  readonly id: string;
  readonly amount: number;
}

export type FleetVerdict = "admitted" | "denied" | "unknown";

/** What a gate is connected with. */
export interface FleetGateOptions {
  readonly scenario: FleetScenario;
  readonly clock: FleetClock;
  readonly ledger: Ledger;
  /** Outlasts the process; `undefined`: what is undelivered is lost when the process exits. */
  readonly outbox: FleetOutbox | undefined;
  /** The lag in its options, as a share of the real one. */
  readonly lagFactor: number;
  /** A report leaves the outbox when it is delivered, not when the store has counted it: a mistake. */
  readonly forgetsAtOnce: boolean;
  /** Asks for the balance; `undefined` where that fails. */
  read(): Promise<{ readonly capacity: number; readonly unsettled: number | undefined } | undefined>;
  /** Resolves when the service has the report. */
  post(report: FleetReport): Promise<void>;
}

/** A balance request, shared by all that need a balance at least so fresh. */
interface Refresh {
  since: number;
  readonly come: Promise<boolean>;
}

/** Between two attempts to write to an outbox. */
const retryMs = 50;

/** What a gate does in a process of a fleet: admits and reports, with the ledger of the process and an outbox of its own. */
export class FleetGate {
  /** Reports that the store has not counted. */
  readonly reports: Set<FleetReport> = new Set();
  readonly #options: FleetGateOptions;
  readonly #account: Account;
  /** Resolves when what was left in the outbox is in the ledger. */
  readonly #ready: Promise<void>;
  /** Who has its reservation, as the store knows it. */
  #id: string;
  #current: Promise<boolean> | undefined;
  #next: Refresh | undefined;
  /** Holds, and usage that the store has not counted. */
  inUse = 0;
  /** What was in use when its process stopped last. */
  inUseWhenStopped = 0;
  lastSeen: number;
  /** The epoch and the stamp of the balance that it knows. */
  received = "";
  #receivedSeq = 0;

  constructor(options: FleetGateOptions) {
    this.#options = options;
    const { clock, ledger, outbox } = options;
    this.lastSeen = clock.wall();
    this.#id = ledger.id;
    this.#account = ledger.account("service", "ada", "credits", outbox && this.#journal(outbox));
    this.#ready = outbox === undefined ? Promise.resolve() : this.#recover(outbox);
  }

  get id(): string {
    return this.#id;
  }

  #journal({ reservations }: FleetOutbox): ReservationJournal {
    return {
      begin: (reservation) => {
        this.#id = reservation.process;
        return reservations.begin(reservation);
      },
      end: (account, processes) => reservations.end(account, processes),
    };
  }

  /** What the gate before it has left enters the ledger, and its reports go out; later what other processes have left. */
  async #recover(outbox: FleetOutbox): Promise<void> {
    this.#enter(await this.#persist(() => outbox.recover(this.#rememberMs)));
    void this.#heartbeat(outbox);
    const { isBusy, outboxes } = this.#options.scenario;
    if (isBusy && outboxes !== "own") void this.#serveOthers(outbox);
  }

  /** Work of other customers, as long as there is any of this one. */
  async #serveOthers({ works }: FleetOutbox): Promise<void> {
    const others = { customerId: "bob", agentId: "chat", indicator: "message", currency: "credits" };
    const { clock } = this.#options;
    const gate = crypto.randomUUID();
    for (let work = 0; clock.wall() < unrestMs; work++) {
      const id = `${gate} ${work}`;
      await this.#persist(() => works.begin({ ...others, id, hold: 1 }));
      await this.#persist(() => works.end(id));
    }
  }

  async #heartbeat(outbox: FleetOutbox): Promise<void> {
    for (;;) {
      await this.#sleep(outbox.fleet.heartbeatMs);
      const found = await this.#persist(() => outbox.fleet.heartbeat(this.#rememberMs));
      this.#enter(found);
      outbox.fleet.entered();
    }
  }

  #enter({ reports, reservations = [] }: Recovery): void {
    for (const { id, entry, delivered } of reports) {
      const report = { id, amount: entry.amount };
      const usages = this.#account.recover([report.amount], []);
      if (usages instanceof Promise) throw new Error("a leased ledger recovers at once");
      const [usage] = usages;
      if (usage === undefined) throw new Error("recover: expected usage for each amount");
      this.inUse += report.amount;
      this.reports.add(report);
      if (delivered) this.#acknowledge(report, usage);
      else void this.#deliver(report, usage);
    }
    this.#account.recover(
      [],
      reservations.map(({ process }) => process),
    );
  }

  get #rememberMs(): number {
    const { lagMs, maxStaleMs } = this.#options.scenario;
    return lagMs + maxStaleMs;
  }

  /** Until it is done: what the store of the outbox has done although its answer was lost has no second effect. */
  async #persist<T>(write: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await write();
      } catch {
        await this.#sleep(retryMs);
      }
    }
  }

  /** Decides on a piece of work, which may be let in with less than all, but not with less than the least. */
  async ask(
    amount: number,
    least: number = amount,
  ): Promise<{ readonly verdict: FleetVerdict; readonly hold?: Hold }> {
    const { clock, scenario } = this.#options;
    const { maxStaleMs } = scenario;
    await this.#ready;
    const arrival = clock.now();
    const first = await this.#account.hold(amount, "prepaid", arrival - maxStaleMs);
    if (first.admitted) return this.#admitted(first, arrival);
    if (!(await this.#freshSince(arrival))) return { verdict: "unknown" };
    const second = await this.#account.hold(amount, "prepaid", clock.now() - maxStaleMs);
    if (second.admitted) return this.#admitted(second, arrival);
    if (least === amount) return { verdict: second.isUnsure === true ? "unknown" : "denied" };
    const third = await this.#account.hold(amount, "prepaid", clock.now() - maxStaleMs, undefined, least);
    if (third.admitted) return this.#admitted(third, arrival);
    return { verdict: third.isUnsure === true ? "unknown" : "denied" };
  }

  #admitted(hold: Hold, arrival: number): { readonly verdict: FleetVerdict; readonly hold: Hold } {
    this.inUse += hold.amount;
    const { stamp } = this.#account;
    const { ttlMs } = this.#options.scenario;
    if (stamp !== undefined && arrival - stamp > ttlMs) void this.#freshSince(arrival - ttlMs);
    return { verdict: "admitted", hold };
  }

  release(hold: Hold): void {
    this.inUse -= hold.amount;
    this.#account.release(hold);
  }

  /** The work has ended, and is reported. */
  async settle(hold: Hold, id: string, amount: number): Promise<void> {
    const { outbox } = this.#options;
    const report: FleetReport = { id, amount };
    if (outbox !== undefined) await this.#persist(async () => outbox.append([stored(report)]));
    this.reports.add(report);
    this.inUse += amount - hold.amount;
    const [usage] = this.#account.settle(hold, [amount]);
    if (usage !== undefined) void this.#deliver(report, usage);
  }

  /** An answer comes, maybe a second time. What the store has counted is not in use any more. */
  receive({ seq, acked }: SyncRequest, { status, epoch, stamp }: SyncResponse): void {
    this.received = `${epoch}:${stamp}`;
    if (status === "register" || seq <= this.#receivedSeq) return;
    this.#receivedSeq = seq;
    this.inUse -= acked;
  }

  async #deliver(report: FleetReport, usage: Unconfirmed): Promise<void> {
    const { outbox, post } = this.#options;
    await post(report);
    if (outbox !== undefined)
      await this.#persist(async () => outbox.delivered([stored(report)], this.#rememberMs, []));
    this.#acknowledge(report, usage);
  }

  #acknowledge(report: FleetReport, usage: Unconfirmed): void {
    const { scenario, lagFactor, forgetsAtOnce } = this.#options;
    this.#account.acknowledge(usage, scenario.lagMs * lagFactor);
    void this.#forget(report, forgetsAtOnce);
  }

  async #forget(report: FleetReport, isAtOnce: boolean): Promise<void> {
    const { ledger, outbox } = this.#options;
    if (!isAtOnce) await ledger.counted?.();
    this.reports.delete(report);
    if (outbox !== undefined) await this.#persist(() => outbox.forget([report.id]));
  }

  /** Whether a balance is known that was asked for at `since` or later. */
  async #freshSince(since: number): Promise<boolean> {
    const { scenario } = this.#options;
    this.#next ??= { since, come: this.#refresh() };
    this.#next.since = Math.max(this.#next.since, since);
    return Promise.race([this.#next.come, this.#sleep(scenario.netMs * 4 + 1_000).then(() => false)]);
  }

  async #refresh(): Promise<boolean> {
    await undefined;
    await this.#current;
    const since = this.#next?.since ?? 0;
    this.#next = undefined;
    this.#current = this.#read(since).catch(() => false);
    return this.#current;
  }

  async #read(since: number): Promise<boolean> {
    for (;;) {
      const permit = await this.#account.beginRefresh(since);
      if ("here" in permit) return true;
      if ("wait" in permit) {
        await this.#sleep(permit.wait);
        continue;
      }
      const balance = await this.#options.read();
      const { maxStaleMs } = this.#options.scenario;
      const update = balance && {
        prepaid: balance.capacity,
        postpaid: balance.capacity,
        unsettled: balance.unsettled,
      };
      await this.#account.install(permit.go, update, maxStaleMs);
      return update !== undefined;
    }
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.#options.clock.schedule(ms, resolve));
  }
}

function stored({ id, amount }: FleetReport): OutboxReport {
  const names = { customerId: "ada", agentId: "chat", indicator: "message", currency: "credits" };
  return { id, ...names, rawUsage: {}, entry: { id, amount } };
}
