import type { Charge, CreditsOptions, Gate } from "@creditgate/core";
import { createAdmission, denialMessage, NodeWork } from "@creditgate/core/adapter";
import type { DefaultContext, DefaultState, Middleware, ParameterizedContext } from "koa";

/** What `requireCredits()` adds to `ctx.state`. */
export interface CreditsState {
  /** The charge of this request: report to it what the work used. */
  credits: Charge;
}

declare module "koa" {
  interface DefaultState extends CreditsState {}
}

/**
 * Middleware that answers a request whose customer cannot pay with 401, 402 or 503 (`application/problem+json`), and
 * else puts the charge into `ctx.state.credits`, lets the request on, and bills what was reported when the response has gone out
 * and the promise of `next()` has settled. When the client disconnects `ctx.state.credits.signal` fires; the hold stays until that
 * promise has settled, or where it had before, until a stream that was the body has been destroyed and the work has reported.
 * Throws an `invalid_option` error for options that cannot be right; what a resolver throws is Koa's to answer.
 */
export function requireCredits<State = DefaultState, Context = DefaultContext>(
  gate: Gate,
  options: CreditsOptions<NoInfer<ParameterizedContext<State, Context>>>,
): Middleware<State & CreditsState, Context> {
  const admit = createAdmission(gate, options);
  return async (ctx, next) => {
    const work = new NodeWork(ctx.req, ctx.res);
    const admission = await admit(ctx);
    if (work.isOver(admission)) return;
    if (!admission.admitted) {
      const { status, headers, body } = denialMessage(admission.denial, (name) =>
        ctx.headers[name]?.toString(),
      );
      ctx.status = status;
      ctx.set(headers);
      ctx.body = body;
      return;
    }
    ctx.state.credits = admission.credits;
    rememberBody(ctx.response);
    await work.run(admission, async () => {
      await next();
      const isForgotten = ctx.body == null;
      const given: unknown = isForgotten ? lastBodies.get(ctx.response) : ctx.body;
      const body = given instanceof Response ? given.body : given;
      const sent = work.answers(body);
      // To HEAD Koa sends the headers of a body, and does not read it.
      if (sent !== body && !isForgotten && ctx.method !== "HEAD") ctx.body = sent;
    });
  };
}

/** What each response was given last for its body, and may have forgotten. */
const lastBodies = new WeakMap<object, unknown>();

/** Koa forgets a body when a status is set that has none, and what fills it may go on. */
function rememberBody(response: object): void {
  if (Object.hasOwn(response, "body")) return;
  const prototype = Object.getPrototypeOf(response);
  Object.defineProperty(response, "body", {
    configurable: true,
    get: () => Reflect.get(prototype, "body", response),
    set(body: unknown) {
      if (body != null) lastBodies.set(response, body);
      Reflect.set(prototype, "body", body, response);
    },
  });
}
