import type { Charge, CreditsOptions, Gate } from "@creditgate/core";
import { createAdmission, denialMessage, invalidOption, NodeWork } from "@creditgate/core/adapter";
import type { FastifyRequest, RouteHandlerMethod } from "fastify";
import { followHandler } from "./route-handler.ts";
import type * as T from "./route-types.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The charge of this request: report to it what the work used. Set by `requireCredits()`. */
    credits: Charge;
  }
}

/**
 * A `preHandler` hook, of a route or of all routes of a context. Answers a request whose customer cannot pay with
 * 401, 402 or 503 (`application/problem+json`). Else puts the charge into `request.credits`, and bills what was
 * reported when the reply has been sent. With `handler` it is the handler of a route, and waits for that one's
 * promise too. When the client disconnects, `request.credits.signal` fires. The hold stays until that promise has
 * settled. Without a promise it stays until the reply has been sent, or its stream has been destroyed and the work
 * has reported. Throws an `invalid_option` error for options that cannot be right; what a resolver or `handler`
 * throws is Fastify's to answer.
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
  let isReported = false;
  return async function (request, reply): Promise<unknown> {
    let onOver = () => {};
    const over = new Promise<void>((resolve) => {
      onOver = resolve;
    });
    const work = new NodeWork(request.raw, reply.raw, onOver);
    const admission = await admit(request);
    if (work.isOver(admission)) return reply.hijack();
    if (!admission.admitted) {
      const header = (name: string) => request.headers[name]?.toString();
      const { status, headers, body } = denialMessage(admission.denial, header);
      return reply.code(status).headers(headers).send(body);
    }
    request.credits = admission.credits;
    let answer: unknown;
    const answers = (payload: unknown) => {
      if (!(payload instanceof Response)) return work.answers(payload);
      reply.code(payload.status);
      for (const [name, value] of payload.headers) reply.header(name, value);
      // To HEAD Fastify would answer a Response with 500.
      return work.answers(payload.body);
    };
    // Fastify calls it too, for what a handler returns or throws.
    const { send, then } = reply;
    // A handler that returns its reply waits for its end. Over HTTP/2 Fastify does not see that of each whose client has disconnected.
    const awaits: typeof then = (fulfilled, rejected) => {
      const ended = new Promise<void>((resolve, reject) => then.call(reply, resolve, reject));
      Promise.race([over, ended]).then(fulfilled, rejected);
    };
    Reflect.set(reply, "then", awaits);
    reply.send = (payload) => send.call(reply, payload === answer ? payload : answers(payload));
    if (handler === undefined) {
      work.run(admission);
      if (!followHandler(request, work) && !isReported) {
        isReported = true;
        console.warn(unseenHandler);
      }
      return;
    }
    await work.run(admission, async () => {
      const returned = handler.call(this, request, reply);
      answer = returned === undefined ? reply : answers(await returned);
      // Of a promise Fastify takes `undefined` for the answer; a function that returns it answers later.
      return returned !== undefined;
    });
    return answer;
  };
}

const unseenHandler =
  "creditgate: requireCredits() does not know this version of Fastify, and as a hook it does not see how long the handler works: the " +
  "hold of one that works on behind an answer goes back too early. Give it the handler: requireCredits(gate, options, handler). " +
  "This is logged once.";
