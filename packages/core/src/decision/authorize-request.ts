import { checkBudgets } from "#budgets";
import { verbose } from "#verbosity";
import {
  checkCustomer,
  checkFunction,
  checkIdentifier,
  checkNames,
  invalidOption,
} from "../values/option.ts";
import { checkedUsage, type Usage } from "../values/usage.ts";
import type { Budget } from "../wallet/budgets/budget.ts";
import { checkBounds, checkHold, type HoldAmount } from "../wallet/hold.ts";

/** Keeps a process going until the promise is settled: `ctx.waitUntil` of a worker, or `after` of Next.js. */
export type WaitUntil = (work: Promise<unknown>) => void;

/** Whose work it is, what work, and how many credits to hold meanwhile. */
export interface AuthorizeRequest {
  /** The customer's external id, from verified authentication; nothing, or nonsense, is denied with 401. */
  readonly customerId: string | null | undefined;
  readonly agentId: string;
  readonly indicator: string;
  /**
   * The most that the work may cost, in credits. With `min` and `max`, it is admitted with the available credits if
   * those are at least `min`.
   */
  readonly hold: HoldAmount;
  /**
   * What the work must stay within beside the wallet, up to 8: keys of budgets at the service, and budgets of `createRunBudget()`. All of
   * them hold the same amount as the wallet, or none.
   */
  readonly budgets?: readonly Budget[] | undefined;
  /** Its counts are billed where a report has the fields of its counts, and no values in them. */
  readonly defaultUsage?: Usage | undefined;
  /** Takes the promise of all billing of this work: `ctx.waitUntil` of a worker, `after` of Next.js. */
  readonly waitUntil?: WaitUntil | undefined;
}

/** A piece of work: whose it is, and what it may cost. */
export interface Work {
  /** Not checked: it may be nothing. */
  readonly customerId: string;
  readonly currency: string;
  readonly agentId: string;
  readonly indicator: string;
  /** Unique for ever. */
  readonly id: string;
  /** Micro-credits: the most that is held, and the least with which the work is let in. */
  readonly hold: number;
  readonly least: number;
  /** At least one. */
  readonly budgets?: readonly Budget[] | undefined;
  readonly defaultUsage: Usage | undefined;
  readonly waitUntil: WaitUntil | undefined;
}

/** The request as work with this id; throws an `invalid_option` error for what only a mistake in the program can have caused. */
export function checkedWork(request: AuthorizeRequest, currency: string, id: string): Work {
  if (typeof request !== "object" || request === null) {
    invalidOption("request", verbose && "an object with customerId, agentId, indicator and hold", request);
  }
  if (!hasOnlyFields(request)) checkNames(request, fields, { what: "field" });
  const { defaultUsage } = request;
  const isBounded = typeof request.hold === "object" && request.hold !== null;
  // One number is what most requests have.
  const bounds = isBounded ? checkBounds("hold", request.hold) : undefined;
  const hold = bounds?.hold ?? checkHold("hold", request.hold);
  return {
    customerId: checkCustomer("customerId", request.customerId) ?? "",
    currency,
    agentId: checkIdentifier("agentId", request.agentId),
    indicator: checkIdentifier("indicator", request.indicator),
    hold,
    least: bounds?.least ?? hold,
    budgets: request.budgets === undefined ? undefined : checkBudgets(request.budgets),
    id,
    defaultUsage: defaultUsage === undefined ? undefined : checkedUsage("defaultUsage", defaultUsage),
    waitUntil: request.waitUntil === undefined ? undefined : checkFunction("waitUntil", request.waitUntil),
  };
}

const fields: Readonly<Record<keyof AuthorizeRequest, true>> = {
  customerId: true,
  agentId: true,
  indicator: true,
  hold: true,
  budgets: true,
  defaultUsage: true,
  waitUntil: true,
};

/** As most requests have: the general way, which finds what is meant, would cost each of them much more. */
function hasOnlyFields(request: AuthorizeRequest): boolean {
  for (const name in request) {
    const isField =
      name === "customerId" ||
      name === "agentId" ||
      name === "indicator" ||
      name === "hold" ||
      name === "budgets" ||
      name === "defaultUsage" ||
      name === "waitUntil";
    if (!isField) return false;
  }
  return true;
}
