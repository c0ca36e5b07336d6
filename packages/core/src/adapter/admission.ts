import { expectWork } from "#service-check";
import type { Charge } from "../charge/charge.ts";
import { FreeCharge } from "../charge/free-charge.ts";
import { insideOf } from "../charge/inside.ts";
import type { WaitUntil } from "../decision/authorize-request.ts";
import type { Denial } from "../denial/denial.ts";
import { denialResponse, type HeadedRequest } from "../denial/response.ts";
import type { Gate } from "../gate.ts";
import { type Awaitable, andThen, attempt } from "../values/awaitable.ts";
import {
  checkCustomer,
  checkIdentifier,
  checkNames,
  checkNumber,
  checkOneOf,
  day,
  invalidOption,
  isIdentifier,
} from "../values/option.ts";
import { checkedUsage, type Usage } from "../values/usage.ts";
import { checkBounds, type HoldAmount } from "../wallet/hold.ts";
import type { AbortPolicy, Ending, EndPolicy } from "./ending.ts";
import { RequestWork } from "./request-work.ts";

/** A value, or a function of the framework's request that gives it, at once or later. */
export type Resolvable<Request, T> = T | ((request: Request) => Awaitable<T>);

/** Options that every adapter takes. A function among them is asked at each request; what it throws is the framework's. */
export interface CreditsOptions<Request> {
  /** The customer's external id, from verified authentication; nothing is answered 401, and what follows is not asked. */
  readonly customer: Resolvable<Request, string | null | undefined>;
  /** The agent that does the work (API 2.3). */
  readonly agentId: Resolvable<Request, string>;
  /** The agent's indicator that prices the work (API 2.4). */
  readonly indicator: Resolvable<Request, string>;
  /** The most that the request may cost, in credits; with `min` and `max` it is let in with what is left, if that is `min` or more. */
  readonly hold: Resolvable<Request, HoldAmount>;
  /** Requests that are free: neither gated nor billed. No method is, so answer CORS before the gate. @default none */
  readonly skip?: Resolvable<Request, boolean>;
  /** What a successful request is billed that has reported nothing. @default nothing */
  readonly defaultUsage?: Usage;
  /**
   * What a request is billed whose client left before the response was complete, asked when its work has ended: what was
   * reported by then, or else `defaultUsage`, and what is reported later (`reported`); `defaultUsage` instead (`default`),
   * nothing (`none`), or what the function returns, instead of all reports.
   * @default "reported"
   */
  readonly onAbort?: AbortPolicy;
  /**
   * Milliseconds, up to a day, that the hold stays after the client has left where nothing shows whether the work goes on.
   * Where the promise of the handler is seen the hold stays until it has settled; one that takes longer than this is told.
   * @default 60_000
   */
  readonly abortGraceMs?: number;
}

/** A request at the gate, as an adapter sees it. */
export type Admission =
  | Admitted
  | { readonly admitted: false; readonly denial: Denial; toResponse(request?: HeadedRequest): Response };

/** A request that was let in. */
export interface Admitted {
  readonly admitted: true;
  readonly credits: Charge;
  /** The work has ended, and is billed by how it did: the first call decides. Resolves as `settle()` of the charge does. */
  end(ending: Ending): Promise<void>;
  /**
   * Nobody receives the answer any more, as when the client has left: `credits.signal` fires. The work is billed by `end()`, or
   * `abortGraceMs` after nothing of it is seen any more: after `seen` has settled, at once without it. `cancelled` settles
   * when a stream of the work has been cancelled: then a report since the signal ends the work, and if the handler
   * has taken the signal, so does a second without one. `ending` returns how the response ended, by default
   * `aborted`. Resolves when the work is billed.
   */
  left(seen?: Promise<unknown>, cancelled?: Promise<unknown>, ending?: () => Ending): Promise<void>;
  /** Calls `drop` where nobody has begun to read the answer `abortGraceMs` later, a second at least. Returns what calls that off. */
  unread(drop: () => void): () => void;
}

