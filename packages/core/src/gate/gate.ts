import { type Finding, isCreditgateError } from "@creditgate/client";
import { balanceDetails, budgetedAccount, checkBudgets } from "#budgets";
import { claimOutbox, writeHold } from "#outbox-support";
import { checkService, watchSetup } from "#service-check";
import { observeWithOpenTelemetry } from "#telemetry";
import { AdmittedWork } from "../charge/admitted-work.ts";
import { Billing } from "../charge/billing.ts";
import { type Charge, GateCharge } from "../charge/charge.ts";
import { FreeCharge } from "../charge/free-charge.ts";
import { Allowed, type Decision, Denied } from "../charge/verdict.ts";
import { type AuthorizeRequest, checkedWork, type Work } from "../decision/authorize-request.ts";
import { decide, type Freshness, isStale } from "../decision/decision.ts";
import { type Judgement, refused, traceOf } from "../decision/trace.ts";
import type { Delivery } from "../delivery/delivery.ts";
import { createDelivery } from "../delivery/gate-delivery.ts";
import type { LagWatch } from "../delivery/lag-watch.ts";
import { Advice } from "../denial/advice.ts";
import { type Denial, denialOf } from "../denial/denial.ts";
import { type GateEventMap, GateEvents } from "../events/events.ts";
import { OperatorLog } from "../events/operator-log.ts";
import { checkWallet, type GateOptions, type GateSettings, gateSettings } from "../options/gate-options.ts";
import type { OutboxReport, OutboxStatus } from "../outbox/outbox.ts";
import type { Customers } from "../registry/customers.ts";
import { balanceSource, replicaWarning } from "../service/balance-source.ts";
import { type Awaitable, andThen, isThenable, promiseOf } from "../values/awaitable.ts";
import { within } from "../values/clock.ts";
import type { DenialCode } from "../values/denial-code.ts";
import { fromMicro } from "../values/micro.ts";
import { checkNames, checkNumber, day, isIdentifier } from "../values/option.ts";
import type { GateBudget } from "../wallet/budgets/budget.ts";
import type { WalletKind, WalletProblem } from "../wallet/capacity.ts";
import type { Customer, Wallet } from "../wallet/customer.ts";
import type { ExpiringCredits } from "../wallet/expiring.ts";
import { GateWallets } from "./gate-wallets.ts";

/** A wallet as the gate sees it. Amounts are credits. */
export interface GateBalance {
  /** What the wallet can pay in all, `Infinity` without a limit; `undefined` while that is not known. */
  readonly capacity: number | undefined;
  /** Held for work in flight. */
  readonly held: number;
  /** For work done that the service may not have debited yet. */
  readonly unconfirmed: number;
  /** Why there is no capacity, if the service has reported a reason. */
  readonly problem?: WalletProblem;
  /** The balance is older than `maxAgeMs`: no fresh one arrived in time. */
  readonly stale?: true;
  /**
   * What of it expires next, the soonest first, as this process has last read it: to show to people. Absent if nothing expires, and in
   * bundles for the edge.
   */
  readonly expiring?: readonly ExpiringCredits[];
  /** The budgets that were asked for, by key: those that the service knows and this process has read. */
  readonly budgets?: Readonly<Record<string, GateBudget>>;
}

/** What {@link Gate.check} checks besides the gate's own options. What is left out is not checked. */
export interface CheckRequest {
  readonly agentId?: string;
  readonly indicator?: string;
  /** External id of a customer. */
  readonly customerId?: string;
}

