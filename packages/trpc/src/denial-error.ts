import type { Denial } from "@creditgate/core";
import { TRPCError } from "@trpc/server";

const codes = { 401: "UNAUTHORIZED", 402: "PAYMENT_REQUIRED", 503: "SERVICE_UNAVAILABLE" } as const;

/** The cause of the error of a denied call. */
class DenialError extends Error {
  override readonly name = "DenialError" as const;
  readonly denial: Denial;

  constructor(denial: Denial) {
    super(denial.title);
    this.denial = denial;
  }
}

export function deniedCall(denial: Denial): TRPCError {
  return new TRPCError({ code: codes[denial.status], cause: new DenialError(denial) });
}

/** The denial that a procedure's error is about, such as one that a server-side caller has caught; `undefined` for any other. */
export function denialOf(error: unknown): Denial | undefined {
  const cause = error instanceof TRPCError ? error.cause : undefined;
  return cause instanceof DenialError ? cause.denial : undefined;
}

/** What {@link creditsErrorFormatter} adds to the `data` of an error. */
export interface CreditsErrorData {
  /** The denial; absent where the error is another. */
  readonly credits?: Denial;
}

/**
 * An `errorFormatter` for `initTRPC.create()`, or to call in one's own: the same shape, with the denial of a denied call in
 * `data.credits`, where its client finds it.
 */
export function creditsErrorFormatter<Shape extends { readonly data: object }>({
  shape,
  error,
}: {
  readonly shape: Shape;
  readonly error: TRPCError;
}): Shape & { data: CreditsErrorData } {
  const denial = denialOf(error);
  return denial === undefined ? shape : { ...shape, data: { ...shape.data, credits: denial } };
}
