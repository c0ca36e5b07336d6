import { type HandlerFollower, keptWork } from "@creditgate/core/adapter";
import type { Request, RequestHandler, Response } from "express";

/** What Express calls a handler through, of its version 4 or 5. */
interface Layer {
  readonly handle: RequestHandler & { readonly stack?: readonly Layer[] };
}
type Call = (this: Layer, ...call: Parameters<RequestHandler>) => unknown;

const watched = new WeakSet<object>();
/** The last whose router was watched: most processes have one. */
let lastApp: unknown;

/**
 * From here on the work sees the promises of all handlers that the request reaches. Express does not expose them, so
 * the way in which it calls handlers is wrapped, once. Returns whether that is possible: the router may be another's.
 */
export function followHandlers(request: Request, work: HandlerFollower): boolean {
  const kept = keptWork(request);
  if (kept !== undefined) kept.followers = [...kept.followers, work];
  const { app, route } = request;
  if (app !== undefined && app === lastApp) return true;
  // Express 4 throws where it is asked for `router`, and Express 5 has no `_router`.
  const isWatched = watch((app?._router ?? app?.router ?? route)?.stack);
  if (isWatched) lastApp = app;
  return isWatched;
}

function watch(stack: readonly Layer[] | undefined): boolean {
  const prototype: unknown = stack?.[0] && Object.getPrototypeOf(stack[0]);
  const name = (["handleRequest", "handle_request"] as const).find((name) => name in Object(prototype));
  if (name === undefined || typeof prototype !== "object" || prototype === null) return false;
  if (watched.has(prototype)) return true;
  watched.add(prototype);
  const call: Call = Reflect.get(prototype, name);
  const isPromiseSeen = name === "handleRequest";
  Reflect.set(prototype, name, function (this: Layer, request: Request, response: Response, next: never) {
    const works = keptWork(request)?.followers;
    const { handle } = this;
    // One with four parameters is for errors.
    if (!works?.length || handle.length > 3) return Reflect.apply(call, this, [request, response, next]);
    if (handle.stack !== undefined) watch(handle.stack);
    const value: RequestHandler = (request, response, next) =>
      followed(works, handle, isPromiseSeen, [request, response, next]);
    return Reflect.apply(call, Object.create(this, { handle: { value } }), [request, response, next]);
  });
  return true;
}

/** Calls the handler as Express does. */
function followed(
  works: readonly HandlerFollower[],
  handle: RequestHandler,
  isPromiseSeen: boolean,
  [request, response, next]: Parameters<RequestHandler>,
): unknown {
  let passedOn = false;
  const fail = () => {
    for (const work of works) work.fail();
  };
  try {
    const handling: unknown = handle(request, response, (problem?: unknown) => {
      if (isObject(problem)) fail();
      else passedOn = true;
      next(problem);
    });
    if (!isObject(handling) || !("then" in handling)) return handling;
    const handled = Promise.resolve(handling);
    for (const work of works) work.follow(handled.then(() => !passedOn));
    // Express 4 does not look at a promise, and its rejection stays unhandled.
    if (!isPromiseSeen) void handled.then(() => {});
    return handling;
  } catch (error) {
    fail();
    throw error;
  }
}

/** Express lets a request on whose error is `undefined`, and takes some strings for orders. */
export function isObject(error: unknown): error is object {
  return typeof error === "object" && error !== null;
}