/**
 * The life of a request for adapters to translate: resolves the options, asks the gate, and settles by how the request
 * ended. `waitUntil` takes what must go on when the response has gone out. Throws an `invalid_option` error for options
 * that cannot be right.
 */
export function createAdmission<Request>(
  gate: Gate,
  options: CreditsOptions<Request>,
): (request: Request, waitUntil?: WaitUntil) => Promise<Admission> {
  checkOptions(gate, options);
  expectWork(gate, options);
  const { skip = false, abortGraceMs: graceMs = defaultGraceMs } = options;
  let warned = false;

  const bill = (charge: Charge, indicator: string, ending: Ending, policy: EndPolicy): Promise<void> => {
    // What they report decides what is billed.
    charge.endCalls();
    // Settled or released, by its handler or by one of them: there is nothing left to decide.
    if (!charge.open) return charge.settle();
    const { defaultUsage, onAbort = "reported" } = policy;
    const chosen = ending === "aborted" ? onAbort : "reported";
    const instead = chosen === "reported" ? undefined : billInstead(charge.reported, chosen, policy);
    if (instead !== undefined) return charge.settle(instead);
    if (ending === "failed" || charge.reported.length > 0) return charge.settle();
    // Reported, not settled instead: what the work reports later is billed too.
    if (defaultUsage !== undefined) charge.report(defaultUsage);
    else if (ending === "completed" && !warned) {
      warned = true;
      console.warn(
        `creditgate: a request ended, and nothing had been reported to its gate for indicator ${JSON.stringify(indicator)}: ` +
          "that gate bills nothing for it, unless a report still comes. Call report() before the response ends, or set " +
          "defaultUsage. This is said once.",
      );
    }
    return charge.settle();
  };

  const admitted = (work: RequestWork, indicator: string): Admitted => {
    const { charge } = work;
    const { end, isInnermost } = work.enter(options, (ending, policy) =>
      bill(charge, indicator, ending, policy),
    );
    let billed: Promise<void> | undefined;
    return {
      admitted: true,
      credits: charge,
      end,
      left(seen, cancelled, ending = () => "aborted") {
        billed ??= new Promise((resolve) => {
          const over = () => resolve(end(ending()));
          if (isInnermost()) return charge.leave({ seen, cancelled, graceMs, end: over });
          // The gate next to the work sees how that goes on.
          charge.leave();
          over();
        });
        return billed;
      },
      unread: (drop) =>
        insideOf(charge)?.billing.left.clock.schedule(Math.max(graceMs, 1_000), drop) ?? (() => {}),
    };
  };

  const denied = (
    denial: Denial,
    toResponse = (request?: HeadedRequest) => denialResponse(denial, request),
  ): Admission => ({
    admitted: false,
    denial,
    toResponse,
  });

  /** A gate before this one has let the work in. */
  const join = async (work: RequestWork, indicator: string, hold: HoldAmount): Promise<Admission> => {
    // Before anything is awaited: else the work may end without this gate.
    const admission = admitted(work, indicator);
    const denial = await work.fund(hold);
    if (denial === undefined) return admission;
    void admission.end("failed");
    return denied(denial);
  };

  /** Each option is asked for when the one before has been given, and waits only where that is a promise. */
  const authorize = (
    request: Request,
    given: string | null | undefined,
    waitUntil?: WaitUntil,
  ): Awaitable<Admission> => {
    const customerId = checkCustomer("customer", given);
    const isKnown = isIdentifier(customerId);
    // The others may read what they give from the customer, so where there is none they are not asked.
    const ask = <T>(option: Resolvable<Request, T>, unasked: T): Awaitable<T> =>
      isKnown || typeof option !== "function" ? resolve(option, request) : unasked;
    return andThen(ask(options.indicator, "unknown"), (indicator) =>
      andThen(ask(options.agentId, "unknown"), (agentId) =>
        andThen(ask(options.hold, 1), (hold) => {
          const { defaultUsage } = options;
          const joined = RequestWork.of(request, gate, { customerId, agentId, indicator });
          if (joined !== undefined) return join(joined, indicator, hold);
          const deciding = gate.authorize({ customerId, agentId, indicator, hold, defaultUsage, waitUntil });
          return andThen(deciding, (decision) => {
            if (!decision.allowed) return denied(decision.denial, decision.toResponse);
            const work = new RequestWork(gate, decision.charge);
            work.keep(request);
            return admitted(work, indicator);
          });
        }),
      ),
    );
  };

  const admit = (request: Request, waitUntil?: WaitUntil): Awaitable<Admission> =>
    andThen(andThen(resolve(skip, request), checkSkip), (isFree) =>
      isFree
        ? admitted(new RequestWork(gate, new FreeCharge()), "")
        : andThen(resolve(options.customer, request), (given) => authorize(request, given, waitUntil)),
    );
  return (request, waitUntil) => Promise.resolve(attempt(() => admit(request, waitUntil)));
}

