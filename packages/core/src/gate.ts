import { type Finding, isCreditgateError } from "@creditgate/client";
import { checkService } from "#service-check";
import { BillingOffice } from "./charge/billing.ts";
import type { Charge } from "./charge/charge.ts";
import { FreeCharge } from "./charge/free-charge.ts";
import { type AuthorizeRequest, checkedWork, type Work } from "./decision/authorize-request.ts";
import { decide, type Freshness } from "./decision/decision.ts";
import { type DecisionTrace, type Judgement, refused, traceOf } from "./decision/trace.ts";
import { GateRecovery } from "./delivery/gate-recovery.ts";
import type { OutboxReport, OutboxStatus } from "./delivery/outbox.ts";
import { claimOutbox } from "./delivery/outbox-claim.ts";
import type { Recoveries } from "./delivery/recoveries.ts";
import { type Denial, denialOf } from "./denial/denial.ts";
import { RecommendedAction } from "./denial/recommended-action.ts";
import { denialResponse } from "./denial/response.ts";
import { type GateEventMap, GateEvents } from "./events/events.ts";
import { OperatorLog } from "./events/operator-log.ts";
import { observeWithOpenTelemetry } from "./events/telemetry.ts";
import { checkWallet, type GateOptions, type GateSettings, gateSettings } from "./gate-options.ts";
import { andThen } from "./values/awaitable.ts";
import { within } from "./values/clock.ts";
import { fromMicro } from "./values/micro.ts";
import { checkNames, checkNumber, day, isIdentifier } from "./values/option.ts";
import { balanceRefresh } from "./wallet/balance-refresh.ts";
import type { WalletKind } from "./wallet/capacity.ts";
import type { CustomerBalance } from "./wallet/customer.ts";
import type { BalanceCache } from "./wallet/customers.ts";
import type { Account, Awaitable } from "./wallet/ledger.ts";
import { balanceCache } from "./wallet/registry.ts";

/** Let in, with the charge to settle; or denied, with the reason as data and as a response. */
export type Decision =
  | {
      readonly allowed: true;
      readonly charge: Charge;
      readonly trace: DecisionTrace;
      /** In observe mode: the denial that `enforce` would have answered with. */
      readonly observed?: Denial;
    }
  | {
      readonly allowed: false;
      readonly denial: Denial;
      readonly trace: DecisionTrace;
      /** `application/problem+json`, or a page if the request is a browser's navigation. */
      toResponse(request?: Request): Response;
    };

/** A wallet as the gate sees it. Amounts are credits. */
export interface WalletStanding {
  /** What the wallet can pay in all, `Infinity` without a limit; `undefined` while that is not known. */
  readonly capacity: number | undefined;
  /** Held for work in flight. */
  readonly held: number;
  /** For work done that the service may not have debited yet. */
  readonly unconfirmed: number;
}

/** What {@link Gate.check} looks for beside what the gate knows; what is left out is not checked. */
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
   * Rejects for misuse (`invalid_option`) only, such as a `wallet()` that returns no kind: an outage is a denial too, also
   * one that makes `wallet()` throw.
   */
  authorize(request: AuthorizeRequest): Promise<Decision>;
  /** Whether `close()` has been called. */
  readonly closing: boolean;
  /**
   * The wallet as it stands now; `undefined` for a customer that is not in memory, and for all while it is not known what an
   * earlier process has left.
   */
  standing(customerId: string): Promise<WalletStanding | undefined>;
  /**
   * Tries the service as this gate uses it, and changes nothing there: address, key, clock, then what is named, with the
   * gate's currency, wallet and price. `ok: undefined` is what the service does not tell. Rejects with `invalid_option` for a name that it does not know, else never. A bundle for the
   * edge does without: `creditgate doctor` does the same.
   */
  check(expected?: CheckRequest): Promise<readonly Finding[]>;
  /** Calls the listener at each such event; the returned function ends that. */
  on<Name extends keyof GateEventMap>(name: Name, listener: (event: GateEventMap[Name]) => void): () => void;
  /** Delivers what is queued, now; resolves with what is left when all is delivered or `timeoutMs` (10_000) are over. */
  flush(options?: { readonly timeoutMs?: number }): Promise<OutboxStatus>;
  /**
   * Lets nothing in any more, bills work whose client has left and whose end is not seen, waits for the rest of the work in
   * flight, and delivers meanwhile; gives up after `graceMs` (10_000). A tenth of that before, it bills what the work that
   * has not ended has reported; what it reports then is late. What is reported after `close()` is not delivered, unless the
   * outbox outlasts the process: its `settle()` rejects, `undelivered` tells.
   */
  close(options?: { readonly graceMs?: number }): Promise<CloseOutcome>;
}

