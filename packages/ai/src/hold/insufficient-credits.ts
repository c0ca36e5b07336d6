import type { Denial } from "@creditgate/core";

/**
 * A model call that was not made, since what is held for its work cannot pay for it and there was no more to hold. Thrown by the model,
 * so that `generateText` throws it and `streamText` has it as an `error` part. Amounts are credits.
 */
export class InsufficientCredits extends Error {
  override name = "InsufficientCredits" as const;
  readonly code = "insufficient_credits";
  /** What the call costs at least, or in all where it may not be made shorter. */
  readonly required: number;
  /** What was left of the hold. */
  readonly available: number;
  /** Why no more was held, where it was asked for. */
  readonly denial: Denial | undefined;

  constructor(what: string, required: number, available: number, denial?: Denial) {
    super(`${what} may cost ${required} credits, and ${available} are held for it`);
    this.required = required;
    this.available = available;
    this.denial = denial;
  }
}
