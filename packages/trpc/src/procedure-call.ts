import type { Charge } from "@creditgate/core";
import type { TRPCMiddlewareFunction } from "@trpc/server";

/** What `requireCredits()` adds to `ctx`. */
export interface CreditsContext {
  /** The charge of this call: report to it what the work used. */
  credits: Charge;
}

/** A call of a procedure, as resolvers see it: what tRPC gives to a middleware, but for `next`. */
export type ProcedureCall<Context = object, Meta = object, Overrides = object, Input = unknown> = Omit<
  Parameters<TRPCMiddlewareFunction<Context, Meta, Overrides, CreditsContext, Input>>[0],
  "next"
>;
