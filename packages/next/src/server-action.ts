import {
  type Awaitable,
  type Charge,
  type CreditsOptions,
  createAdmission,
  type Denial,
  type Ending,
  type Gate,
  invalidOption,
} from "@creditgate/core";
import { waitUntilAfter } from "./after.ts";
import { isRedirect } from "./redirect.ts";

/** What a gated action resolves with: its own result, or why its customer could not have one. */
export type ActionOutcome<Result> =
  | { readonly allowed: true; readonly result: Result }
  | { readonly allowed: false; readonly denial: Denial };

/**
 * A server action that runs only if its customer can pay, and else resolves with the denial, for the page to show. The
 * action gets the charge, then the arguments; the resolvers get the arguments as a tuple. What was reported is billed
 * once the action has ended. Throws an `invalid_option` error for options that cannot be right, and for an action that
 * can be called around the gate; rejects with what a resolver or the action throws.
 */
export function withCreditsAction<Arguments extends readonly unknown[], Result>(
  gate: Gate,
  options: Omit<CreditsOptions<Arguments>, "onAbort" | "abortGraceMs">,
  action: (gated: { readonly credits: Charge }, ...args: Arguments) => Awaitable<Result>,
): (...args: Arguments) => Promise<ActionOutcome<Result>> {
  if (isServerReference(action)) {
    const expected =
      'a function from a file without "use server", since Next 14 makes each one in it an action itself';
    invalidOption("action", expected, action);
  }
  const admit = createAdmission(gate, options);
  return async (...args) => {
    const waitUntil = waitUntilAfter();
    const admission = await admit(args, waitUntil);
    if (!admission.admitted) return { allowed: false, denial: admission.denial };
    let ending: Ending = "completed";
    try {
      return { allowed: true, result: await action({ credits: admission.credits }, ...args) };
    } catch (error) {
      if (!isRedirect(error)) ending = "failed";
      throw error;
    } finally {
      // What cannot be billed is told by the gate's events.
      admission.end(ending).catch(() => {});
    }
  };
}

/** A function with an id of its own can be called by it, around the gate. */
function isServerReference(action: object): boolean {
  return "$$typeof" in action && action.$$typeof === Symbol.for("react.server.reference");
}
