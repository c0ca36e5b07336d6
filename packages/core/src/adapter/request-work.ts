import { onAbortAdvice, unreportedAdvice } from "#operator-messages";
import type { Charge } from "../charge/charge.ts";
import { emitDuplicate, insideOf } from "../charge/inside.ts";
import type { Denial } from "../denial/denial.ts";
import type { Gate } from "../gate/gate.ts";
import { fromMicro } from "../values/micro.ts";
import { checkedUsage, type Usage } from "../values/usage.ts";
import { checkBounds, type HoldAmount } from "../wallet/hold.ts";

interface WorkNames {
  readonly customerId: string | null | undefined;
  readonly agentId: string;
  readonly indicator: string;
}

/**
 * On a request: the work that was let in last. A WeakMap would cost each request as much as its decision. One property for all: each
 * that is added to a request of Express takes a kilobyte on Node 20.
 */
const latest: unique symbol = Symbol("creditgate");

/** Sees the handlers that a request reaches. */
export interface HandlerFollower {
  /** A handler has been called, and has returned this. */
  follow(handling: unknown): void;
  /** A handler has failed. */
  fail(): void;
}

/** Work that a request carries. */
export interface KeptWork {
  /** What sees the handlers behind the gates of the request, this work's and those before. */
  followers: readonly HandlerFollower[];
}

// In place of values that each request would have of its own.
const none: readonly HandlerFollower[] = [];
const noPolicy: EndPolicy = {};
const ignore = (_billed: Promise<void>): void => {};

/** The gates that have logged work without a report. */
const warned = new WeakSet<Gate>();

/**
 * Work of a request, and the gates that have let it in. A second gate for the same work joins the first: one charge, one
 * hold, and one bill when each gate has seen the end. The innermost gate decides how the work ended.
 */
export class RequestWork implements KeptWork {
  readonly charge: Charge;
  /** Work of the same request that was let in before. */
  before: RequestWork | undefined;
  followers: readonly HandlerFollower[] = none;
  readonly #gate: Gate;
  #gates = 0;
  #open = 0;
  #ending: Ending = "failed";
  #policy = noPolicy;
  #billed: Promise<void> | undefined;
  #onBilled = ignore;

  constructor(gate: Gate, charge: Charge) {
    this.charge = charge;
    this.#gate = gate;
  }

  /** The work that this gate has let in for the request. Not once it has reported: what it has is billed by itself. */
  static of(request: unknown, gate: Gate, names: WorkNames): RequestWork | undefined {
    return workOf(
      latestOf(request),
      names,
      (work) => work.#gate === gate && insideOf(work.charge)?.untouched === true,
    );
  }

  /** From now on the gates behind this one find the work. */
  keep(given: unknown): void {
    const request = requestIn(given);
    if (request === undefined) return;
    this.before = latestOf(given, request);
    try {
      request[latest] = this;
      if (given !== request) Object(given)[latest] = this;
    } catch {
      // It is frozen, and carries nothing.
    }
    if (this.before === undefined) return;
    this.followers = this.before.followers;
    const inside = insideOf(this.charge);
    if (inside === undefined) return;
    const { fingerprint } = inside.billing.service ?? {};
    const isOfOther = (work: RequestWork) =>
      work.#gate !== this.#gate && insideOf(work.charge)?.billing.service?.fingerprint === fingerprint;
    if (workOf(this.before, inside.admitted.work, isOfOther))
      emitDuplicate(inside, { what: "gate", billed: "each" });
  }

  /** A gate lets the work in, and says how it is billed. Returns which of its gates it is. */
  enter({ defaultUsage = this.#policy.defaultUsage, onAbort = this.#policy.onAbort }: EndPolicy): number {
    this.#policy = { defaultUsage, onAbort };
    this.#open++;
    return ++this.#gates;
  }

  /** Whether no gate stands between this one and the work. */
  isInnermost(gate: number): boolean {
    return gate === this.#gates;
  }

  /** This gate has seen the end of the work, once. */
  end(gate: number, ending: Ending): void {
    if (this.isInnermost(gate)) this.#ending = ending;
    if (--this.#open > 0) return;
    const billed = this.#bill();
    this.#onBilled(billed);
    this.#billed ??= billed;
  }

  /** Resolves when all gates have seen the end, and the work is billed. */
  get billed(): Promise<void> {
    this.#billed ??= new Promise((resolve) => {
      this.#onBilled = resolve;
    });
    return this.#billed;
  }

