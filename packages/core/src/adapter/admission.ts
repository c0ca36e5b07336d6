import { checkBudgets, checkSameBudgets } from "#budgets";
import { expectWork } from "#service-check";
import { verbose } from "#verbosity";
import type { Charge } from "../charge/charge.ts";
import { FreeCharge } from "../charge/free-charge.ts";
import { insideOf } from "../charge/inside.ts";
import type { WaitUntil } from "../decision/authorize-request.ts";
import type { Denial } from "../denial/denial.ts";
import { denialResponse, type HeadedRequest } from "../denial/response.ts";
import type { Gate } from "../gate/gate.ts";
import { type Awaitable, andThen, atOnce, attempt, promiseOf } from "../values/awaitable.ts";
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
import type { Budget } from "../wallet/budgets/budget.ts";
import { checkBounds, type HoldAmount } from "../wallet/hold.ts";
import { type AbortPolicy, type Ending, RequestWork } from "./request-work.ts";

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
  /**
   * The most that the request may cost, in credits. With `min` and `max`, the request is admitted with the available
   * credits if those are at least `min`.
   */
  readonly hold: Resolvable<Request, HoldAmount>;
  /**
   * What the request must stay within beside the wallet, up to 8: keys of budgets at the service, and budgets of `createRunBudget()`.
   * @default none
   */
  readonly budgets?: Resolvable<Request, readonly Budget[]>;
  /** Requests that are free: neither gated nor billed. No method is, so answer CORS before the gate. @default none */
  readonly skip?: Resolvable<Request, boolean>;
  /** What a successful request is billed that has reported nothing. @default nothing */
  readonly defaultUsage?: Usage;
  /**
   * What is billed if the client disconnects before the response is complete. Decided when the work has ended.
   * `reported` bills what was reported, or else `defaultUsage`, and later reports. `default` bills `defaultUsage`,
   * `none` bills nothing. A function returns the usage to bill instead of all reports.
   * @default "reported"
   */
  readonly onAbort?: AbortPolicy;
  /**
   * How long the hold stays after a disconnect if nothing shows that the work goes on. Milliseconds, up to a day.
   * While the handler's promise is pending, the hold stays; a promise that takes longer than this is logged.
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
   * Nobody receives the answer any more, usually because the client disconnected: `credits.signal` aborts. `end()`
   * bills the work. Otherwise the gate bills it `abortGraceMs` after `seen` has settled, or after this call without
   * `seen`. `cancelled` settles when a stream of the work has been cancelled. Then a report made since the signal
   * ends the work. If the handler has read the signal, the work ends one second later without one. `ending` returns
   * how the response ended, `aborted` by default. Resolves when the work is billed.
   */
  disconnect(seen?: Promise<unknown>, cancelled?: Promise<unknown>, ending?: () => Ending): Promise<void>;
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

  const admitted = (work: RequestWork): Admitted => {
    const { charge } = work;
    const gate = work.enter(options);
    let hasEnded = false;
    let abandoned: Promise<void> | undefined;
    const end = (ending: Ending) => {
      if (!hasEnded) {
        hasEnded = true;
        work.end(gate, ending);
      }
      return work.billed;
    };
    return {
      admitted: true,
      credits: charge,
      end,
      disconnect(seen, cancelled, ending = () => "aborted") {
        abandoned ??= new Promise((resolve) => {
          const over = () => resolve(end(ending()));
          if (work.isInnermost(gate)) return charge.disconnect({ seen, cancelled, graceMs, end: over });
          // The gate next to the work sees how that goes on.
          charge.disconnect();
          over();
        });
        return abandoned;
      },
      unread: (drop) =>
        insideOf(charge)?.billing.abandonedWork.clock.schedule(Math.max(graceMs, 1_000), drop) ?? (() => {}),
    };
  };

  const letIn = (request: Request, charge: Charge): Admitted => {
    const work = new RequestWork(gate, charge);
    work.keep(request);
    return admitted(work);
  };

  const denied = (
    denial: Denial,
    toResponse = (request?: HeadedRequest) => denialResponse(denial, request),
  ): Admission => ({ admitted: false, denial, toResponse });

  /** A gate before this one has let the work in. */
  const join = async (work: RequestWork, hold: HoldAmount): Promise<Admission> => {
    // Before anything is awaited: else the work may end without this gate.
    const admission = admitted(work);
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
        andThen(ask(options.hold, 1), (hold) =>
          andThen(ask<readonly Budget[] | undefined>(options.budgets, undefined), (budgets) => {
            const { defaultUsage } = options;
            const joined = RequestWork.of(request, gate, { customerId, agentId, indicator });
            if (joined !== undefined) {
              checkSameBudgets(budgets, insideOf(joined.charge)?.admitted.work.budgets);
              return join(joined, hold);
            }
            const deciding = gate.authorize({
              // Written out: an object made with spread is slow to read, and each request is.
              customerId,
              agentId,
              indicator,
              hold,
              budgets,
              defaultUsage,
              waitUntil,
            });
            return atOnce(deciding, (decision) => {
              if (!decision.allowed) return denied(decision.denial, decision.toResponse);
              return letIn(request, decision.charge);
            });
          }),
        ),
      ),
    );
  };

  const admit = (request: Request, waitUntil?: WaitUntil): Awaitable<Admission> =>
    andThen(andThen(resolve(skip, request), checkSkip), (isFree) =>
      isFree
        ? letIn(request, new FreeCharge())
        : andThen(resolve(options.customer, request), (given) => authorize(request, given, waitUntil)),
    );
  return (request, waitUntil) => promiseOf(attempt(() => admit(request, waitUntil)));
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
  budgets: true,
  skip: true,
  defaultUsage: true,
  onAbort: true,
  abortGraceMs: true,
};

function checkOptions<Request>(gate: Gate, options: CreditsOptions<Request>): void {
  if (typeof gate?.authorize !== "function")
    invalidOption("gate", verbose && "a gate, as createGate() makes it", gate);
  if (typeof options !== "object" || options === null)
    invalidOption("options", verbose && "an object", options);
  checkNames(options, optionNames);
  for (const option of ["customer", "agentId", "indicator"] as const) {
    if (typeof options[option] !== "function") checkIdentifier(option, options[option]);
  }
  const { hold, budgets, skip, defaultUsage, onAbort = "reported", abortGraceMs = defaultGraceMs } = options;
  if (typeof hold !== "function") checkBounds("hold", hold);
  if (typeof budgets !== "function" && budgets !== undefined) checkBudgets(budgets);
  if (typeof skip !== "function" && skip !== undefined) checkOneOf("skip", skip, [true, false]);
  if (defaultUsage !== undefined) checkedUsage("defaultUsage", defaultUsage);
  if (typeof onAbort !== "function") checkOneOf("onAbort", onAbort, ["reported", "default", "none"]);
  checkNumber("abortGraceMs", abortGraceMs, 0, day);
  if (onAbort === "default" && defaultUsage === undefined) {
    invalidOption("defaultUsage", verbose && 'a usage, since onAbort is "default"', defaultUsage);
  }
}
