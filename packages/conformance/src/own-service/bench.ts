import type { Awaitable, Service, ServiceReport } from "@creditgate/core";
import {
  type Outcome,
  readBalance,
  readOutcomes,
  toMicro,
  type WalletReading,
} from "@creditgate/core/adapter";
/** A service on trial, and power over its wallets. */
export interface ServiceOnTrial {
  readonly service: Service;
  /** Adds so many credits to the customer's wallet; opens it if there is none. */
  topUp(customerId: string, credits: number): Awaitable<void>;
  /** What `report` debits for the report below, in credits, more than 0. */
  readonly cost: number;
  /** A report that the service bills. @default agent "chat", indicator "message", 1,000 input tokens of a model "contract" */
  readonly report?: Partial<Pick<ServiceReport, "agentId" | "indicator" | "currency" | "usage">>;
  /** Resolves when all that is stored is debited. Required of a service that neither settles at once nor returns `unsettled`. */
  settled?(): Awaitable<void>;
  /** Ends what was opened for the trial. */
  close?(): Awaitable<void>;
}

/** More tries than a deadlock or a lost connection may cost a report. */
const mostTries = 10;

/** A service on trial, and short ways to deal with it. Amounts are micro-credits. */
export class ServiceBench {
  readonly trial: ServiceOnTrial;
  readonly currency: string;
  readonly cost: number;
  /** Keeps the customers of one rule apart from those of all others, in whatever is shared. */
  readonly #prefix = `contract-${crypto.randomUUID()}-`;

  constructor(trial: ServiceOnTrial) {
    this.trial = trial;
    this.currency = trial.report?.currency ?? "credits";
    this.cost = toMicro(trial.cost, "ceil");
  }

  /** An id that no other rule has. */
  id(name: string): string {
    return this.#prefix + name;
  }

  /** A customer who can pay for so many reports. */
  async customer(name: string, reports: number): Promise<string> {
    const id = this.id(name);
    await this.topUp(id, reports);
    return id;
  }

  async topUp(customerId: string, reports: number): Promise<void> {
    await this.trial.topUp(customerId, (reports * this.cost) / 1e6);
  }

  /** A report with a key of its own. */
  report(customerId: string): ServiceReport {
    const usage = { provider: "contract", model: "contract", inputTokens: 1_000, outputTokens: 0 };
    const { currency } = this;
    return {
      ...{ agentId: "chat", indicator: "message", usage, ...this.trial.report, currency },
      ...{ key: crypto.randomUUID(), customerId },
    };
  }

  reports(customerId: string, count: number): readonly ServiceReport[] {
    return Array.from({ length: count }, () => this.report(customerId));
  }

  /** Calls `report` as the gate does: again with the same keys after it has thrown. */
  async send(reports: readonly ServiceReport[]): Promise<readonly Outcome[]> {
    for (let tries = 1; ; tries++) {
      try {
        return readOutcomes(await this.trial.service.report(reports), reports);
      } catch (error) {
        if (tries === mostTries) throw error;
      }
    }
  }

  /** The wallet; `undefined` if the service does not know the customer. Throws if what it returns makes no sense. */
  async wallet(customerId: string): Promise<WalletReading | undefined> {
    const answer = await this.trial.service.balance(customerId);
    const reading = readBalance(answer, this.trial.service, { currency: this.currency });
    if (!reading.known) throw reading.error;
    return reading.currencies.length === 0 ? undefined : reading.wallet(this.currency);
  }

  /** How many reports the wallet can still pay for, and whether nothing that is stored is missing from that. */
  async look(customerId: string): Promise<{ readonly left: number; readonly isExact: boolean }> {
    const wallet = await this.wallet(customerId);
    if (wallet?.funds === undefined) throw new Error("balance(): expected a wallet, received none");
    const { funds, unsettled } = wallet;
    return { left: (funds - (unsettled ?? 0)) / this.cost, isExact: unsettled !== undefined };
  }

  /** How many reports it can still pay for, once all that is stored is debited. */
  async left(customerId: string): Promise<number> {
    const { trial } = this;
    await trial.settled?.();
    const { left, isExact } = await this.look(customerId);
    if (isExact || trial.settled !== undefined) return left;
    throw new Error(
      'settled: expected a function of the trial, since the service neither settles "at once" nor returns unsettled',
    );
  }
}

/** Throws unless both are the same. */
export function same(what: string, received: unknown, expected: unknown): void {
  if (received !== expected) throw new Error(`${what}: expected ${expected}, received ${received}`);
}
