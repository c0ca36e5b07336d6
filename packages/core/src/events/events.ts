import type { DecisionTrace } from "../decision/trace.ts";
import type { OpenWork, OutboxDecision, OutboxReport } from "../outbox/outbox.ts";
import type { DenialCode } from "../values/denial-code.ts";
import { checkFunction, checkNames } from "../values/option.ts";
import type { Usage } from "../values/usage.ts";

/** A decision, with its reasons. In observe mode the request went on even where `allowed` is false. */
export interface DecisionEvent {
  readonly customerId: string;
  readonly currency: string;
  readonly agentId: string;
  readonly indicator: string;
  readonly allowed: boolean;
  /** Why not; `undefined` when allowed. */
  readonly code: DenialCode | undefined;
  readonly trace: DecisionTrace;
}

/** The same work, found twice. */
export interface DuplicateEvent {
  readonly customerId: string;
  readonly currency: string;
  readonly agentId: string;
  readonly indicator: string;
  /**
   * `gate`: two gates let in one request. `meter`: two wrappers meter one model call. `report`: the handler reported usage that
   * was metered.
   */
  readonly what: "gate" | "meter" | "report";
  /** `each`: the two gates are of two `createGate()`, and each bills what is reported to it and its own `defaultUsage`. */
  readonly billed: "once" | "each";
  /** What was not billed again, if it is known. */
  readonly usage?: Usage;
}

/** The events of a gate, by name. */
export interface GateEventMap {
  /** A request was let in or denied. */
  readonly decision: DecisionEvent;
  /** A piece of work has ended; `credits` is what the ledger holds for it until the service has debited it. */
  readonly settled: {
    readonly customerId: string;
    readonly currency: string;
    readonly reports: number;
    readonly credits: number;
  };
  /** A report came after its work had been settled. It is billed if `billed`. */
  readonly late: { readonly customerId: string; readonly currency: string; readonly billed: boolean };
  /** A piece of work was gated, metered or reported twice. */
  readonly duplicate: DuplicateEvent;
  /** The service has taken a report; `tookMs` from sending it. */
  readonly delivered: { readonly report: OutboxReport; readonly tookMs: number };
  /** A report may or may not have been processed; it waits until the service is known to honour keys. */
  readonly parked: { readonly report: OutboxReport; readonly error: unknown };
  /** The service refused a report as it is; it stays in the ledger until someone decides. */
  readonly dead: { readonly report: OutboxReport; readonly error: unknown };
  /**
   * An operator has decided on a parked or dead report, or on work that a crash cut off, and it is done. `as`: `retry`, it is sent
   * again; `delivered`, it counts for the lag; `discard`, it is never billed; `bill`, the work is billed the usage of `report`.
   */
  readonly resolved: OutboxDecision;
  /**
   * Usage that this gate will not deliver: it was closed, or a queue did not take it in time. Nothing else has the reports any
   * more. Each still weighs on its wallet. To bill one, send it with its id as `Idempotency-Key`.
   */
  readonly undelivered: { readonly reports: readonly OutboxReport[]; readonly error: unknown };
  /**
   * With `durableHolds`: work that a crash of an earlier process cut off. It was billed `defaultUsage`, nothing, or waits in
   * the outbox for a review and keeps its hold.
   */
  readonly orphan: { readonly work: OpenWork; readonly policy: "default" | "none" | "review" };
  /**
   * The service acknowledged a report of `credits` at most, and `settlementLagMs` later the balance had not moved.
   * Its lag is longer than `settlementLagMs`, or the indicator debits no wallet in this currency. The promise depends
   * on this.
   */
  readonly lag: {
    readonly customerId: string;
    readonly currency: string;
    readonly report: OutboxReport;
    readonly credits: number;
    readonly settlementLagMs: number;
  };
  /** Something that the gate depends on has failed, and it goes on as well as it can. */
  readonly degraded: {
    readonly what:
      | "balance"
      | "budget"
      | "wallet"
      | "delivery"
      | "outbox"
      | "ledger"
      | "replicas"
      | "recovery"
      | "price"
      | "usage"
      | "counts"
      | "currency"
      | "debit"
      | "action"
      | "setup";
    readonly error: unknown;
    readonly customerId?: string;
  };
}

type Listener<T> = (event: T) => void;

const eventNames: Readonly<Record<keyof GateEventMap, true>> = {
  decision: true,
  settled: true,
  late: true,
  duplicate: true,
  delivered: true,
  parked: true,
  dead: true,
  resolved: true,
  undelivered: true,
  orphan: true,
  lag: true,
  degraded: true,
};

/** Our own listeners, which do not count as handling an event: unread metrics must not silence the log. */
const observers = new WeakSet<Listener<never>>();

/** Marks the listener as one that does not count as handling an event. */
export function asObserver<T>(listener: Listener<T>): Listener<T> {
  observers.add(listener);
  return listener;
}

/** Takes the events for which the application has no listener. */
export type UnhandledEvent = <Name extends keyof GateEventMap>(name: Name, event: GateEventMap[Name]) => void;

/** Listeners by event. One that throws is reported to the console and harms no one. */
export class GateEvents {
  readonly #listeners = new Map<keyof GateEventMap, Set<Listener<never>>>();
  readonly #unhandled: UnhandledEvent | undefined;

  constructor(unhandled?: UnhandledEvent) {
    this.#unhandled = unhandled;
  }

  on<Name extends keyof GateEventMap>(name: Name, listener: Listener<GateEventMap[Name]>): () => void {
    checkNames({ [name]: true }, eventNames, { what: "event" });
    checkFunction("listener", listener);
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** {@link on}, for ourselves. */
  observe<Name extends keyof GateEventMap>(name: Name, observer: Listener<GateEventMap[Name]>): void {
    this.on(name, asObserver(observer));
  }

  /** Whether anyone listens; events of the hot path are not even built otherwise. */
  has(name: keyof GateEventMap): boolean {
    const listeners = this.#listeners.get(name);
    return listeners !== undefined && listeners.size > 0;
  }

  emit<Name extends keyof GateEventMap>(name: Name, event: GateEventMap[Name]): void {
    let isHandled = false;
    for (const listener of this.#listeners.get(name) ?? []) {
      isHandled ||= !observers.has(listener);
      try {
        const returned: unknown = (listener as Listener<GateEventMap[Name]>)(event);
        if (returned instanceof Promise) returned.catch((error: unknown) => complain(name, error));
      } catch (error) {
        complain(name, error);
      }
    }
    if (!isHandled) this.#unhandled?.(name, event);
  }
}

function complain(name: string, error: unknown): void {
  console.error(`creditgate: a listener of "${name}" threw`, error);
}
