import { Readable } from "node:stream";
import {
  type Charge,
  type CreditsOptions,
  createAdmission,
  denialMessage,
  endWork,
  type Gate,
  isOver,
  pipedResponseOver,
} from "@creditgate/core";
import type { DefaultContext, DefaultState, Middleware, ParameterizedContext } from "koa";
import { destroyed, nodeStream } from "./node-stream.ts";

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
 * and the promise of `next()` has settled. When the client leaves `ctx.state.credits.signal` fires; the hold stays until that
 * promise has settled, or where it had before, until a stream that was the body has been destroyed and the work has reported.
 * Throws an `invalid_option` error for options that cannot be right; what a resolver throws is Koa's to answer.
 */
export function requireCredits<State = DefaultState, Context = DefaultContext>(
  gate: Gate,
  options: CreditsOptions<NoInfer<ParameterizedContext<State, Context>>>,
): Middleware<State & CreditsState, Context> {
  const admit = createAdmission(gate, options);
  return async (ctx, next) => {
    const { req, res } = ctx;
    const over = pipedResponseOver(req, res);
    const admission = await admit(ctx);
    if (isOver(req, res)) {
      if (admission.admitted) admission.credits.release();
      return;
    }
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
    // Where the stream of an answer fails Koa 2 leaves its client waiting.
    res.on("pipe", (stream) => stream.once("error", (error) => res.writableEnded || res.destroy(error)));
    const handling = next().then(async () => {
      const body: unknown = ctx.body instanceof Response ? ctx.body.body : ctx.body;
      if (body instanceof ReadableStream && !body.locked) ctx.body = nodeStream(body);
      // Koa ends a response that has no reader before it destroys the stream, which has yet to report.
      if ((isOver(req, res) || ctx.method === "HEAD") && ctx.body instanceof Readable)
        await destroyed(ctx.body);
    });
    endWork({ admission, response: res, over, handling }).catch(() => {});
    await handling;
  };
}
