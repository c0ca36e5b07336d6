import type { DuplicateEvent } from "../events/events.ts";
import type { Awaitable } from "../values/awaitable.ts";
import type { ReportOverrides } from "../values/usage.ts";
import type { AdmittedWork } from "./admitted-work.ts";
import type { Billing } from "./billing.ts";

/** What a gate's charge has beside what its users see. */
export interface Inside {
  readonly admitted: AdmittedWork;
  readonly billing: Billing;
  /** Whether nothing of the work has been reported, is being metered, or has lost its client. */
  readonly untouched: boolean;
  /** Whether something of the work has been reported, since the last pause if there was one. */
  readonly hasReported: boolean;
  /** Whether something of the work is being metered. */
  readonly isMetered: boolean;
  /** Whether a pause has billed a part of it. */
  readonly isBilledInPart: boolean;
  /** Whether its client has disconnected. */
  readonly isAbandoned: boolean;
  /** Bills what was reported, and gives the rest of the hold back: the work goes on without one. */
  billSoFar(): Awaitable<void>;
}

/** `undefined` for a charge of something else, such as free work. */
export function insideOf(charge: object): Inside | undefined {
  return isGates(charge) ? charge.inside : undefined;
}

/** Not by its class: where a bundler evaluates a module twice there are two of them. */
function isGates(charge: object): charge is { readonly inside: Inside } {
  return "inside" in charge;
}

/** Emits `duplicate` for the work of the charge, or for what was reported of it by other names. */
export function emitDuplicate(
  { admitted: { work }, billing }: Inside,
  found: Pick<DuplicateEvent, "what" | "billed" | "usage">,
  { agentId = work.agentId, indicator = work.indicator }: Pick<ReportOverrides, "agentId" | "indicator"> = {},
): void {
  const { customerId, currency } = work;
  billing.events.emit("duplicate", { customerId, currency, agentId, indicator, ...found });
}
