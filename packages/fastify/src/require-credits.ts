import {
  type Charge,
  type CreditsOptions,
  createAdmission,
  denialMessage,
  endWork,
  type Gate,
  invalidOption,
  isOver,
  pipedResponseOver,
} from "@creditgate/core";
import type { FastifyRequest, RouteHandlerMethod } from "fastify";
import { Answer } from "./answer.ts";
import type * as T from "./route-types.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The charge of this request: report to it what the work used. Set by `requireCredits()`. */
    credits: Charge;
  }
}

/**
 * A `preHandler` hook, of a route or of all routes of a context, that answers a request whose customer cannot pay with 401, 402 or 503
 * (`application/problem+json`), and else puts the charge into `request.credits` and bills what was reported when the reply has gone
 * out. With `handler` it is the handler of a route, and waits for the promise of that one too. When the client leaves
 * `request.credits.signal` fires; the hold stays until that promise has settled, or where it tells nothing until the reply has been
 * sent, or its stream has been destroyed and the work has reported. Throws an `invalid_option` error for options that cannot be
 * right; what a resolver or `handler` throws is Fastify's to answer.
 */
export function requireCredits<
  G extends T.Generics = T.Generics,
  C = T.Config,
  S extends T.Schema = T.Schema,
  P extends T.Provider = T.NoProvider,
  L extends T.Logger = T.Logger,
>(gate: Gate, options: CreditsOptions<T.RouteRequest<G, C, S, P, L>>): T.RouteHook<G, C, S, P, L>;
export function requireCredits<
  G extends T.Generics = T.Generics,
  C = T.Config,
  S extends T.Schema = T.Schema,
  P extends T.Provider = T.NoProvider,
  L extends T.Logger = T.Logger,
>(
  gate: Gate,
  options: CreditsOptions<NoInfer<T.RouteRequest<G, C, S, P, L>>>,
  handler: T.RouteHandler<G, C, S, P, L>,
): T.RouteHandler<G, C, S, P, L>;
export function requireCredits(
  gate: Gate,
  options: CreditsOptions<FastifyRequest>,
  handler?: RouteHandlerMethod,
): RouteHandlerMethod {
  if (handler !== undefined && typeof handler !== "function") invalidOption("handler", "a function", handler);
  const admit = createAdmission(gate, options);
  return async function (request, reply): Promise<unknown> {
    const { raw: response } = reply;
    const over = pipedResponseOver(request.raw, response);
    const admission = await admit(request);
    if (isOver(request.raw, response)) {
      if (admission.admitted) admission.credits.release();
      return reply.hijack();
    }
    if (!admission.admitted) {
      const header = (name: string) => request.headers[name]?.toString();
      const { status, headers, body } = denialMessage(admission.denial, header);
      return reply.code(status).headers(headers).send(body);
    }
    request.credits = admission.credits;
    const answer = new Answer(reply);
    const handling = handler && (async () => answer.returned(handler.call(this, request, reply)))();
    const ended = handling?.then((value) => answer.isWholeWith(value)) ?? false;
    endWork({ admission, response, over, handling: ended }).catch(() => {});
    return handling;
  };
}
