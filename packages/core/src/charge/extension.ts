import { CreditgateError } from "@creditgate/client";
import { verbose } from "#verbosity";
import type { Work } from "../decision/authorize-request.ts";
import type { Judgement } from "../decision/trace.ts";
import type { Denial } from "../denial/denial.ts";
import type { Awaitable } from "../values/awaitable.ts";
import type { HoldBounds } from "../wallet/hold.ts";
import type { AdmittedWork } from "./admitted-work.ts";

/** Whether work may cost more than it was admitted for. A denial leaves the hold unchanged. */
export type Extension = { readonly allowed: true } | { readonly allowed: false; readonly denial: Denial };

/** How a gate decides on more for work that it has let in. */
export interface ExtensionRules {
  readonly observes: boolean;
  /** Whether the gate closes: then no work waits for credits. */
  closing(): boolean;
  judge(work: Work): Awaitable<Judgement>;
  allow(work: Work, judgement: Judgement): void;
  deny(work: Work, judgement: Judgement): Awaitable<Denial>;
  /** Writes down what is held in all, where that must outlast the process; a judgement that refuses if it cannot be. */
  writeAhead(work: Work, judgement: Judgement, held: number): Awaitable<Judgement>;
}

/** Holds more for work that goes on: another hold of its own, which ends with the first. */
export async function extend(
  admitted: AdmittedWork,
  bounds: HoldBounds,
  isOpen: () => boolean,
  rules: ExtensionRules,
): Promise<Extension> {
  checkOpen(isOpen);
  // Let in by a gate that only observes, although its wallet could not pay.
  if (admitted.account === undefined) return { allowed: true };
  // A hold of its own, by an id of its own.
  const work = { ...admitted.work, ...bounds, id: admitted.nextId() };
  const judged = await rules.judge(work);
  const { hold, account } = judged;
  if (hold === undefined) return refused(work, judged, rules);
  const { amount } = hold;
  if (!isOpen()) await account?.release(hold);
  checkOpen(isOpen);
  // Counted at once, so that work that ends meanwhile ends it too.
  admitted.add(work, account, hold);
  const written = await rules.writeAhead(admitted.work, judged, admitted.held);
  if (written.hold !== undefined) {
    rules.allow(work, judged);
    return { allowed: true };
  }
  admitted.remove(hold, amount);
  return refused(work, written, rules);
}

async function refused(work: Work, judgement: Judgement, rules: ExtensionRules): Promise<Extension> {
  const denial = await rules.deny(work, judgement);
  return rules.observes ? { allowed: true } : { allowed: false, denial };
}

function checkOpen(isOpen: () => boolean): void {
  if (isOpen()) return;
  const ended = verbose ? ": expected work that goes on, received work that has ended" : "";
  throw new CreditgateError("invalid_option", `extend()${ended}`);
}