/** What is billed instead of the reports; `undefined` where the reports are. */
function billInstead(
  reported: readonly Usage[],
  policy: Exclude<AbortPolicy, "reported">,
  { defaultUsage }: EndPolicy,
): readonly Usage[] | undefined {
  if (typeof policy === "function") return askedInstead(policy, reported);
  return policy === "default" && defaultUsage !== undefined ? [defaultUsage] : [];
}

/** What the caller's function says; `undefined` where it fails: then the work is billed as if it had said nothing. */
function askedInstead(
  ask: (reported: readonly Usage[]) => Usage | undefined,
  reported: readonly Usage[],
): readonly Usage[] | undefined {
  try {
    const usage = ask(reported);
    return usage === undefined ? [] : [checkedUsage("onAbort()", usage)];
  } catch (error) {
    console.error("creditgate: onAbort failed, so what was reported is billed, or else defaultUsage", error);
    return undefined;
  }
}

/** Work must not be free because of a string such as "false". */
function checkSkip(isFree: boolean): boolean {
  return checkOneOf("skip", isFree, [true, false]);
}

function resolve<Request, T>(value: Resolvable<Request, T>, request: Request): Awaitable<T> {
  return typeof value === "function" ? (value as (request: Request) => Awaitable<T>)(request) : value;
}

const defaultGraceMs = 60_000;

const optionNames: Readonly<Record<keyof CreditsOptions<unknown>, true>> = {
  customer: true,
  agentId: true,
  indicator: true,
  hold: true,
  skip: true,
  defaultUsage: true,
  onAbort: true,
  abortGraceMs: true,
};

function checkOptions<Request>(gate: Gate, options: CreditsOptions<Request>): void {
  if (typeof gate?.authorize !== "function") invalidOption("gate", "a gate, as createGate() makes it", gate);
  if (typeof options !== "object" || options === null) invalidOption("options", "an object", options);
  checkNames(options, optionNames);
  for (const option of ["customer", "agentId", "indicator"] as const) {
    if (typeof options[option] !== "function") checkIdentifier(option, options[option]);
  }
  const { hold, skip, defaultUsage, onAbort = "reported", abortGraceMs = defaultGraceMs } = options;
  if (typeof hold !== "function") checkBounds("hold", hold);
  if (typeof skip !== "function" && skip !== undefined) checkOneOf("skip", skip, [true, false]);
  if (defaultUsage !== undefined) checkedUsage("defaultUsage", defaultUsage);
  if (typeof onAbort !== "function") checkOneOf("onAbort", onAbort, ["reported", "default", "none"]);
  checkNumber("abortGraceMs", abortGraceMs, 0, day);
  if (onAbort === "default" && defaultUsage === undefined) {
    invalidOption("defaultUsage", 'a usage, since onAbort is "default"', defaultUsage);
  }
}
