import {
  type Awaitable,
  type Charge,
  type CreditsOptions,
  createAdmission,
  type Denial,
  denialMessage,
  type Gate,
  invalidOption,
  NodeWork,
} from "@creditgate/core";
import type { Request, RequestHandler, Response } from "express";

declare global {
  namespace Express {
    interface Request {
      /** The charge of this request: report to it what the work used. Set by `requireCredits()`. */
      credits: Charge;
    }
  }
}

/**
 * Middleware that answers a request whose customer cannot pay with 401, 402 or 503 (`application/problem+json`), and
 * else puts the charge into `req.credits`, lets the request on to `handler`, or else to what comes next, and bills what was
 * reported when the response has gone out and the promise of `handler` has settled. When the client leaves
 * `req.credits.signal` fires; the hold stays until that promise has settled, or where it tells nothing until `res.end()` has been
 * called. The response is neither delayed nor changed. Throws an `invalid_option` error for options that cannot be right; what a resolver or
 * `handler` throws goes to `next()`.
 */
export function requireCredits(
  gate: Gate,
  options: CreditsOptions<Request>,
  handler: RequestHandler = (_request, _response, next) => next(),
): RequestHandler {
  if (typeof handler !== "function") invalidOption("handler", "a function", handler);
  const admit = createAdmission(gate, options);
  return (request, response, next) => {
    const work = new NodeWork(request, response);
    const fail = (error: unknown) =>
      next(isObject(error) ? error : new Error("requireCredits(): a function threw", { cause: error }));
    admit(request)
      .then((admission) => {
        if (work.isOver(admission)) return;
        if (!admission.admitted) return deny(request, response, admission.denial);
        request.credits = admission.credits;
        const pass = (problem?: unknown) => {
          if (isObject(problem)) work.fail();
          next(problem);
        };
        return work.run(admission, () => handle(handler, request, response, pass));
      })
      .catch(fail);
  };
}

/** Whether the handler does the work, once it has ended: one that passed the request on leaves it to others. */
function handle(
  handler: RequestHandler,
  ...[request, response, next]: Parameters<RequestHandler>
): Awaitable<boolean> {
  let passedOn = false;
  try {
    const handling: unknown = handler(request, response, (problem?: unknown) => {
      passedOn ||= !isObject(problem);
      next(problem);
    });
    return isObject(handling) && "then" in handling
      ? Promise.resolve(handling).then(() => !passedOn)
      : !passedOn;
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Express lets a request on whose error is `undefined`, and takes some strings for orders. */
function isObject(error: unknown): error is object {
  return typeof error === "object" && error !== null;
}

function deny(request: Request, response: Response, denial: Denial): void {
  const { status, headers, body } = denialMessage(denial, (name) => request.get(name));
  response.status(status).set(headers).send(body);
}