/** Lets work in only if its customer's wallet can pay for it, and bills what it used. */
export interface Gate {
  /**
   * Decides, and holds credits if it lets the work in. Synchronous inside when the balance is cached and suffices.
   * Rejects for misuse (`invalid_option`) only, such as a field that it does not know, or a `wallet()` that returns no kind:
   * an outage is a denial too, also one that makes `wallet()` throw.
   */
  authorize(request: AuthorizeRequest): Promise<Decision>;
  /** Whether `close()` has been called. */
  readonly closing: boolean;
  /**
   * The wallet's present balance; `undefined` for a customer that is not in memory, and while the remainder of an
   * earlier process is unknown. With `maxAgeMs`, a customer is taken into memory and an older balance is requested
   * again, one request for all callers that wait. The balance is `stale` if none comes within `checkTimeoutMs`. `budgets`: keys of
   * budgets at the service, read with it.
   */
  balance(
    customerId: string,
    options?: { readonly maxAgeMs?: number; readonly budgets?: readonly string[] },
  ): Promise<GateBalance | undefined>;
  /**
   * Tries the service as this gate uses it, and changes nothing there: address, key, clock, then what `expected`
   * names, with the gate's currency, wallet and price. `ok: undefined` is what the service does not report. Rejects
   * with `invalid_option` for a name that it does not know, else never. Bundles for the edge do not contain it:
   * `creditgate doctor` does the same. Resolves with `[]` if the gate has the option `service`.
   */
  check(expected?: CheckRequest): Promise<readonly Finding[]>;
  /**
   * Has the customer's balance read again now, as from the webhook of a payment: work that waits in `pause()` for
   * it goes on. Without effect for a customer that is not in memory.
   */
  refresh(customerId: string): void;
  /** Calls the listener at each such event; the returned function ends that. */
  on<Name extends keyof GateEventMap>(name: Name, listener: (event: GateEventMap[Name]) => void): () => void;
  /** What is under way now; sends nothing. */
  status(): Promise<GateStatus>;
  /**
   * Sends the parked and dead reports with these ids again, as an operator decides, and emits `resolved` for each.
   * Resolves with the ids that were sent; others are unchanged.
   */
  retry(ids: readonly string[]): Promise<readonly string[]>;
  /** Delivers what is queued, now. Resolves with the remainder when all is delivered, or after `timeoutMs` (10_000). */
  flush(options?: { readonly timeoutMs?: number }): Promise<OutboxStatus>;
  /**
   * Stops admitting work, waits up to `graceMs` (10_000) for work in flight, and delivers queued usage. Abandoned
   * work whose end is not seen is billed at once. A tenth of `graceMs` before the end, open work is billed what it
   * has reported, and metered calls (`beforeBill`) are ended; what they report then is late. A durable outbox gets
   * one more second to finish its writes. Usage reported after `close()` is delivered only from a durable outbox;
   * else `settle()` rejects and `undelivered` is emitted.
   */
  close(options?: { readonly graceMs?: number }): Promise<CloseOutcome>;
}

/** What a gate has under way. */
export interface GateStatus extends OutboxStatus {
  /** Pieces of work that have been let in and have not ended. */
  readonly open: number;
  /** Credits that are held for them, of all customers. */
  readonly held: number;
}

/** What remains when a gate has closed. */
export interface CloseOutcome extends OutboxStatus {
  /** Pieces of work that had not ended, and had reported nothing: what they cost is not billed. */
  readonly open: number;
  /**
   * The reports that are lost when the process exits: all that remain without a durable outbox, and those that a
   * durable outbox did not accept. The event `undelivered` has them too. One that is in flight may still arrive.
   */
  readonly undelivered: readonly OutboxReport[];
}

/**
 * Creates a gate. Throws an `invalid_option` error that names option, expected and received. With a durable outbox,
 * the remainder of an earlier process is read and delivered from now on: add listeners in the same turn.
 */
export function createGate(options: GateOptions): Gate {
  return new CreditGate(gateSettings(options));
}

const nothing = () => {};

class CreditGate implements Gate {
  readonly #settings: GateSettings;
  readonly #events: GateEvents;
  readonly #lagWatch: LagWatch | undefined;
  readonly #delivery: Delivery;
  readonly #billing: Billing;
  readonly #freshness: Freshness;
  readonly #advice: Advice;
  readonly #setup: ReturnType<typeof watchSetup>;
  /**
   * Names the work of this gate, and its reports, apart from that of every other that ever was. Drawn with the first work: a gate may be
   * made where Workers give no random values.
   */
  #name: string | undefined;
  readonly #wallets: GateWallets;
  #unclaimOutbox = nothing;
  #works = 0;
  #closing: Promise<CloseOutcome> | undefined;

