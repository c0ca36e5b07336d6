import type { Awaitable } from "../values/awaitable.ts";
import type { Usage } from "../values/usage.ts";
import type { ReportedBudget } from "../wallet/budgets/budget.ts";
import type { WalletFigures, WalletKind } from "../wallet/capacity.ts";

/**
 * Any service that bills usage, such as a table of your own, in two functions: the option `service` of `createGate`. `testService()` of
 * `@creditgate/conformance` is its contract. A call that hangs is abandoned, not cancelled: give your database a timeout.
 */
export interface Service {
  /**
   * Names the wallets: services of one name share them. Shared ledgers and durable outboxes store it, so they require it, the same in
   * every process; a service that is created more than once in a process needs it too. @default another for each object
   */
  readonly name?: string | undefined;
  /**
   * `"at once"`: when `report` resolves, every later `balance` shows its debits. The gate then needs no `settlementLagMs`.
   * @default within `settlementLagMs`
   */
  readonly settles?: "at once" | undefined;
  /**
   * Returns the wallet as it is now, not a cached or replicated one; `undefined` or `null` if there is no such customer. If it throws, or
   * takes longer than `checkTimeoutMs`, the gate could not read the balance.
   */
  balance(
    customerId: string,
    /** Keys of budgets whose sums are to be read in the same step; `undefined` if no work has named any. */
    budgets?: readonly string[],
  ): Awaitable<ServiceBalance | null | undefined>;
  /**
   * Stores 1 to 100 reports, each at most once by its `key`, also when the same call comes twice at once. Returns an outcome for each,
   * in their order, or nothing. If it throws, or takes longer than 10 s, the gate pauses and calls it again with the same keys.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: a function that returns nothing may be given
  report(reports: readonly ServiceReport[]): Awaitable<readonly (ServiceOutcome | null | undefined)[] | void>;
}

/** The wallet of a customer, in credits: of a prepaid one `available` suffices, else all six numbers of API 2.1 are required. */
export type ServiceBalance = (
  | { readonly available: number; readonly kind?: "prepaid" | undefined }
  | (WalletFigures & {
      /** @default the option `wallet` of the gate */
      readonly kind?: WalletKind | undefined;
    })
) & {
  /** Credits of reports that `report` has stored and that `available` does not show yet, read in the same statement. Also if they are 0. */
  readonly unsettled?: number | undefined;
  /**
   * The budgets that were asked for, by key; one that is missing does not exist. A service that never returns it knows no budgets, and
   * work that names one is answered 503.
   */
  readonly budgets?: Readonly<Record<string, ServiceBudget>> | undefined;
};

/** A budget of a customer, in credits. */
export interface ServiceBudget {
  /** `null`: it denies nothing. */
  readonly limit: number | null;
  /** Debited in its present period and later ones. */
  readonly used: number;
  /** Stored in these periods and not debited yet. @default 0 */
  readonly unsettled?: number | undefined;
  /** When its present period began and when the next begins, in ISO 8601. @default it does not begin anew */
  readonly period?: string | null | undefined;
  readonly resets_at?: string | null | undefined;
}

/** A piece of usage that {@link Service.report} stores. */
export interface ServiceReport {
  /** Unique for ever; the same whenever this report is repeated. */
  readonly key: string;
  readonly customerId: string;
  readonly agentId: string;
  readonly indicator: string;
  /** That of the gate. */
  readonly currency: string;
  readonly usage: Usage;
  /**
   * The budgets whose sums it belongs to, in the later of the period in which it was received and the one that it names. To be stored with
   * it.
   */
  readonly budgets?: readonly ReportedBudget[] | undefined;
}

/** What became of a report. Without `refused` it is stored. */
export interface ServiceOutcome {
  /** What it costs, 0 or more, the same for a repeated key. The gate counts this instead of its estimate. */
  readonly credits?: number | undefined;
  /** Why it is not stored, and never will be as it is: the gate keeps it as a dead letter, and delivers the others. */
  readonly refused?: string | undefined;
}