/** What is left when a gate has closed. */
export interface CloseOutcome extends OutboxStatus {
  /** Pieces of work that had not ended, and had reported nothing: what they cost is not billed. */
  readonly open: number;
  /**
   * The reports that end with the process: all that is left where the outbox does not outlast it, and what a lasting one did not
   * take. The event `undelivered` tells of them too. One whose request is on its way may still arrive.
   */
  readonly undelivered: readonly OutboxReport[];
}

/**
 * Creates a gate. Throws an `invalid_option` error that names option, expected and received. With an outbox that outlasts
 * its process, what an earlier process has left is read and delivered from now on: listen to events in the same turn.
 */
export function createGate(options: GateOptions): Gate {
  return new CreditGate(gateSettings(options));
}

/** Work that is let in. Few look at the trace, so it is drawn when someone does. */
class Allowed {
  readonly allowed = true;
  readonly charge: Charge;
  readonly #judgement: Judgement;
  readonly #hold: number;
  readonly #mode: DecisionTrace["mode"];

  constructor(charge: Charge, judgement: Judgement, hold: number, mode: DecisionTrace["mode"]) {
    this.charge = charge;
    this.#judgement = judgement;
    this.#hold = hold;
    this.#mode = mode;
  }

  get trace(): DecisionTrace {
    return traceOf(this.#judgement, this.#hold, this.#mode);
  }
}

const nothing = () => {};

class CreditGate implements Gate {
  readonly #settings: GateSettings;
  readonly #events: GateEvents;
  readonly #office: BillingOffice;
  readonly #freshness: Freshness;
  readonly #recommended: RecommendedAction;
  readonly #recoveries: Recoveries;
  /** Names the work of this gate, and its reports, apart from that of every other that ever was. */
  readonly #name: string = `${crypto.randomUUID()}:`;
  readonly #recovery: GateRecovery | undefined;
  readonly #unclaimOutbox: () => void;
  /** Where this gate has its name among those that use it. */
  #usedCache: BalanceCache | undefined;
  /** The same, once all is in it that earlier processes have left: decisions may rest on it. */
  #cache: BalanceCache | undefined;
  #holds = 0;
  #closing: Promise<CloseOutcome> | undefined;
  #closed = false;

  constructor(settings: GateSettings) {
    this.#settings = settings;
    this.#recoveries = settings.registry.recoveries;
    const log = settings.logger === false ? undefined : new OperatorLog(settings.clock, settings.logger);
    this.#events = new GateEvents(log && ((name, event) => log.say(name, event)));
    const { client, clock, ttlMs, maxStaleMs, checkTimeoutMs, actionTimeoutMs } = settings;
    const service = () => this.#openCache().service;
    const refresh = (customer: CustomerBalance, kind?: WalletKind) =>
      balanceRefresh({ ...settings, service }, this.#events, customer, kind);
    this.#office = new BillingOffice(
      { ...settings, service },
      this.#events,
      () => this.#openCache(),
      refresh,
    );
    this.#freshness = {
      clock,
      ttlMs,
      maxStaleMs,
      checkTimeoutMs,
      now: () => this.#openCache().now(),
      refresh,
    };
    this.#recommended = new RecommendedAction({ client, clock, timeoutMs: actionTimeoutMs });
    if (settings.openTelemetry !== false) observeWithOpenTelemetry(this.#events, settings.openTelemetry);
    this.#unclaimOutbox = claimOutbox(settings.outbox);
    if (settings.outbox.recover !== undefined) this.#recovery = this.#recover();
  }

  get closing(): boolean {
    return this.#closing !== undefined;
  }

