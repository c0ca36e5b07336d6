import type { Transport } from "@creditgate/client";
import type { Awaitable } from "../values/awaitable.ts";
import type { DenialCode } from "../values/denial-code.ts";
import type { BalanceReading } from "./balance-reading.ts";
import type { ReportedBudget } from "./budgets/budget.ts";
import type { BalanceUpdate, Capacity, WalletKind } from "./capacity.ts";

/** Credits held for work in flight. Opaque: `settle` turns the same object into {@link Unconfirmed} usage. */
export interface Hold {
  readonly admitted: true;
  /** Micro-credits. */
  readonly amount: number;
}

/** Work done whose debit the balance may not show yet. Opaque. */
export interface Unconfirmed {
  /** Micro-credits, 0 or more. */
  readonly amount: number;
}

/** The figures of an account: what a request that was not admitted is answered with. */
export interface AccountFigures {
  readonly admitted: false;
  /** `undefined` while no balance has been read. */
  readonly capacity: Capacity | undefined;
  /** Micro-credits held for work in flight. */
  readonly held: number;
  /** Micro-credits of work done that the capacity may not show yet; what it is known to show is not counted again. */
  readonly unconfirmed: number;
  /** The part of `unconfirmed` that a newer balance would no longer count: acknowledged since the balance was asked for. */
  readonly recent: number;
  /** When the balance was asked for; `undefined` while none has been read. */
  readonly stamp: number | undefined;
  /** A shared store does not know, or does not answer: the figures neither admit nor deny. */
  readonly isUnsure?: boolean;
  /** The figures are those of this budget, which stands in the way. */
  readonly budget?: RefusingBudget;
}

/** A budget that has no room for a piece of work. Amounts are micro-credits. */
export interface RefusingBudget {
  /** `undefined`: the budget of a run. */
  readonly key: string | undefined;
  /** `undefined` while it has not been read, and for a key that the service does not know. */
  readonly limit: number | undefined;
  readonly left: number;
  /** When its next period begins, in ISO 8601. */
  readonly resetsAt: string | undefined;
  /** It may deny work that came until then; `undefined` while it has not been read. */
  readonly freshFor: number | undefined;
  /** Work that came until then has had an answer that says nothing of it. */
  readonly unreadFor: number | undefined;
}

/** A piece of work, as a ledger knows it that decides by itself. */
export interface LedgerWork {
  /** Unique for ever. */
  readonly id: string;
  /** Micro-credits: the most that is held, and the least with which the work is let in. */
  readonly hold: number;
  readonly least: number;
  /** What names it to the service, beside its customer. */
  readonly agentId: string;
  readonly indicator: string;
  /** Keeps the process going until the promise is settled. */
  readonly waitUntil: ((work: Promise<unknown>) => void) | undefined;
}

/** The decision of a ledger that reads balances itself, before the gate emits it. */
export interface Verdict {
  /** Why the work is not let in; `undefined` where it is. */
  readonly code: DenialCode | undefined;
  readonly rule: "cached" | "stale" | "fresh" | "unread" | "refused";
  /** The kind that the wallet was taken for; `null` where that is not known. */
  readonly kind: WalletKind | null;
  readonly account: WorkAccount;
  /** What is held; `undefined` where the work is not let in. */
  readonly hold: Hold | undefined;
  /** The figures after the decision. */
  readonly figures: AccountFigures;
  /** What the wallet can pay in all, in micro-credits; `undefined` where that is not known. */
  readonly wallet: number | undefined;
  /** Whether the balance that decided includes unsettled usage. */
  readonly extended: boolean;
  /** The parts of a usage that the service accepts, if the ledger has received them in the gate's place. */
  readonly usageParts?: ReadonlySet<string> | undefined;
  /** When it was asked for and when it was given, on the ledger's clock. */
  readonly arrival: number;
  readonly at: number;
}

