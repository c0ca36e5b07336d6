import type { Transport } from "@creditgate/client";
import type { DenialCode } from "../denial/denial-code.ts";
import type { Awaitable } from "../values/awaitable.ts";
import type { Capacities, Capacity, WalletKind } from "./capacity.ts";

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
export interface Standing {
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
  /** A shared store cannot tell, or does not answer: the figures say neither yes nor no. */
  readonly isUnsure?: boolean;
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

/** What a ledger has decided that reads balances by itself: a decision of the gate before it is told. */
export interface Verdict {
  /** Why the work is not let in; `undefined` where it is. */
  readonly code: DenialCode | undefined;
  readonly rule: "cached" | "stale" | "news" | "no_news" | "refused";
  /** The kind that the wallet was taken for; `null` where that is not known. */
  readonly kind: WalletKind | null;
  readonly account: Account;
  /** What is held; `undefined` where the work is not let in. */
  readonly hold: Hold | undefined;
  /** The figures after the decision. */
  readonly standing: Standing;
  /** What the wallet can pay in all, in micro-credits; `undefined` where that is not known. */
  readonly wallet: number | undefined;
  /** Whether the balance that decided tells what is not settled yet. */
  readonly tells: boolean;
  /** The parts of a usage that the service takes, where the ledger has heard that in the gate's place. */
  readonly usageParts?: ReadonlySet<string> | undefined;
  /** When it was asked for and when it was given, on the ledger's clock. */
  readonly arrival: number;
  readonly at: number;
}

/** A balance request on its way. Opaque but for its stamp. */
export interface BalanceRequest {
  /** When it left, on the ledger's clock: the answer shows some instant at or after it. */
  readonly stamp: number;
}

/** What a balance answer says of one wallet. */
export interface WalletNews extends Capacities {
  /** Micro-credits of usage that the service has accepted and not debited yet; `undefined` where it does not tell. */
  readonly unsettled?: number | undefined;
}

/** Whether a balance request may leave now, and if not, why: another process is asking, or has asked, and this is its answer. */
export type Departure =
  | { readonly go: BalanceRequest }
  | { readonly wait: number }
  | { readonly here: WalletNews };

/** The state of one wallet. Each method is one step: nothing comes between its reading and its writing. */
export interface Account {
  /** When the balance was asked for that decides now, on the ledger's clock; `undefined` while none has been read. */
  readonly stamp: number | undefined;
  /**
   * Holds `amount` micro-credits if the snapshot is stamped at or after `notBefore` and what is outstanding leaves room for
   * all of it; where it does not, as much as there is room for, if that is `least` or more; else answers with the figures.
   * `workId`: whose hold it is, unique for ever. `least`: `amount` by default.
   */
  hold(
    amount: number,
    kind: WalletKind,
    notBefore: number,
    workId?: string,
    least?: number,
  ): Awaitable<Hold | Standing>;
  /**
   * Decides on the work, and holds for it: of a ledger that reads balances by itself, which then is asked for nothing else before
   * the work is let in. `kind`: as the gate's options say it. `unread` is told of a balance that could not be read. Never rejects.
   */
  decide?(
    work: LedgerWork,
    kind: WalletKind | undefined,
    unread: (customerId: string, error: unknown) => void,
  ): Promise<Verdict>;
  /** Ends the hold, if one is given, and records what the work has cost, one object for each amount. */
  settle(hold: Hold | undefined, amounts: readonly number[]): readonly Unconfirmed[];
  /** Ends the hold and records nothing. Without effect on one that has ended. Never rejects. */
  release(hold: Hold): Awaitable<void>;
  /** What unacknowledged usage really costs. Without effect on acknowledged usage. */
  correct(usage: Unconfirmed, amount: number): void;
  /**
   * The service has the usage: `lagMs` later a newer snapshot shows its debit. `byQueue`: only a queue has it, so that a
   * service that tells what it has not settled may not know of it. Without effect on acknowledged usage.
   */
  acknowledge(usage: Unconfirmed, lagMs: number, byQueue?: boolean): void;
  /** Records what earlier processes have left. `predecessors` are their ids in a shared store, which holds credits for them no longer. */
  recover(amounts: readonly number[], predecessors: readonly string[]): Awaitable<readonly Unconfirmed[]>;
  /** Asked before a balance request is sent, for news at or after `since`. */
  depart(since: number): Awaitable<Departure>;
  /**
   * Takes the answer of a balance request if it is newer than the present one; `undefined`: the request has failed. Drops
   * the usage that it is certain to show. What the capacity has fallen by, as far as that is usage, does not count as
   * unconfirmed any more, if this request left after the present answer had come; falls from before the last `maxStaleMs` are
   * forgotten, for they may have been others' spending.
   */
  install(request: BalanceRequest, news: WalletNews | undefined, maxStaleMs: number): Awaitable<void>;
  /** The figures as they were last heard. */
  standing(kind: WalletKind): Standing;
  /** Resolves when a shared store knows all; `giveBack`: also that this process needs none of its credits any more. */
  flush(giveBack: boolean): Awaitable<void>;
  /** Whether nothing would be lost by forgetting this account now. */
  idle(now: number): boolean;
}

/** Where accounts live: in memory for one process, in a shared store for many. */
export interface Ledger {
  /** Tells ledgers of one store apart by process. */
  readonly id: string;
  /**
   * Whose wallets the client reads, by a name that is the same in all processes which have them. Absent in a ledger that takes the
   * client's fingerprint, which is of one key.
   */
  serviceOf?(client: Pick<Transport, "fingerprint">): Promise<string>;
  /**
   * A handle of the account of this customer and currency at the service of this name. `journal`: of the outbox that tells a
   * successor what is used of it. A ledger that holds credits in a shared store keeps those of each outbox apart.
   */
  account(service: string, customerId: string, currency: string, journal?: BlockJournal): Account;
  /** A gate decides by this ledger, on these terms. Absent in a ledger that has no use for them. */
  join?(terms: LedgerTerms): void;
  /** {@link Account.flush} of all accounts. Absent in a ledger that no other process sees. */
  flush?(giveBack: boolean): Awaitable<void>;
  /** Resolves when a shared store counts all that is acknowledged now, which it does sooner or later by itself. */
  counted?(): Awaitable<void>;
  close(): Awaitable<void>;
}

/** What a gate has been told of its service, and how it decides. Milliseconds. */
export interface LedgerTerms {
  readonly settlementLagMs: number;
  readonly maxStaleMs: number;
  readonly minRefreshMs: number;
  readonly checkTimeoutMs: number;
  /** A balance older than this is read again behind the work that it admits. */
  readonly ttlMs?: number | undefined;
  /** Told, at most once a second, of what keeps a shared store from deciding. */
  readonly troubled?: ((trouble: unknown) => void) | undefined;
}

/** A durable list of the blocks that a process may have in a shared store, so that its successor can free them. */
export interface BlockJournal {
  /** Resolves when a crash cannot forget it. */
  begin(block: NotedBlock): Promise<void>;
  /** These processes have no block of the account any more. */
  end(account: string, processes: readonly string[]): Awaitable<void>;
}

/** A process that may have a block of an account. */
export interface NotedBlock {
  /** The account's name in the store. */
  readonly account: string;
  /** Who has it: a process, as the store knows it. */
  readonly process: string;
  /** What {@link Ledger.account} was called with. */
  readonly service: string;
  readonly customerId: string;
  readonly currency: string;
}
