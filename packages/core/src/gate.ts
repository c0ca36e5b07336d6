import type { BalanceCache } from "./balance-cache.ts";
import { readBalances } from "./balance-reading.ts";
import { BillingOffice } from "./billing-office.ts";
import type { Capacity, WalletKind } from "./capacity.ts";
import type { Charge } from "./charge.ts";
import { within } from "./clock.ts";
import type { CustomerBalance, Refresh } from "./customer-balance.ts";
import { decide, type Freshness, type Verdict } from "./decision.ts";
import { type Denial, type DenialCode, denialOf } from "./denial.ts";
import { denialResponse } from "./denial-message.ts";
import { type GateEventMap, GateEvents } from "./events.ts";
import { checkWallet, type GateOptions, type GateSettings, gateSettings } from "./gate-options.ts";
import { checkHold } from "./hold.ts";
import { fromMicro } from "./micro.ts";
import { checkIdentifier, checkNumber, day, invalidOption, isIdentifier } from "./option.ts";
import type { OutboxStatus } from "./outbox.ts";
import { balanceCache } from "./registry.ts";

/** Who wants to do what, and how much of their credits to hold meanwhile. */
export interface AuthorizeRequest {
  /** The customer's external id, from verified authentication; nothing, or nonsense, is denied with 401. */
  readonly customerId: string | null | undefined;
  readonly agentId: string;
  readonly indicator: string;
  /** The most that the work may cost, in credits: finite and above 0. */
  readonly hold: number;
}

/** Let in, with the charge to settle; or denied, with the reason as data and as a response. */
export type Decision =
  | { readonly allowed: true; readonly charge: Charge }
  | { readonly allowed: false; readonly denial: Denial; toResponse(): Response };

/** A wallet as the gate sees it. Amounts are credits. */
export interface WalletStanding {
  /** What the wallet can pay in all, `Infinity` without a limit; `undefined` while that is not known. */
  readonly capacity: number | undefined;
  /** Held for work in flight. */
  readonly held: number;
  /** For work done that the service may not have debited yet. */
  readonly unconfirmed: number;
}

/** Lets work in only if its customer's wallet can pay for it, and bills what it used. */
export interface Gate {
  /**
   * Decides, and holds credits if it lets the work in. Synchronous inside when the balance is cached and suffices.
   * Rejects for misuse (`invalid_option`) only: an outage is a denial too.
   */
  authorize(request: AuthorizeRequest): Promise<Decision>;
  /** The wallet as it stands now; `undefined` for a customer that is not in memory. */
  standing(customerId: string): Promise<WalletStanding | undefined>;
  /** Calls the listener at each such event; the returned function ends that. */
  on<Name extends keyof GateEventMap>(name: Name, listener: (event: GateEventMap[Name]) => void): () => void;
  /** Delivers what is queued, now; resolves with what is left when all is delivered or `timeoutMs` (10_000) are over. */
  flush(options?: { readonly timeoutMs?: number }): Promise<OutboxStatus>;
  /** Lets nothing in any more, waits for the work in flight, flushes; gives up after `graceMs` (10_000). */
  close(options?: { readonly graceMs?: number }): Promise<OutboxStatus>;
}

/** Creates a gate. Throws an `invalid_option` error that names option, expected and received. */
export function createGate(options: GateOptions): Gate {
  return new CreditGate(gateSettings(options));
}

class CreditGate implements Gate {
  readonly #settings: GateSettings;
  readonly #events = new GateEvents();
  readonly #office: BillingOffice;
  readonly #freshness: Freshness;
  /** Names the holds of this gate apart from those of every other. */
  readonly #name: string = crypto.randomUUID();
  #cache: BalanceCache | undefined;
  #holds = 0;
  #closing: Promise<OutboxStatus> | undefined;