/** A balance request on its way. Opaque but for its stamp. */
export interface BalanceRequest {
  /** When it was sent, on the ledger's clock: the answer shows some instant at or after it. */
  readonly stamp: number;
}

/** Whether a balance request may be sent now. If not, why: another process is asking, or has asked and this is its answer. */
export type RefreshPermit =
  | { readonly go: BalanceRequest }
  | { readonly wait: number }
  | { readonly here: BalanceUpdate };

/**
 * What a piece of work is paid from: a wallet, or a wallet and the budgets that the work names. Each method is one step: nothing comes
 * between its reading and its writing.
 */
export interface WorkAccount {
  /** When the balance was asked for that decides now, on the ledger's clock; `undefined` while none has been read. */
  readonly stamp: number | undefined;
  /** Those that a report must name, sorted by key. */
  readonly budgets?: readonly ReportedBudget[] | undefined;
  /**
   * Decides on the work, and holds for it. Only in a ledger that reads balances itself: the gate then makes no other
   * call before it admits the work. `kind`: from the gate's options. `unread` receives a balance that could not be
   * read. Never rejects.
   */
  decide?(
    work: LedgerWork,
    kind: WalletKind | undefined,
    unread: (customerId: string, error: unknown) => void,
  ): Promise<Verdict>;
  /**
   * Holds `amount` micro-credits if the snapshot is stamped at or after `notBefore` and the outstanding credits leave
   * room for all of it. If they do not, holds the available room if that is `least` or more, else returns the
   * figures. `workId`: whose hold it is, unique for ever. `least`: `amount` by default.
   */
  hold(
    amount: number,
    kind: WalletKind,
    notBefore: number,
    workId?: string,
    least?: number,
  ): Awaitable<Hold | AccountFigures>;
  /** Ends the hold, if one is given, and records what the work has cost, one object for each amount. */
  settle(hold: Hold | undefined, amounts: readonly number[]): readonly Unconfirmed[];
  /** Ends the hold and records nothing, or keeps `rest` of it. Without effect on one that has ended. Never rejects. */
  release(hold: Hold, rest?: number): Awaitable<void>;
  /** What unacknowledged usage really costs. Without effect on acknowledged usage. */
  correct(usage: Unconfirmed, amount: number): void;
  /**
   * The service has accepted the usage: `lagMs` later a newer snapshot shows its debit. `byQueue`: only a queue has
   * accepted it, so an extended service may not count it yet. `budgets`: the keys that the service has stored with it. No effect on
   * acknowledged usage.
   */
  acknowledge(usage: Unconfirmed, lagMs: number, byQueue?: boolean, budgets?: readonly string[]): void;
  /**
   * Records the usage of earlier processes. `predecessors` are their ids in a shared store, which then holds no
   * credits for them.
   */
  recover(amounts: readonly number[], predecessors: readonly string[]): Awaitable<readonly Unconfirmed[]>;
  /** The latest known figures. */
  figures(kind: WalletKind): AccountFigures;
  /** Has the next balance request ask for the budgets too. Absent where there are none. */
  want?(): void;
  /** The hold of this work; `undefined` if there is none. Only in a ledger that keeps holds by the ids of their works. */
  find?(workId: string): Hold | undefined;
}

/** The state of one wallet. */
export interface Account extends WorkAccount {
  /** What work that names these budgets at the service is paid from. Only in a ledger that reads balances itself. */
  naming?(keys: readonly string[]): WorkAccount;
  /** Of a budget in a shared store: when the newest period began that a balance has shown there. */
  readonly period?: number | undefined;
  /** Called before a balance request is sent, for a balance read at or after `since`. */
  beginRefresh(since: number): Awaitable<RefreshPermit>;
  /**
   * Installs the answer of a balance request if it is newer than the present one; `undefined`: the request has
   * failed. Drops the usage that it is certain to show. If this request was sent after the present answer had come,
   * the fall of the capacity, as far as it is usage, no longer counts as unconfirmed. Falls from before the last
   * `maxStaleMs` are dropped, since they may have been others' spending.
   */
  install(request: BalanceRequest, update: BalanceUpdate | undefined, maxStaleMs: number): Awaitable<void>;
  /** Resolves when a shared store knows all; `giveBack`: also that this process needs none of its credits any more. */
  flush(giveBack: boolean): Awaitable<void>;
  /** Whether nothing would be lost by forgetting this account now. */
  idle(now: number): boolean;
}

