import type { Clock, GateOptions, Ledger } from "@creditgate/core";
import {
  type Ambiguous,
  type BudgetHome,
  balanceSource,
  budgetedAccount,
  Customer,
  controlPlane,
  type Delivery,
  type Entry,
  type Freshness,
  type GateEvents,
  KnownService,
  mayRepeat,
  OutboxDelivery,
  ReportedCosts,
  type Wallet,
  type WorkAccount,
} from "@creditgate/core/adapter";
import type { MessageTerms } from "./messages.ts";
import type { StoredOutbox } from "./stored-outbox.ts";
import type { WalletAccount } from "./wallet-account.ts";
import type { WalletBudgets } from "./wallet-budgets.ts";

/** A Worker and its objects may have six connections at once; the balance needs one. */
const concurrency = 4;

/** What a {@link ServiceLink} is made of. */
export interface ServiceLinkOptions {
  readonly client: NonNullable<GateOptions["client"]>;
  readonly ambiguous: Ambiguous;
  readonly clock: Clock;
  readonly random: () => number;
  readonly events: GateEvents;
  readonly account: WalletAccount;
  readonly budgets: WalletBudgets;
  readonly outbox: StoredOutbox;
  readonly customerId: string;
  readonly currency: string;
  /** Those of the last message. */
  readonly terms: () => MessageTerms;
}

/** The service as one object speaks to it: reads the balance of its wallet, and delivers its usage. */
export interface ServiceLink {
  readonly service: KnownService;
  readonly customer: Customer;
  readonly wallet: Wallet;
  /** What work that names these budgets is paid from; `undefined` if no more budgets fit in memory. */
  accountOf(budgets: readonly string[]): WorkAccount | undefined;
  readonly freshness: Freshness;
  readonly delivery: Delivery;
}

/**
 * Begins to deliver what the outbox has, whose entries are `left`. Rejects where the client cannot say for which service it is: then it
 * may be tried again.
 */
export async function linkService(
  options: ServiceLinkOptions,
  left: ReadonlyMap<string, Entry>,
): Promise<ServiceLink> {
  const { client, clock, random, events, account, budgets, outbox, customerId, currency, ambiguous, terms } =
    options;
  const fingerprint = await client.fingerprint();
  const service = new KnownService(fingerprint, { id: crypto.randomUUID(), ledger: "shared" });
  const { keysHonouredBy, sent = [] } = outbox.unfinished();
  const keysWritten = keysHonouredBy === fingerprint;
  if (keysWritten) service.learnKeys();
  if (!mayRepeat(ambiguous, service.honoursKeys)) {
    for (const report of sent) {
      const error = new Error(
        "the object was evicted while the report was on its way: it may have been processed",
      );
      outbox.park(report, String(error));
      events.emit("parked", { report, error });
    }
  }
  const upstream = controlPlane(client);
  const wallets = { open: { service } };
  const ledger: Ledger = {
    id: "object",
    account: () => account,
    budget: (_service, _customerId, _currency, key) => budgets.account(key),
    close() {},
  };
  const home: BudgetHome = { service, ledger, clock, all: () => [customer] };
  const customer = new Customer(customerId, home);
  const wallet = customer.wallet(currency);
  const delivery = new OutboxDelivery({
    upstream,
    clock,
    random,
    ambiguous,
    concurrency,
    events,
    outbox,
    wallets,
    lagWatch: undefined,
    reportedCosts: new ReportedCosts(events),
    accounts: () => ledger,
    get settlementLagMs() {
      return terms().settlementLagMs;
    },
    get maxStaleMs() {
      return terms().maxStaleMs;
    },
  });
  delivery.start({ left, keysWritten, delivered: [], lost: [], kept: new Map(), decided: [] });
  return {
    service,
    customer,
    wallet,
    accountOf: (keys) => budgetedAccount(customer, wallet, keys, home, {}),
    delivery,
    freshness: {
      clock,
      get ttlMs() {
        return terms().ttlMs;
      },
      get maxStaleMs() {
        return terms().maxStaleMs;
      },
      get checkTimeoutMs() {
        return terms().checkTimeoutMs;
      },
      unread() {},
      answering: (asked) => delivery.answering(asked),
      source: (asked, kind) =>
        balanceSource({ ...terms(), upstream, wallets, currency }, events, asked, kind),
    },
  };
}