  constructor(settings: GateSettings) {
    this.#settings = settings;
    const log = settings.logger === false ? undefined : new OperatorLog(settings.clock, settings.logger);
    this.#events = new GateEvents(log && ((name, event) => log.log(name, event)));
    this.#wallets = new GateWallets(settings, this, this.#events);
    const { clock, ttlMs, maxStaleMs, checkTimeoutMs } = settings;
    const warnOfReplicas = replicaWarning(clock, this.#events);
    const asking = { ...settings, wallets: this.#wallets, warnOfReplicas };
    const source = (customer: Customer, kind?: WalletKind) =>
      balanceSource(asking, this.#events, customer, kind);
    const find = (customerId: string) => this.#wallets.open.peek(customerId);
    const { delivery, lagWatch } = createDelivery({
      ...asking,
      events: this.#events,
      source,
      find,
      accounts: () => this.#wallets.open.ledger,
    });
    this.#delivery = delivery;
    this.#lagWatch = lagWatch;
    this.#billing = new Billing(settings, this.#events, delivery, {
      accountOf: ({ customerId, currency, budgets }) =>
        this.#wallets.open.accountOf(customerId, currency, settings.outbox?.reservations, budgets),
      service: () => this.#wallets.known?.service,
      extension: {
        observes: settings.mode === "observe",
        closing: () => this.closing,
        judge: (work) => this.#judgeMore(work),
        allow: (work, judgement) => this.#emitDecision(work, judgement),
        deny: (work, judgement) => this.#deny(work, judgement),
        writeAhead: (work, judgement, held) =>
          settings.durableHolds ? this.#writeAhead(work, judgement, held, () => false) : judgement,
      },
    });
    const unread = (customerId: string, error: unknown) =>
      void this.#degradedBy("balance", customerId)(error);
    const answering = (customerId: string) => delivery.answering?.(customerId);
    this.#freshness = { clock, ttlMs, maxStaleMs, checkTimeoutMs, source, answering, unread };
    this.#advice = new Advice(settings, this.#events);
    this.#setup = watchSetup(this, settings, this.#events, this.#wallets);
    if (settings.openTelemetry !== false) void observeWithOpenTelemetry(this.#events, settings.openTelemetry);
    if (settings.outbox !== undefined) this.#unclaimOutbox = claimOutbox(settings.outbox);
    this.#wallets.recover(this.#events, (recovered) => delivery.start(recovered));
  }

  get closing(): boolean {
    return this.#closing !== undefined;
  }

  // Not async: the state of an async function would cost as much as the decision.
  authorize(request: AuthorizeRequest): Promise<Decision> {
    try {
      this.#name ??= `${crypto.randomUUID()}:`;
      const work = checkedWork(request, this.#settings.currency, `${this.#name}${this.#works++}`);
      const judged = this.#judge(work);
      if (judged instanceof Promise || judged.hold === undefined || this.#settings.durableHolds) {
        return this.#authorizeLater(work, judged);
      }
      return promiseOf(this.#allow(work, judged));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async #authorizeLater(work: Work, judging: Awaitable<Judgement>): Promise<Decision> {
    const judged = this.#setup?.watch(work, judging, this.#works) ?? judging;
    const { durableHolds, mode } = this.#settings;
    const verdict = judged instanceof Promise ? this.#reconsider(await judged) : judged;
    const { known } = this.#wallets;
    if (verdict.usageParts && known) known.service.usageParts = verdict.usageParts;
    const judgement =
      durableHolds && verdict.hold !== undefined
        ? await this.#writeAhead(work, verdict, verdict.hold.amount, () => this.closing)
        : verdict;
    const { code } = judgement;
    if (code === undefined) {
      // A balance that was read for it may pay for more.
      this.#billing.pauses?.wake(work.customerId);
      return this.#allow(work, judgement);
    }
    this.#emitDecision(work, judgement);
    const denial = denialOf(code, work.least, this.#settings, judgement);
    if (mode === "observe") {
      await this.#wallets.find().catch(nothing);
      const charge = code === "customer_unresolved" ? new FreeCharge() : this.#open(work);
      return { allowed: true, charge, trace: traceOf(judgement, work.least, mode), observed: denial };
    }
    const advised = this.#advice.add(denial, work);
    return new Denied(advised instanceof Promise ? await advised : advised, judgement, work.least);
  }

  #allow(work: Work, judgement: Judgement): Decision {
    this.#emitDecision(work, judgement);
    const amount = judgement.hold?.amount ?? work.hold;
    return new Allowed(this.#open(work, judgement), judgement, amount, this.#settings.mode);
  }

  #open(work: Work, { account, hold }: Partial<Judgement> = {}): Charge {
    const admitted = new AdmittedWork({ work, account, hold });
    const charge = new GateCharge(admitted, this.#billing);
    this.#billing.open(admitted, charge);
    return charge;
  }

  /** Whether work that goes on may cost more: also while the gate closes, which lets such work end. */
  async #judgeMore(work: Work): Promise<Judgement> {
    const { refusal } = this.#delivery;
    if (refusal !== undefined) return refused(refusal);
    return this.#prepareAndConsult(work);
  }

  async #deny(work: Work, judgement: Judgement): Promise<Denial> {
    this.#emitDecision(work, judgement);
    const { code = "upstream_unavailable" } = judgement;
    return this.#advice.add(denialOf(code, work.least, this.#settings, judgement), work);
  }

  #judge(work: Work): Awaitable<Judgement> {
    const { wallet } = this.#settings;
    if (!isIdentifier(work.customerId)) return refused("customer_unresolved");
    if (this.#closing !== undefined) return refused("closing");
    const { refusal } = this.#delivery;
    if (refusal !== undefined) return refused(refusal);
    const { ready } = this.#wallets;
    if (ready !== undefined && typeof wallet !== "function") return this.#consult(work, ready, wallet);
    return this.#prepareAndConsult(work);
  }

  async #prepareAndConsult(work: Work): Promise<Judgement> {
    const { customerId } = work;
    const kind = await this.#kindOf(customerId).catch(this.#degradedBy("wallet", customerId));
    if (this.#wallets.known === undefined && !(await this.#knowsService()))
      return refused("upstream_unavailable");
    const customers = await this.#wallets.find().catch(this.#degradedBy("outbox"));
    if (kind === "failed" || customers === undefined || customers === "failed")
      return refused("upstream_unavailable");
    return this.#consult(work, customers, kind);
  }

  /** A client without an address, a key or an organisation is the operator's to mend, and no misuse of the gate by this request. */
  async #knowsService(): Promise<boolean> {
    try {
      return (await this.#wallets.name()) !== undefined;
    } catch (error) {
      this.#events.emit("degraded", { what: "balance", error });
      return false;
    }
  }

  /** Emits an outage, which is a denial; misuse goes on to the caller. */
  #degradedBy(what: "balance" | "outbox" | "wallet", customerId?: string): (error: unknown) => "failed" {
    return (error) => {
      if (isCreditgateError(error) && error.code === "invalid_option") throw error;
      this.#events.emit("degraded", { what, error, ...(customerId !== undefined && { customerId }) });
      return "failed";
    };
  }

  #consult(work: Work, customers: Customers, kind: WalletKind | undefined): Awaitable<Judgement> {
    if (this.#isUnbillable(work)) return refused("unbillable");
    const customer = customers.get(work.customerId);
    if (customer === undefined) return refused("over_capacity");
    const wallet = this.#walletOf(customer, work.currency);
    const { budgets } = work;
    const account = budgets
      ? budgetedAccount(customer, wallet, budgets, customers, this.#settings)
      : wallet.account;
    if (account === undefined) return refused("over_capacity");
    const arrival = customers.clock.now();
    const judging = decide({ work, customer, wallet, account, kind, arrival }, this.#freshness);
    return isThenable(judging) ? this.#triedLater(work, judging) : this.#tried(work, judging);
  }

  async #triedLater(work: Work, judging: Promise<Judgement>): Promise<Judgement> {
    return this.#tried(work, await judging);
  }

  /** A request that cannot pay tries nothing. Meanwhile the service may have refused such work. */
  #tried(work: Work, judgement: Judgement): Judgement {
    const isRefused = judgement.hold !== undefined && this.#isUnbillable(work, true);
    return isRefused ? revoked(judgement, "unbillable") : judgement;
  }

  #isUnbillable(work: Work, tries?: boolean): boolean {
    const { unbillable } = this.#wallets.open.service;
    return unbillable.refuses(work, this.#settings.clock, this.#delivery.fullOfDead, tries);
  }

  #walletOf(customer: Customer, currency: string): Wallet {
    return customer.wallet(currency, this.#settings.outbox?.reservations);
  }

  /** The gate may have begun to close while the verdict was on its way. */
  #reconsider(judgement: Judgement): Judgement {
    if (judgement.hold === undefined || this.#closing === undefined) return judgement;
    return revoked(judgement, "closing");
  }

  /** With `durableHolds`. Nothing begins once the gate closes, but what goes on may. */
  async #writeAhead(
    work: Work,
    judgement: Judgement,
    held: number,
    isClosing: () => boolean,
  ): Promise<Judgement> {
    const code = await writeHold(work, judgement, held, {
      outbox: this.#settings.outbox,
      events: this.#events,
      isClosing,
    });
    return code === undefined ? judgement : revoked(judgement, code);
  }

  /** `undefined`: the service reports it. */
  async #kindOf(customerId: string): Promise<WalletKind | undefined> {
    const { wallet } = this.#settings;
    return typeof wallet === "function" ? checkWallet(await wallet(customerId)) : wallet;
  }

  async balance(
    customerId: string,
    { maxAgeMs, budgets }: { readonly maxAgeMs?: number; readonly budgets?: readonly string[] } = {},
  ): Promise<GateBalance | undefined> {
    const asked = maxAgeMs !== undefined && checkNumber("maxAgeMs", maxAgeMs, 0, day) >= 0;
    const kind = await this.#kindOf(customerId);
    const customers = await this.#wallets.find();
    if (customers === undefined) return undefined;
    const customer =
      asked && isIdentifier(customerId) ? customers.get(customerId) : customers.peek(customerId);
    if (customer === undefined) return undefined;
    const wallet = this.#walletOf(customer, this.#settings.currency);
    const keys = budgets === undefined ? undefined : checkBudgets(budgets);
    // Those that no work has named are not kept for a look at them.
    const budgeted =
      asked && keys ? budgetedAccount(customer, wallet, keys, customers, this.#settings) : undefined;
    const arrival = customers.clock.now();
    const account = budgeted ?? wallet.account;
    const stale =
      asked && (await isStale({ customer, wallet, account, kind }, arrival - maxAgeMs, this.#freshness));
    const { capacity, held, unconfirmed } = wallet.account.figures(kind ?? wallet.kind ?? "prepaid");
    return {
      capacity: typeof capacity === "number" ? fromMicro(capacity) : undefined,
      held: fromMicro(held),
      unconfirmed: fromMicro(unconfirmed),
      ...(typeof capacity === "string" && { problem: capacity }),
      ...(stale && { stale }),
      ...balanceDetails(customer, wallet, keys),
    };
  }

  async check(request: CheckRequest = {}): Promise<readonly Finding[]> {
    const { client, currency, wallet, price = null } = this.#settings;
    if (client === undefined) return [];
    const who = request.customerId ?? "";
    const kind = typeof wallet === "function" && who !== "" ? await this.#kindOf(who).catch(nothing) : wallet;
    const expected = { ...request, currency, price };
    return checkService(client, typeof kind === "string" ? { ...expected, wallet: kind } : expected);
  }

  refresh(customerId: string): void {
    if (this.#billing.pauses?.wake(customerId)) return;
    const { clock, source } = this.#freshness;
    const { wallet } = this.#settings;
    const kind = typeof wallet === "function" ? undefined : wallet;
    const customer = this.#wallets.ready?.peek(customerId);
    customer?.refreshSince(clock.now(), source(customer, kind));
  }

  on<Name extends keyof GateEventMap>(name: Name, listener: (event: GateEventMap[Name]) => void): () => void {
    return this.#events.on(name, listener);
  }

  async status(): Promise<GateStatus> {
    const { queued, parked, dead } = await this.#delivery.status();
    const { open, held } = this.#billing.figures;
    return { queued, parked, dead, open, held: fromMicro(held) };
  }

  async retry(ids: readonly string[]): Promise<readonly string[]> {
    // The remainder of an earlier process is in the ledger before it is sent.
    await this.#wallets.tried();
    if (this.#wallets.known === undefined) return [];
    const reports = await this.#delivery.retry?.(ids);
    return reports?.map(({ id }) => id) ?? [];
  }

  async flush(options: { readonly timeoutMs?: number } = {}): Promise<OutboxStatus> {
    checkNames(options, { timeoutMs: true });
    const timeoutMs = checkNumber("timeoutMs", options.timeoutMs ?? 10_000, 0, day);
    const { clock } = this.#settings;
    const deadline = clock.now() + timeoutMs;
    await this.#hurry(timeoutMs);
    await within(this.#billing.filed(), Math.max(0, deadline - clock.now()), clock);
    const { outbox } = this.#settings;
    if (this.#wallets.known === undefined && outbox !== undefined) return outbox.status();
    return this.#delivery.flush(Math.max(0, deadline - clock.now()));
  }

  /** Delivers at once what is queued, as soon as the wallets are known. Never rejects. */
  async #hurry(timeoutMs: number): Promise<void> {
    // The outbox may hold reports of an earlier process or gate, whose acknowledgements need an account.
    await within(this.#wallets.tried(), timeoutMs, this.#settings.clock);
    if (this.#wallets.known !== undefined) this.#delivery.hurry();
  }

  close(options: { readonly graceMs?: number } = {}): Promise<CloseOutcome> {
    checkNames(options, { graceMs: true });
    const graceMs = checkNumber("graceMs", options.graceMs ?? 10_000, 0, day);
    this.#closing ??= this.#close(graceMs);
    return this.#closing;
  }

  async #close(graceMs: number): Promise<CloseOutcome> {
    const { clock } = this.#settings;
    const deadline = clock.now() + graceMs;
    let status: OutboxStatus;
    let open: number;
    try {
      this.#billing.abandonedWork.close();
      this.#billing.pauses?.close();
      // One charge that never ends must not cost the others their delivery.
      void this.#hurry(graceMs);
      await within(this.#billing.idle(), 0.9 * graceMs, clock);
      const rest = () => Math.max(0, deadline - clock.now());
      const isEnding = this.#billing.cutOff();
      status = await this.flush({ timeoutMs: rest() });
      if (isEnding) {
        // A voice call is billed by requests of its own, which end with the process.
        await within(this.#billing.idle(), rest(), clock);
        status = await this.flush({ timeoutMs: rest() });
      }
      open = this.#billing.unbilled();
      await within(this.#giveBack(), rest(), clock);
    } finally {
      this.#lagWatch?.stop();
      andThen(this.#billing.abandon(), this.#unclaimOutbox);
      this.#wallets.close(this.#delivery.left);
    }
    const undelivered = await this.#billing.undelivered();
    const { outbox } = this.#settings;
    // A lasting outbox may have taken more since: what was being written when the grace was over.
    return { ...(outbox?.recover === undefined ? status : await outbox.status()), open, undelivered };
  }

  /** Other processes can use at once what this one does not use. */
  async #giveBack(): Promise<void> {
    await this.#wallets.known?.ledger.flush?.(true);
    await this.#delivery.forget?.();
  }

  #emitDecision({ customerId, currency, agentId, indicator, least }: Work, judgement: Judgement): void {
    // The trace is drawn up for a listener alone.
    if (!this.#events.has("decision")) return;
    const { mode } = this.#settings;
    const { code } = judgement;
    const allowed = code === undefined;
    const trace = traceOf(judgement, judgement.hold?.amount ?? least, mode);
    this.#events.emit("decision", { customerId, currency, agentId, indicator, allowed, code, trace });
  }
}

/** No, though the wallet can pay: it has its hold back. */
function revoked({ hold, account }: Judgement, code: DenialCode): Judgement {
  if (hold !== undefined) account?.release(hold);
  return refused(code);
}
