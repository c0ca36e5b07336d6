import type { NodeWork } from "@creditgate/core/adapter";
import type { FastifyRequest } from "fastify";

/** What Fastify knows of a route. Requests have it by a symbol. */
interface RouteContext {
  handler(...call: readonly unknown[]): unknown;
}

/**
 * From here on the work sees the promise of the handler that the request reaches. Fastify passes it to no hook.
 * Returns whether that is possible.
 */
export function followHandler(request: FastifyRequest, work: NodeWork): boolean {
  const symbols = Object.getOwnPropertySymbols(request);
  const name = symbols.find(({ description }) => description === "fastify.context");
  if (name === undefined) return false;
  const context: RouteContext = Reflect.get(request, name);
  const handler = (...call: readonly unknown[]) => {
    // What Fastify keeps in it is for all requests of the route.
    Reflect.set(request, name, context);
    const handling: unknown = Reflect.apply(context.handler, context, call);
    // Of a promise Fastify takes any value for the answer.
    if (handling instanceof Promise) work.follow(handling.then(() => true));
    return handling;
  };
  return Reflect.set(request, name, Object.create(context, { handler: { value: handler } }));
}