  /** All gates have seen the end. */
  #bill(): Promise<void> {
    const [charge, ending, policy] = [this.charge, this.#ending, this.#policy];
    // What they report decides what is billed.
    charge.endCalls();
    // The handler has settled or released it, or `endCalls()` did.
    if (!charge.open) return charge.settle();
    // What a pause has billed stays billed, and the default is of work that has billed nothing.
    const { isBilledInPart = false, hasReported = charge.reported.length > 0 } = insideOf(charge) ?? {};
    const { defaultUsage } = isBilledInPart ? {} : policy;
    const chosen = ending === "aborted" ? (policy.onAbort ?? "reported") : "reported";
    const instead = chosen === "reported" ? undefined : billInstead(charge.reported, chosen, defaultUsage);
    if (instead !== undefined) return charge.settle(instead);
    if (ending === "failed" || isBilledInPart || hasReported) return charge.settle();
    // Reported, not settled instead: what the work reports later is billed too.
    if (defaultUsage !== undefined) charge.report(defaultUsage);
    else if (ending === "completed") this.#warnUnreported();
    return charge.settle();
  }

  #warnUnreported(): void {
    if (warned.has(this.#gate)) return;
    warned.add(this.#gate);
    const indicator = insideOf(this.charge)?.admitted.work.indicator;
    console.warn(
      `creditgate: a request ended without a report for indicator "${indicator}", so nothing is billed yet${unreportedAdvice}`,
    );
  }

  /** Holds what a gate that joins asks for beyond the hold of the first. Returns the denial if the wallet cannot pay for it. */
  async fund(amount: HoldAmount): Promise<Denial | undefined> {
    const { hold, least } = checkBounds("hold", amount);
    const inside = insideOf(this.charge);
    // Lent to one gate: a third may stand before other work of the same request.
    const held = this.#gates > 2 ? 0 : (inside?.admitted.held ?? 0);
    if (held < hold) {
      const lacking = { min: fromMicro(Math.max(1, least - held)), max: fromMicro(hold - held) };
      const extension = await this.charge.extend(lacking);
      if (!extension.allowed && held < least) return extension.denial;
    }
    if (inside !== undefined) emitDuplicate(inside, { what: "gate", billed: "once" });
    return undefined;
  }
}

/** What is billed instead of the reports; `undefined` where the reports are. */
function billInstead(
  reported: readonly Usage[],
  policy: Exclude<AbortPolicy, "reported">,
  defaultUsage: Usage | undefined,
): readonly Usage[] | undefined {
  if (typeof policy === "function") return askedInstead(policy, reported);
  return policy === "default" && defaultUsage !== undefined ? [defaultUsage] : [];
}

/** What the caller's function returns; `undefined` if it throws: then the default policy applies. */
function askedInstead(
  ask: (reported: readonly Usage[]) => Usage | undefined,
  reported: readonly Usage[],
): readonly Usage[] | undefined {
  try {
    const usage = ask(reported);
    return usage === undefined ? [] : [checkedUsage("onAbort()", usage)];
  } catch (error) {
    console.error(`creditgate: onAbort failed${onAbortAdvice}`, error);
    return undefined;
  }
}

/** The open work of these names. */
function workOf(
  last: RequestWork | undefined,
  { customerId, agentId, indicator }: WorkNames,
  isMeant: (work: RequestWork) => boolean,
): RequestWork | undefined {
  for (let work = last; work !== undefined; work = work.before) {
    const names = insideOf(work.charge)?.admitted.work;
    const isNamed =
      names?.customerId === customerId && names?.agentId === agentId && names?.indicator === indicator;
    if (work.charge.open && isNamed && isMeant(work)) return work;
  }
  return undefined;
}

/** The work that was let in last for a request of Node. */
export function keptWork(request: object): KeptWork | undefined {
  return (request as KeptRequest)[latest];
}

interface KeptRequest {
  [latest]?: RequestWork | undefined;
}

/** By the framework's request too, since middleware may put another into it: Hono's of limited bodies does. */
function latestOf(given: unknown, request = requestIn(given)): RequestWork | undefined {
  return request?.[latest] ?? (given === request ? undefined : Object(given)[latest]);
}

/** The request of Node or of the web in a framework's. None for what is no HTTP request, such as a tool call. */
function requestIn(given: unknown): KeptRequest | undefined {
  // Node's own, and Express's: what it does not have is slow to look for.
  if ("rawHeaders" in Object(given)) return given as KeptRequest;
  const { raw, req } = Object(given);
  // Only then: the request of a proxy of Next.js throws where it is asked for another.
  return [Object(req).raw, req, raw, given].find(isHttpRequest) ?? requestOf(given);
}

function requestOf(context: unknown): KeptRequest | undefined {
  const { request } = Object(context);
  return isHttpRequest(request) ? request : undefined;
}

function isHttpRequest(value: unknown): value is KeptRequest {
  return typeof value === "object" && value !== null && "method" in value && "headers" in value;
}

/** How a request ended: answered below 400, answered with an error or not at all, or aborted by a disconnect. */
export type Ending = "completed" | "failed" | "aborted";

/** What an aborted request bills: see `onAbort` of {@link CreditsOptions}. */
export type AbortPolicy =
  | "reported"
  | "default"
  | "none"
  | ((reported: readonly Usage[]) => Usage | undefined);

/** What is billed if nothing was reported, or if the client disconnected. */
export interface EndPolicy {
  readonly defaultUsage?: Usage | undefined;
  readonly onAbort?: AbortPolicy | undefined;
}
