import { createRecovery } from "#outbox-support";
import { verbose } from "#verbosity";
import type { Recovered } from "../delivery/delivery.ts";
import type { GateRecovery } from "../delivery/gate-recovery.ts";
import type { GateEvents } from "../events/events.ts";
import type { GateSettings } from "../options/gate-options.ts";
import type { Entry } from "../outbox/report.ts";
import type { Customers } from "../registry/customers.ts";
import type { Recoveries } from "../registry/recoveries.ts";
import { customersOf } from "../registry/registry.ts";
import { within } from "../values/clock.ts";
import type { LedgerTerms } from "../wallet/ledger.ts";

/**
 * The wallets that a gate decides by: available when the client has returned its service and key, and all recoveries
 * are over.
 */
export class GateWallets {
  readonly #settings: GateSettings;
  readonly #gate: object;
  readonly #terms: LedgerTerms;
  readonly #events: Pick<GateEvents, "emit">;
  #recovery: GateRecovery | undefined;
  /** Where this gate has its name among those that use it. */
  #used: Customers | undefined;
  /** The same, once it contains the remainder of earlier processes of this gate. */
  #customers: Customers | undefined;
  #closed = false;
  /** The service and key, where the shared ledger of this gate calls the service otherwise. */
  #ownName: string | undefined;

  constructor(settings: GateSettings, gate: object, events: Pick<GateEvents, "emit">) {
    this.#settings = settings;
    this.#gate = gate;
    const troubled = (error: unknown) => {
      if (!this.#closed) events.emit("degraded", { what: "ledger", error });
    };
    this.#terms = { ...settings, troubled };
    this.#events = events;
  }

  /** Reads what the outbox has kept; `done` is called when it is in the ledger. */
  recover(events: GateEvents, done: (recovered: Recovered) => void): void {
    const { outbox } = this.#settings;
    if (outbox?.recover === undefined) return;
    this.#recovery = createRecovery({
      settings: { ...this.#settings, outbox },
      events,
      nameOf: () => this.#service(),
      customersOf: (service) => this.#join(service),
      done: (customers, recovered) => {
        this.#customers = customers;
        done(recovered);
      },
    });
  }

  get #recoveries(): Recoveries | undefined {
    return this.#settings.registry.recoveries;
  }

  /** The wallets, if decisions may rest on them now. */
  get ready(): Customers | undefined {
    return this.#recoveries?.none === false ? undefined : this.#customers;
  }

  get known(): Customers | undefined {
    return this.#customers;
  }

  /** For what can only happen once the wallets are known, or in observe mode, where it is tried again until they are. */
  get open(): Customers {
    if (this.#customers !== undefined) return this.#customers;
    throw new Error(
      verbose
        ? "the wallets are not known yet: what an earlier process has left has not been read"
        : "closed",
    );
  }

  /** The name of the wallets' service; `undefined` if that takes too long. Rejects if it cannot be determined. */
  name(): Promise<string | undefined> {
    const { clock, checkTimeoutMs } = this.#settings;
    return within(this.#service(), checkTimeoutMs, clock);
  }

  /**
   * The wallets, once they contain the remainder of earlier processes; `undefined` if that takes too long. Rejects as
   * `name` does.
   */
  async find(): Promise<Customers | undefined> {
    if (this.ready !== undefined) return this.ready;
    const { clock, checkTimeoutMs } = this.#settings;
    const service = await this.name();
    if (service === undefined) return undefined;
    const customers = this.#customers ?? this.#join(service);
    this.#recovery?.wake();
    const recoveries = this.#recoveries;
    if (recoveries?.none === false) {
      const known = await within(recoveries.over(service), checkTimeoutMs, clock);
      if (known !== true) return undefined;
    }
    // One that has a recovery of its own gets the wallets from it.
    if (this.#recovery === undefined) this.#customers = customers;
    return this.#customers;
  }

  /** Resolves when the recovery has been tried, or the service is known. Never rejects. */
  async tried(): Promise<void> {
    await (this.#recovery?.run() ?? this.find().catch(() => {}));
  }

  /** `left`: the entries of the reports that stay in the outbox. */
  close(left: ReadonlyMap<string, Entry>): void {
    this.#closed = true;
    this.#recovery?.stop();
    for (const [id, entry] of left) this.#used?.left.set(id, entry);
    this.#used?.gates.delete(this.#gate);
  }

  async #service(): Promise<string> {
    const { client, upstream, ledger } = this.#settings;
    if (ledger?.serviceOf === undefined) return upstream.fingerprint();
    this.#ownName = await upstream.fingerprint();
    // The client itself, which several gates may share: a ledger asks each once.
    return ledger.serviceOf(client ?? upstream);
  }

  #join(service: string): Customers {
    const { registry, upstream } = this.#settings;
    const isNew = !registry.customers.has(service);
    const customers = customersOf(registry, service, this.#gate, {
      ...this.#settings,
      ownName: this.#ownName,
      terms: this.#terms,
    });
    const error = upstream.meet?.(customers.service, isNew ? registry.customers : undefined);
    if (error !== undefined) this.#events.emit("degraded", { what: "setup", error });
    this.#used = customers;
    if (this.#closed) customers.gates.delete(this.#gate);
    return customers;
  }
}
