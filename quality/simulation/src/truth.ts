import type { Usage } from "@creditgate/core";
import type { Random } from "@creditgate/core/testing";
import type { Cost, FakeService } from "./service/fake-service.ts";

/** What a wallet must be able to pay for, in micro-credits: the work that was let in and that is not debited yet. */
interface WalletTruth {
  readonly name: string;
  readonly capacity: () => number;
  /** For work in flight: the most that it may still cost. */
  held: number;
  /** For work done: the most that its reports may still be debited; once the service has taken one, what it costs. */
  owed: number;
  /** Debited although it had been debited before. */
  duplicated: number;
  /** Reported after the end of its work, by what the gate counts for it; of that not in the outbox yet. */
  late: number;
  unfiled: number;
  /** What others have spent, and what was debited for a process whose successor does not know of it; and when. */
  readonly outside: { readonly at: number; readonly amount: number }[];
}

/** Reports that one amount is reserved for, until the service has taken the last of them. */
interface Claim {
  /** What the gate expects, rounded up. */
  readonly amount: number;
  /** What those may cost that the service has not taken. */
  left: number;
  open: number;
}

/** Reports that share one amount: what the gate expects, and what they may be debited, in micro-credits. */
export interface ClaimTerms {
  readonly amount: number;
  readonly most: number;
  readonly reports: readonly ReportTruth[];
}

/** One usage report, with its real cost and state. */
export interface ReportTruth {
  /** Travels in `rawUsage.inputTokens`, by which it is known again. */
  readonly number: number;
  readonly customerId: string;
  readonly currency: string;
  /** The most that the service debits for it, in micro-credits. */
  readonly cost: number;
  /** Billed in another currency, or not at all: it costs the wallet nothing. */
  readonly misbilled: Cost | undefined;
  /** What the service debits for it, as decided when it took it, in micro-credits. */
  taken: number | undefined;
  /** `drafted`: the work goes on. `dropped`: it must never be billed. `forgotten`: the process that knew of it has ended. */
  state: "drafted" | "late" | "filed" | "dropped" | "forgotten";
  /** The most that it costs by the gate's record, in micro-credits. */
  recorded: number;
  debits: number;
  /** The service does not take it as it is. */
  refused: boolean;
  claim: Claim | undefined;
}

/**
 * What each piece of work really costs, and when it is really debited: the reference that the gates are checked against.
 *
 * While the assumptions hold, only an admission makes a wallet's reserve smaller. So "overspend is 0 at every instant" is
 * checked at each admission, with the most that the work may cost.
 */
export class Truth {
  readonly #service: FakeService;
  readonly #now: () => number;
  readonly #repeats: boolean;
  readonly #violated: (message: string) => void;
  readonly #wallets = new Map<string, WalletTruth>();
  readonly #reports: ReportTruth[] = [];
  readonly #ends = new Map<ReportTruth, () => void>();

  constructor(options: {
    readonly service: FakeService;
    readonly now: () => number;
    /** Whether the gate may repeat reports to a service that does not honour keys. */
    readonly repeats: boolean;
    /** A promise has been broken. */
    readonly violated: (message: string) => void;
  }) {
    this.#service = options.service;
    this.#now = options.now;
    this.#repeats = options.repeats;
    this.#violated = options.violated;
  }

  get reports(): readonly ReportTruth[] {
    return this.#reports;
  }

  /** The most that a wallet has been overspent by late reports, in micro-credits, within the bound. */
  overspentLate = 0;

  /** What funds fell by although no usage was left that could explain it: second debits, and what others spent. */
  unexplained(customerId: string, currency: string): number {
    const wallet = this.#wallets.get(nameOf(customerId, currency));
    return wallet === undefined ? 0 : wallet.duplicated + spentSince(wallet, Number.NEGATIVE_INFINITY);
  }

  /** Spending that does not pass the gate. */
  spentOutside(customerId: string, currency: string, amount: number): void {
    this.#wallet(customerId, currency)?.outside.push({ at: this.#now(), amount });
  }

