import type { Charge, CreditsOptions, Gate } from "@creditgate/core";
import { createAdmission } from "@creditgate/core/adapter";
import { TRPCError, type TRPCMiddlewareFunction } from "@trpc/server";
import { isObservable, observableToAsyncIterable } from "@trpc/server/observable";
import { deniedCall } from "./denial-error.ts";
import { LaterParts } from "./later-parts.ts";

/**
 * Middleware for procedures. A call whose customer cannot pay gets a `TRPCError` (`UNAUTHORIZED`, `PAYMENT_REQUIRED` or
 * `SERVICE_UNAVAILABLE`) with the denial, see `denialOf()`; every other has the charge in `ctx.credits`. What was reported is
 * billed when the procedure has ended, and all that it streams: as of a failure where that throws. Each call of a batch is
 * work of its own. When the client disconnects `ctx.credits.signal` fires, and the iterables of the result are ended; the hold stays
 * until the procedure and its generators have ended. Throws an `invalid_option` error for options that cannot be right; what
 * a resolver throws is tRPC's to answer.
 */
export function requireCredits<Context = object, Meta = object, Overrides = object, Input = unknown>(
  gate: Gate,
  options: CreditsOptions<NoInfer<ProcedureCall<Context, Meta, Overrides, Input>>>,
): TRPCMiddlewareFunction<Context, Meta, Overrides, CreditsContext, Input> {
  const admit = createAdmission(gate, options);
  return async ({ next, ...call }) => {
    const admission = await admit(call);
    if (!admission.admitted) throw deniedCall(admission.denial);
    const { credits } = admission;
    const { signal } = call;
    if (signal?.aborted) {
      credits.release();
      throw new TRPCError({ code: "CLIENT_CLOSED_REQUEST", cause: signal.reason });
    }
    let isDisconnected = false;
    const disconnect = () => {
      if (isDisconnected) return;
      isDisconnected = true;
      admission.disconnect(parts.seen(), parts.ended()).catch(() => {});
      parts.stop();
    };
    signal?.addEventListener("abort", disconnect);
    // Not called before that, since its client may disconnect in its first step.
    const answering = Promise.resolve({ ctx: { credits } })
      .then(next)
      .then((result) =>
        result.ok ? { ...result, data: parts.watched(eventsOf(result.data, call)) } : result,
      );
    const parts = new LaterParts(
      answering.then(
        ({ ok }) => (ok ? "completed" : "failed"),
        () => "failed",
      ),
      disconnect,
    );
    const end = async () => {
      const ending = await parts.ended();
      signal?.removeEventListener("abort", disconnect);
      // Where it is not certain that no work goes on, `disconnect()` says when that has ended.
      if (!isDisconnected || parts.isCertain) await admission.end(isDisconnected ? "aborted" : ending);
    };
    // The gate's events report what cannot be billed.
    end().catch(() => {});
    return answering;
  };
}

/** An observable of a subscription as what tRPC would make of it, which its reader ends. */
function eventsOf(data: unknown, { type }: Pick<ProcedureCall, "type">): unknown {
  if (type !== "subscription" || !isObservable(data)) return data;
  return observableToAsyncIterable(data, new AbortController().signal);
}

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