  constructor(settings: GateSettings) {
    this.#settings = settings;
    this.#office = new BillingOffice(settings, this.#events, () => this.#openCache());
    const { clock, ttlMs, maxStaleMs, checkTimeoutMs } = settings;
    this.#freshness = {
      clock,
      ttlMs,
      maxStaleMs,
      checkTimeoutMs,
      now: () => this.#openCache().now(),
      refresh: (customer, kind) => this.#refresh(customer, kind),
    };
  }

  async authorize(request: AuthorizeRequest): Promise<Decision> {
    const { customerId } = request;
    const agentId = checkIdentifier("agentId", request.agentId);
    const indicator = checkIdentifier("indicator", request.indicator);
    const amount = checkHold("hold", request.hold);
    const deny = (code: DenialCode, verdict?: Verdict) => this.#deny(request, amount, code, verdict);
    if (!isIdentifier(customerId)) return deny("customer_unresolved");
    if (this.#closing !== undefined) return deny("closing");
    if (this.#settings.outbox.full) return deny("outbox_full");

    const { wallet, currency } = this.#settings;
    const kind = typeof wallet === "function" ? checkWallet(await wallet(customerId)) : wallet;
    const cache = this.#cache ?? (await this.#findCache());
    const customer = cache.customer(customerId);
    if (customer === undefined) return deny("over_capacity");

    const holdId = `${this.#name}:${this.#holds++}`;
    const verdict = await decide({ customer, currency, kind, holdId, amount }, this.#freshness);
    if (!verdict.admitted) return deny(verdict.code, verdict);
    const charge = this.#office.open({ customerId, currency, agentId, indicator, holdId, hold: amount });
    if (this.#closing !== undefined) {
      charge.release();
      return deny("closing");
    }
    this.#tell(request, amount, undefined);
    return { allowed: true, charge };
  }

  async standing(customerId: string): Promise<WalletStanding | undefined> {
    const { wallet, currency } = this.#settings;
    const kind = typeof wallet === "function" ? checkWallet(await wallet(customerId)) : wallet;
    const customer = (await this.#findCache()).peek(customerId);
    if (customer === undefined) return undefined;
    const { capacity, held, unconfirmed } = await customer.account(currency).standing(kind);
    return {
      capacity: typeof capacity === "number" ? fromMicro(capacity) : undefined,
      held: fromMicro(held),
      unconfirmed: fromMicro(unconfirmed),
    };
  }

  on<Name extends keyof GateEventMap>(name: Name, listener: (event: GateEventMap[Name]) => void): () => void {
    return this.#events.on(name, listener);
  }

  async flush(options: { readonly timeoutMs?: number } = {}): Promise<OutboxStatus> {
    const timeoutMs = checkNumber("timeoutMs", options.timeoutMs ?? 10_000, 0, day);
    const deadline = this.#settings.clock.now() + timeoutMs;
    // A lasting outbox may hold reports of an earlier process, whose acknowledgements need an account.
    await this.#findCache();
    await within(this.#office.filed(), timeoutMs, this.#settings.clock);
    return this.#office.reporter.flush(Math.max(0, deadline - this.#settings.clock.now()));
  }

  close(options: { readonly graceMs?: number } = {}): Promise<OutboxStatus> {
    const graceMs = checkNumber("graceMs", options.graceMs ?? 10_000, 0, day);
    this.#closing ??= this.#close(graceMs);
    return this.#closing;
  }

  async #close(graceMs: number): Promise<OutboxStatus> {
    const { clock } = this.#settings;
    const deadline = clock.now() + graceMs;
    try {
      await within(this.#office.idle(), graceMs, clock);
      return await this.flush({ timeoutMs: Math.max(0, deadline - clock.now()) });
    } finally {
      this.#office.abandon();
    }
  }

  #deny(request: AuthorizeRequest, amount: number, code: DenialCode, verdict?: Verdict): Decision {
    const { currency } = this.#settings;
    const figures = { currency, required: fromMicro(amount) };
    const denial = denialOf(code, {
      ...figures,
      ...(verdict === undefined ? {} : affordable(verdict, amount)),
    });
    this.#tell(request, amount, code);
    return { allowed: false, denial, toResponse: () => denialResponse(denial) };
  }

  #tell(request: AuthorizeRequest, amount: number, code: DenialCode | undefined): void {
    if (!this.#events.has("decision")) return;
    this.#events.emit("decision", {
      customerId: String(request.customerId),
      currency: this.#settings.currency,
      agentId: request.agentId,
      indicator: request.indicator,
      allowed: code === undefined,
      code,
      hold: fromMicro(amount),
    });
  }

  #refresh(customer: CustomerBalance, kind: WalletKind): Refresh {
    const { client, currency, minRefreshMs } = this.#settings;
    return {
      minRefreshMs,
      read: async () => {
        const reading = await readBalances(client, customer.id);
        const error = reading.known ? doubtOf(reading.wallet(currency)[kind], currency, kind) : reading.error;
        if (error !== undefined) {
          this.#events.emit("degraded", { what: "balance", error, customerId: customer.id });
        }
        return reading;
      },
    };
  }

  async #findCache(): Promise<BalanceCache> {
    const { client, registry } = this.#settings;
    this.#cache ??= balanceCache(registry, await client.fingerprint(), this.#settings);
    return this.#cache;
  }

  /** For what can only happen after a first authorize or flush. */
  #openCache(): BalanceCache {
    return this.#cache ?? invalidOption("gate", "a gate that has been used", "a new one");
  }
}

/** What is wrong with a wallet that was read, for the event that tells. */
function doubtOf(capacity: Capacity, currency: string, kind: WalletKind): Error | undefined {
  const wallet = `the balance answer, wallet ${JSON.stringify(currency)}`;
  if (capacity === "wallet_mismatch")
    return new TypeError(`${wallet}: expected a ${kind} one, received the other kind`);
  if (capacity === "upstream_invalid") return new TypeError(`${wallet}: expected the six figures of API 2.1`);
  return undefined;
}

function affordable(verdict: Verdict, amount: number): { available?: number; heldBack?: boolean } {
  if (verdict.admitted || verdict.code !== "insufficient_credits") return {};
  const { capacity, held, unconfirmed } = verdict.standing;
  if (typeof capacity !== "number") return {};
  return {
    available: fromMicro(capacity - held - unconfirmed),
    heldBack: amount + unconfirmed <= capacity,
  };
}