  draft(
    { customerId, currency }: { readonly customerId: string; readonly currency: string },
    cost: number,
    recorded: number,
    misbilled?: Cost,
  ): ReportTruth {
    const number = this.#reports.length;
    const report: ReportTruth = {
      number,
      customerId,
      currency,
      cost,
      misbilled,
      taken: undefined,
      recorded,
      state: "drafted",
      debits: 0,
      refused: false,
      claim: undefined,
    };
    this.#reports.push(report);
    return report;
  }

  /** The report that this usage is of. */
  reportOf({ inputTokens = -1 }: Usage): ReportTruth | undefined {
    return this.#reports[inputTokens];
  }

  /** Work has been let in; what others have spent before `since` must be known to the gate. */
  admitted(customerId: string, currency: string, hold: number, since: number): void {
    const wallet = this.#wallet(customerId, currency);
    if (wallet === undefined) {
      this.#violated(`${customerId} has no wallet ${currency}, yet was let in`);
      return;
    }
    // First what is due is debited: it may be that of a forgotten report.
    this.#service.settle();
    wallet.held += hold;
    this.#checkReserve(wallet, wallet.unfiled + wallet.duplicated + spentSince(wallet, since));
  }

  /** Overspend is at most what breaks an assumption: `excess`, in micro-credits. */
  #checkReserve(wallet: WalletTruth, excess: number): void {
    const reserve = wallet.capacity() - wallet.held - wallet.owed;
    if (reserve + excess >= 0) return;
    this.#violated(
      `overspend: ${wallet.name} can pay ${wallet.capacity()}, but owes ${wallet.owed} and holds ${wallet.held} micro-credits`,
    );
  }

  /** Work goes on that has reported; `cutOff` notes its end should the gate bill it before that. */
  reportedInTime(report: ReportTruth, cutOff: () => void): void {
    this.#ends.set(report, cutOff);
  }

  /** The gate bills a report: work that has not ended has been cut off. */
  billing(report: ReportTruth | undefined): void {
    if (report?.state === "drafted") this.#ends.get(report)?.();
  }

  /** Work has ended: instead of its hold, these amounts may still be debited for these reports. */
  ended(
    work: { readonly customerId: string; readonly currency: string; readonly hold: number },
    claims: readonly ClaimTerms[],
  ): void {
    const wallet = this.#wallet(work.customerId, work.currency);
    if (wallet === undefined) return;
    wallet.held -= work.hold;
    for (const { amount, most, reports } of claims) {
      const claim = { amount, left: most, open: reports.length };
      wallet.owed += most;
      for (const report of reports) {
        this.#ends.delete(report);
        report.state = "filed";
        report.claim = claim;
      }
    }
  }

  /** Work has cost more after its end, which breaks assumption 5: overspend may be as much, and no more. */
  reportedLate(report: ReportTruth): void {
    const wallet = this.#wallet(report.customerId, report.currency);
    if (wallet === undefined) return;
    this.#service.settle();
    report.state = "late";
    report.claim = { amount: report.recorded, left: report.recorded, open: 1 };
    wallet.owed += report.recorded;
    wallet.late += report.recorded;
    wallet.unfiled += report.recorded;
    const outside = spentSince(wallet, Number.NEGATIVE_INFINITY);
    this.#checkReserve(wallet, wallet.late + wallet.duplicated + outside);
    const overspent = wallet.owed + wallet.held - wallet.capacity() - wallet.duplicated - outside;
    this.overspentLate = Math.max(this.overspentLate, Math.min(overspent, wallet.late));
  }

  /** A late report is in the outbox: from here on the gate counts it. */
  lateFiled(report: ReportTruth | undefined): void {
    if (report?.state !== "late") return;
    report.state = "filed";
    const wallet = this.#wallet(report.customerId, report.currency);
    if (wallet !== undefined) wallet.unfiled -= report.recorded;
  }

  /** The service has answered that it will never take this report. */
  refused(usage: Usage): void {
    const report = this.reportOf(usage);
    if (report !== undefined) report.refused = true;
  }

  /** What the service debits for it by the prices of now. */
  costOf(usage: Usage, change: Random | undefined): Cost {
    const report = this.reportOf(usage);
    if (report === undefined) return { currency: null, amount: 0 };
    const { misbilled, currency, cost } = report;
    return misbilled ?? { currency, amount: change?.chance(0.5) ? change.integer(0, cost) : cost };
  }

  /** The service has taken a report, and with it decided what it costs. */
  accepted(usage: Usage, cost: Cost): void {
    const report = this.reportOf(usage);
    if (report === undefined || report.taken !== undefined) return;
    report.taken = report.currency === cost.currency ? cost.amount : 0;
    const { claim, taken } = report;
    const wallet = this.#wallets.get(nameOf(report.customerId, report.currency));
    if (claim === undefined || wallet === undefined) return;
    claim.open--;
    const left = claim.open === 0 ? 0 : claim.left - taken;
    if (report.state === "filed") wallet.owed += taken + left - claim.left;
    claim.left = left;
  }

  /** The service has debited a report. */
  debited(usage: Usage, cost: Cost): void {
    const report = this.reportOf(usage);
    if (report === undefined) {
      this.#violated("the service was sent a report that was never made");
      return;
    }
    const wallet = this.#wallets.get(nameOf(report.customerId, report.currency));
    report.debits++;
    if (wallet === undefined) return;
    const amount = report.currency === cost.currency ? cost.amount : 0;
    const taken = report.taken ?? 0;
    // Without keys it may be taken twice, for another cost each time, and be debited in any order.
    wallet.duplicated += report.debits > 1 ? amount : Math.max(0, amount - taken);
    if (report.debits > 1) {
      if (!this.#repeats) this.#violated(`report ${report.number} was counted ${report.debits} times`);
      return;
    }
    if (report.state === "forgotten") {
      wallet.outside.push({ at: this.#now(), amount });
      return;
    }
    if (report.claim === undefined || report.state !== "filed") {
      this.#violated(`report ${report.number} was billed although it is ${report.state}`);
      return;
    }
    wallet.owed -= taken;
  }

  /**
   * The process has ended. What its successor knows of, since it is `kept`, is as it was; so is what the service has taken, if
   * its balances tell. Work in flight costs nothing more, and what else may still be debited is for the successor as if others
   * spent it.
   */
  restarted(kept: (report: ReportTruth) => boolean, isExtended: boolean): void {
    const claims = new Set<Claim>();
    for (const wallet of this.#wallets.values()) wallet.held = wallet.owed = wallet.unfiled = 0;
    for (const report of this.#reports) {
      if (report.debits > 0) continue;
      const isTaken = report.taken !== undefined;
      if (!kept(report) && !(isTaken && isExtended)) {
        report.state = "forgotten";
        continue;
      }
      // Taken after its process had ended.
      if (report.state === "forgotten") report.state = "filed";
      const wallet = this.#wallet(report.customerId, report.currency);
      if (wallet === undefined || report.claim === undefined) continue;
      wallet.owed += report.taken ?? 0;
      if (isTaken || claims.has(report.claim)) continue;
      claims.add(report.claim);
      wallet.owed += report.claim.left;
    }
  }

  #wallet(customerId: string, currency: string): WalletTruth | undefined {
    const name = nameOf(customerId, currency);
    const known = this.#wallets.get(name);
    if (known !== undefined) return known;
    if (this.#service.wallet(customerId, currency) === undefined) return undefined;
    const capacity = () => this.#service.wallet(customerId, currency)?.capacity ?? 0;
    const wallet: WalletTruth = {
      name,
      capacity,
      held: 0,
      owed: 0,
      duplicated: 0,
      late: 0,
      unfiled: 0,
      outside: [],
    };
    this.#wallets.set(name, wallet);
    return wallet;
  }
}

function spentSince({ outside }: WalletTruth, since: number): number {
  return outside.reduce((sum, { at, amount }) => (at >= since ? sum + amount : sum), 0);
}

function nameOf(customerId: string, currency: string): string {
  return `${customerId}/${currency}`;
}