  async authorize(request: AuthorizeRequest): Promise<Decision> {
    const work = checkedWork(request, this.#settings.currency, `${this.#name}${this.#holds++}`);
    const judged = this.#judge(work);
    const verdict = judged instanceof Promise ? await judged : judged;
    const durable = this.#settings.durableHolds && verdict.code === undefined;
    const judgement = durable ? await this.#writeAhead(work, verdict) : verdict;
    const { code } = judgement;
    if (this.#events.has("decision")) this.#tell(work, judgement);
    if (code === undefined)
      return new Allowed(this.#office.open(work), judgement, work.hold, this.#settings.mode);
    const trace = traceOf(judgement, work.hold, this.#settings.mode);
    const denial = denialOf(code, work.hold, this.#settings, judgement);
    if (this.#settings.mode === "observe") {
      await this.#findCache().catch(() => {});
      const charge = code === "customer_unresolved" ? new FreeCharge() : this.#office.open(work);
      return { allowed: true, charge, trace, observed: denial };
    }
    const advised = await this.#advised(denial, work);
    return { allowed: false, denial: advised, trace, toResponse: (asked) => denialResponse(advised, asked) };
  }

  #judge(work: Work): Awaitable<Judgement> {
    const { wallet } = this.#settings;
    if (!isIdentifier(work.customerId)) return refused("customer_unresolved");
    if (this.#closing !== undefined) return refused("closing");
    if (this.#office.reporter.full) return refused("outbox_full");
    if (this.#cache !== undefined && this.#recoveries.none && typeof wallet !== "function")
      return this.#consult(work, this.#cache, wallet);
    return this.#prepareAndConsult(work);
  }

  async #prepareAndConsult(work: Work): Promise<Judgement> {
    const { customerId } = work;
    const kind = await this.#kindOf(customerId).catch(this.#degradedBy("wallet", customerId));
    if (this.#cache === undefined && !(await this.#knowsService())) return refused("upstream_unavailable");
    const cache = await this.#findCache().catch(this.#degradedBy("outbox"));
    if (kind === undefined || cache === undefined) return refused("upstream_unavailable");
    return this.#closing === undefined ? this.#consult(work, cache, kind) : refused("closing");
  }

  /** A client without an address or a key is the operator's to mend, and no misuse of the gate by this request. */
  async #knowsService(): Promise<boolean> {
    try {
      await this.#settings.client.fingerprint();
      return true;
    } catch (error) {
      this.#events.emit("degraded", { what: "balance", error });
      return false;
    }
  }

  /** Tells of an outage, which is a denial; misuse goes on to the caller. */
  #degradedBy(what: "outbox" | "wallet", customerId?: string): (error: unknown) => undefined {
    return (error) => {
      if (isCreditgateError(error) && error.code === "invalid_option") throw error;
      this.#events.emit("degraded", { what, error, ...(customerId !== undefined && { customerId }) });
    };
  }

  #consult(work: Work, cache: BalanceCache, kind: WalletKind): Awaitable<Judgement> {
    const customer = cache.customer(work.customerId);
    if (customer === undefined) return refused("over_capacity");
    const verdict = decide({ work, customer, kind }, this.#freshness);
    if (!(verdict instanceof Promise)) return verdict;
    return verdict.then((late) => this.#reconsider(late, customer.account(work.currency), work.holdId));
  }

  /** The gate may have begun to close while the verdict was on its way. */
  async #reconsider(judgement: Judgement, account: Account, holdId: string): Promise<Judgement> {
    if (judgement.code !== undefined || this.#closing === undefined) return judgement;
    await account.release(holdId);
    return refused("closing");
  }

  /** With `durableHolds` no work begins before its hold is on disk. */
  async #writeAhead(work: Work, judgement: Judgement): Promise<Judgement> {
    const { outbox } = this.#settings;
    const { customerId, currency, agentId, indicator, holdId: id, hold } = work;
    const account = this.#openCache().creditor(customerId).account(currency);
    try {
      await outbox.works?.begin({ id, customerId, currency, agentId, indicator, hold });
      if (this.#closing === undefined) return judgement;
      await outbox.works?.end(id);
    } catch (error) {
      this.#events.emit("degraded", { what: "outbox", error, customerId });
    }
    await account.release(id);
    return refused(this.#closing === undefined ? "outbox_full" : "closing");
  }

  async #kindOf(customerId: string): Promise<WalletKind> {
    const { wallet } = this.#settings;
    return typeof wallet === "function" ? checkWallet(await wallet(customerId)) : wallet;
  }

  async standing(customerId: string): Promise<WalletStanding | undefined> {
    const { currency } = this.#settings;
    const kind = await this.#kindOf(customerId);
    const customer = (await this.#findCache())?.peek(customerId);
    if (customer === undefined) return undefined;
    const { capacity, held, unconfirmed } = await customer.account(currency).standing(kind);
    return {
      capacity: typeof capacity === "number" ? fromMicro(capacity) : undefined,
      held: fromMicro(held),
      unconfirmed: fromMicro(unconfirmed),
    };
  }

  async check(request: CheckRequest = {}): Promise<readonly Finding[]> {
    const { client, currency, wallet, price = null } = this.#settings;
    const who = request.customerId ?? "";
    const kind = typeof wallet === "function" && who !== "" ? await this.#kindOf(who).catch(nothing) : wallet;
    const expected = { ...request, currency, price };
    return checkService(client, typeof kind === "string" ? { ...expected, wallet: kind } : expected);
  }

  on<Name extends keyof GateEventMap>(name: Name, listener: (event: GateEventMap[Name]) => void): () => void {
    return this.#events.on(name, listener);
  }

  async flush(options: { readonly timeoutMs?: number } = {}): Promise<OutboxStatus> {
    checkNames(options, { timeoutMs: true });
    const timeoutMs = checkNumber("timeoutMs", options.timeoutMs ?? 10_000, 0, day);
    const { clock } = this.#settings;
    const deadline = clock.now() + timeoutMs;
    await this.#hurry(timeoutMs);
    await within(this.#office.filed(), Math.max(0, deadline - clock.now()), clock);
    if (this.#cache === undefined) return this.#settings.outbox.status();
    return this.#office.reporter.flush(Math.max(0, deadline - clock.now()));
  }

  /** Delivers at once what is queued, as soon as the wallets are known. Never rejects. */
  async #hurry(timeoutMs: number): Promise<void> {
    // The outbox may hold reports of an earlier process or gate, whose acknowledgements need an account.
    const ready = this.#recovery?.run() ?? this.#findCache().then(nothing, nothing);
    await within(ready, timeoutMs, this.#settings.clock);
    if (this.#cache !== undefined) this.#office.reporter.hurry();
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
      this.#office.left.close();
      // One charge that never ends must not cost the others their delivery.
      void this.#hurry(graceMs);
      await within(this.#office.idle(), 0.9 * graceMs, clock);
      open = this.#office.cutOff();
      status = await this.flush({ timeoutMs: Math.max(0, deadline - clock.now()) });
    } finally {
      this.#closed = true;
      this.#recovery?.stop();
      this.#usedCache?.gates.delete(this.#name);
      andThen(this.#office.abandon(), this.#unclaimOutbox);
    }
    return { ...status, open, undelivered: await this.#office.undelivered() };
  }

  #tell({ customerId, currency, agentId, indicator, hold }: Work, judgement: Judgement): void {
    const { mode } = this.#settings;
    const { code } = judgement;
    const allowed = code === undefined;
    const trace = traceOf(judgement, hold, mode);
    this.#events.emit("decision", { customerId, currency, agentId, indicator, allowed, code, trace });
  }

  /** The denial with what the customer can do about it. */
  async #advised(denial: Denial, { customerId, agentId }: Work): Promise<Denial> {
    if (denial.status !== 402) return denial;
    const { actionUrl, actionTimeoutMs } = this.#settings;
    const action = actionTimeoutMs > 0 ? await this.#recommended.of(customerId, agentId) : undefined;
    const advised = action === undefined ? denial : { ...denial, recommendedAction: action };
    try {
      const url = typeof actionUrl === "function" ? actionUrl(advised) : actionUrl;
      return url === undefined ? advised : { ...advised, actionUrl: url };
    } catch (error) {
      this.#events.emit("degraded", { what: "action", error, customerId });
      return advised;
    }
  }

  /**
   * The wallets, as soon as all is in them that earlier processes have left; `undefined` if that takes too long. Rejects if
   * the client cannot say for which service and key it is.
   */
  async #findCache(): Promise<BalanceCache | undefined> {
    if (this.#cache !== undefined && this.#recoveries.none) return this.#cache;
    const { client, clock, checkTimeoutMs } = this.#settings;
    const service = await client.fingerprint();
    const cache = this.#cache ?? this.#cacheOf(service);
    this.#recovery?.wake();
    if (!this.#recoveries.none) {
      const known = await within(this.#recoveries.over(service), checkTimeoutMs, clock);
      if (known !== true) return undefined;
    }
    // One that has a recovery of its own gets the wallets from it.
    if (this.#recovery === undefined) this.#cache = cache;
    return this.#cache;
  }

  #cacheOf(service: string): BalanceCache {
    const cache = balanceCache(this.#settings.registry, service, this.#name, this.#settings);
    this.#usedCache = cache;
    if (this.#closed) cache.gates.delete(this.#name);
    return cache;
  }

  #recover(): GateRecovery {
    return new GateRecovery({
      settings: this.#settings,
      events: this.#events,
      cacheOf: (service) => this.#cacheOf(service),
      done: (cache, keysWritten) => {
        this.#cache = cache;
        this.#office.reporter.start(keysWritten);
      },
    });
  }

  /** For what can only happen once the wallets are known, or in observe mode, where it is tried again until they are. */
  #openCache(): BalanceCache {
    if (this.#cache !== undefined) return this.#cache;
    throw new Error("the wallets are not known yet: what an earlier process has left has not been read");
  }
}
