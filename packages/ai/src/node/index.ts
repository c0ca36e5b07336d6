import { AsyncLocalStorage } from "node:async_hooks";
import { invalidOption } from "@creditgate/core/adapter";
import type { MeteredCharge } from "../call/metering-options.ts";

const storage = new AsyncLocalStorage<MeteredCharge>();

/** Does the work, and whatever it calls, with these credits as the current ones. Returns what the work does. */
export function runWithCredits<T>(credits: MeteredCharge, work: () => T): T {
  return storage.run(credits, work);
}

/**
 * The credits of the request that this call belongs to; give it to what takes `credits`, and they are found at each call. Throws an
 * `invalid_option` error outside of `runWithCredits()` and `creditsContext()`: the call would be billed to no customer.
 */
export function currentCredits(): MeteredCharge {
  const credits = storage.getStore();
  return (
    credits ?? invalidOption("credits", "a request within runWithCredits() or creditsContext()", credits)
  );
}

interface GatedRequest {
  readonly credits?: MeteredCharge;
}

/** Express: behind `requireCredits()`, what follows has `req.credits` as the current ones. */
export function creditsContext(request: GatedRequest, _response: unknown, next: () => void): void {
  const { credits } = request;
  if (typeof credits?.report !== "function") {
    invalidOption("credits", "a request that requireCredits() has let in", credits);
  }
  runWithCredits(credits, next);
}