/** Where accounts live: in memory for one process, in a shared store for many. */
export interface Ledger {
  /** Distinguishes ledgers of one store by process. */
  readonly id: string;
  /**
   * Whose wallets the client reads, by a name that is the same in all processes which have them. Absent in a ledger that takes the
   * client's fingerprint, which is of one key.
   */
  serviceOf?(client: Pick<Transport, "fingerprint">): Promise<string>;
  /**
   * A handle of the account of this customer and currency at the service of this name. `journal`: the outbox's, from
   * which a successor learns the reservations. A ledger that holds credits in a shared store keeps those of each
   * outbox apart.
   */
  account(service: string, customerId: string, currency: string, journal?: ReservationJournal): Account;
  /** The same of a budget of this customer. Absent in a ledger that keeps none. */
  budget?(
    service: string,
    customerId: string,
    currency: string,
    key: string,
    journal?: ReservationJournal,
  ): Account;
  /**
   * The balances that a shared store has already, in the place of a request; `undefined` where the gate must read them. Absent in a
   * ledger whose accounts have none: `sharedReading` of `core/adapter` is one for those that do.
   */
  sharedReading?(
    wallets: readonly SharedWallet[],
    permits: readonly PermittedRefresh[],
    kind: WalletKind | undefined,
  ): BalanceReading | undefined;
  /** A gate decides by this ledger, on these terms. Absent in a ledger that has no use for them. */
  join?(terms: LedgerTerms): void;
  /** {@link Account.flush} of all accounts. Absent in a ledger that no other process sees. */
  flush?(giveBack: boolean): Awaitable<void>;
  /** Resolves when a shared store counts all that is acknowledged now, which it does sooner or later by itself. */
  counted?(): Awaitable<void>;
  close(): Awaitable<void>;
}

/** What a reading of several wallets needs of each. */
export interface SharedWallet {
  readonly currency: string;
  readonly kind: WalletKind | undefined;
  funds: number | undefined;
}

/** A balance request that may be sent; or the balance update that a shared store has already. */
export type PermittedRefresh = BalanceRequest | { readonly here: BalanceUpdate };

/** The settings of a gate that a ledger needs. Milliseconds. */
export interface LedgerTerms {
  readonly settlementLagMs: number;
  readonly maxStaleMs: number;
  readonly minRefreshMs: number;
  readonly checkTimeoutMs: number;
  /** A balance older than this is read again behind the work that it admits. */
  readonly ttlMs?: number | undefined;
  /** Called, at most once a second, with what keeps a shared store from deciding. */
  readonly troubled?: ((trouble: unknown) => void) | undefined;
}

/** A durable list of the reservations that a process may have in a shared store, so that its successor can free them. */
export interface ReservationJournal {
  /** Resolves when a crash cannot forget it. */
  begin(reservation: NotedReservation): Promise<void>;
  /** These processes have no reservation of the account any more. */
  end(account: string, processes: readonly string[]): Awaitable<void>;
}

/** A process that may have a reservation of an account. */
export interface NotedReservation {
  /** The account's name in the store. */
  readonly account: string;
  /** Who has it: a process, as the store knows it. */
  readonly process: string;
  /** What {@link Ledger.account} was called with. */
  readonly service: string;
  readonly customerId: string;
  readonly currency: string;
  /** The key of a budget; absent for a wallet. */
  readonly budget?: string | undefined;
}
