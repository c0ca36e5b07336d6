import type { Account, Answer, BlockJournal, Hold, Ledger, Unconfirmed, Word } from "@creditgate/core";
import type { FleetClock } from "./fleet-clock.ts";
import type { FleetScenario } from "./fleet-scenario.ts";

/** A report of usage in an outbox. */
export interface FleetReport {
  readonly id: string;
  readonly amount: number;
  isDelivered: boolean;
}

/** An outbox, which may outlast its process. */
export interface FleetOutbox {
  readonly reports: Set<FleetReport>;
  /** The processes that may have a block. */
  readonly blocks: Set<string>;
}

export type FleetVerdict = "admitted" | "denied" | "unknown";

/** What a gate is connected with. */
export interface FleetGateOptions {
  readonly scenario: FleetScenario;
  readonly clock: FleetClock;
  readonly ledger: Ledger;
  readonly outbox: FleetOutbox;
  /** Whether its outbox outlasts the process. */
  readonly lasting: boolean;
  /** The lag that it is told, as a share of the real one. */
  readonly lagFactor: number;
  /** A report leaves the outbox when it is delivered, not when the store has counted it: a mistake. */
  readonly forgetsAtOnce: boolean;
  /** Asks for the balance; `undefined` where that fails. */
  read(): Promise<{ readonly capacity: number; readonly unsettled: number | undefined } | undefined>;
  /** Resolves when the service has the report. */
  post(report: FleetReport): Promise<void>;
}

/** A request for news, which is shared by all that need some at least so young. */
interface News {
  since: number;
  readonly come: Promise<boolean>;
}

/** What a gate does in a process of a fleet: admits and reports, with the ledger of the process and an outbox of its own. */
export class FleetGate {
  readonly outbox: FleetOutbox;
  readonly #options: FleetGateOptions;
  readonly #account: Account;
  /** Who has its block, as the store knows it. */
  #id: string;
  #current: Promise<boolean> | undefined;
  #next: News | undefined;
  /** Holds, and usage that the store has not counted. */
  inUse = 0;
  /** What was in use when its process stopped last. */
  inUseWhenStopped = 0;
  lastHeard: number;
  /** The epoch and the stamp of the balance that it knows. */
  heard = "";
  #heardSeq = 0;

  constructor(options: FleetGateOptions) {
    this.#options = options;
    const { clock, ledger, outbox, lasting } = options;
    this.outbox = outbox;
    this.lastHeard = clock.wall();
    this.#id = ledger.id;
    this.#account = ledger.account("service", "ada", "credits", lasting ? this.#journal() : undefined);
    this.#recover();
  }

  get id(): string {
    return this.#id;
  }

  #journal(): BlockJournal {
    const { blocks } = this.outbox;
    return {
      begin: async ({ process }) => {
        this.#id = process;
        blocks.add(process);
      },
      end(_account, processes) {
        for (const process of processes) blocks.delete(process);
      },
    };
  }

  /** What the gate before it has left is in the ledger, and its reports go out. */
  #recover(): void {
    const reports = [...this.outbox.reports];
    const amounts = reports.map(({ amount }) => amount);
    for (const amount of amounts) this.inUse += amount;
    const usages = this.#account.recover(amounts, [...this.outbox.blocks]);
    if (usages instanceof Promise) throw new Error("a leased ledger recovers at once");
    for (const [index, report] of reports.entries()) {
      const usage = usages[index];
      if (usage === undefined) throw new Error("recover: expected usage for each amount");
      if (report.isDelivered) this.#acknowledge(report, usage);
      else void this.#deliver(report, usage);
    }
  }

  /** Decides on a piece of work, which may be let in with less than all, but not with less than the least. */
  async ask(
    amount: number,
    least: number = amount,
  ): Promise<{ readonly verdict: FleetVerdict; readonly hold?: Hold }> {
    const { clock, scenario } = this.#options;
    const { maxStaleMs } = scenario;
    const arrival = clock.now();
    const first = await this.#account.hold(amount, "prepaid", arrival - maxStaleMs);
    if (first.admitted) return this.#admitted(first, arrival);
    if (!(await this.#newsSince(arrival))) return { verdict: "unknown" };
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
    if (stamp !== undefined && arrival - stamp > ttlMs) void this.#newsSince(arrival - ttlMs);
    return { verdict: "admitted", hold };
  }

  release(hold: Hold): void {
    this.inUse -= hold.amount;
    this.#account.release(hold);
  }

  /** The work has ended, and is reported. */
  settle(hold: Hold, id: string, amount: number): void {
    const report: FleetReport = { id, amount, isDelivered: false };
    this.outbox.reports.add(report);
    this.inUse += amount - hold.amount;
    const [usage] = this.#account.settle(hold, [amount]);
    if (usage !== undefined) void this.#deliver(report, usage);
  }

  /** An answer comes, maybe a second time. What the store has counted is not in use any more. */
  hear({ seq, acked }: Word, { status, epoch, stamp }: Answer): void {
    this.heard = `${epoch}:${stamp}`;
    if (status === "register" || seq <= this.#heardSeq) return;
    this.#heardSeq = seq;
    this.inUse -= acked;
  }

  async #deliver(report: FleetReport, usage: Unconfirmed): Promise<void> {
    await this.#options.post(report);
    report.isDelivered = true;
    this.#acknowledge(report, usage);
  }

  #acknowledge(report: FleetReport, usage: Unconfirmed): void {
    const { scenario, lagFactor, forgetsAtOnce } = this.#options;
    this.#account.acknowledge(usage, scenario.lagMs * lagFactor);
    if (forgetsAtOnce) this.outbox.reports.delete(report);
    else void this.#forget(report);
  }

  async #forget(report: FleetReport): Promise<void> {
    await this.#options.ledger.counted?.();
    this.outbox.reports.delete(report);
  }

  /** Whether a balance is known that was asked for at `since` or later. */
  async #newsSince(since: number): Promise<boolean> {
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
      const departure = await this.#account.depart(since);
      if ("here" in departure) return true;
      if ("wait" in departure) {
        await this.#sleep(departure.wait);
        continue;
      }
      const balance = await this.#options.read();
      const { maxStaleMs } = this.#options.scenario;
      const news = balance && {
        prepaid: balance.capacity,
        postpaid: balance.capacity,
        unsettled: balance.unsettled,
      };
      await this.#account.install(departure.go, news, maxStaleMs);
      return news !== undefined;
    }
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.#options.clock.schedule(ms, resolve));
  }
}
