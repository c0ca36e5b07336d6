import type { Awaitable, Charge, CreditsOptions, Denial, Gate } from "@creditgate/core";
import {
  type Admission,
  atOnce,
  createAdmission,
  denialMessage,
  invalidOption,
  NodeWork,
} from "@creditgate/core/adapter";
import type { NextFunction, Request, RequestHandler, Response } from "express";
import { followHandlers, isObject } from "./layers.ts";

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
 * reported when the response has gone out and the promises of all handlers behind it have settled. When the client disconnects, or
 * another answers with an error, `req.credits.signal` fires; the hold stays until those promises have settled, or where there is
 * none until `res.end()` has been called. The response is neither delayed nor changed. Throws an `invalid_option` error for options that cannot be right; what a resolver or
 * `handler` throws goes to `next()`.
 */
export function requireCredits(
  gate: Gate,
  options: CreditsOptions<Request>,
  handler: RequestHandler = passOn,
): RequestHandler {
  if (typeof handler !== "function") invalidOption("handler", "a function", handler);
  const admit = createAdmission(gate, options);
  let isReported = handler !== passOn;
  return (request, response, next) => {
    const work = new NodeWork(request, response);
    const fail = (error: unknown) =>
      next(isObject(error) ? error : new Error("requireCredits(): a function threw", { cause: error }));
    const enter = (admission: Admission): Awaitable<unknown> => {
      if (work.isOver(admission)) return;
      if (!admission.admitted) return deny(request, response, admission.denial);
      // Of its own: Express gives a request another prototype in each app.
      request.credits = admission.credits;
      if (!followHandlers(request, work) && !isReported) {
        isReported = true;
        console.warn(unseenHandlers);
      }
      return work.run(admission, () => handle(handler, work, request, response, next));
    };
    // In the same turn, where the balance is cached: `next()` costs more in another one.
    const entered = atOnce(admit(request), enter);
    if (entered instanceof Promise) entered.catch(fail);
  };
}

const passOn: RequestHandler = (_request, _response, next) => next();
const unseenHandlers =
  "creditgate: requireCredits() stands in a router that is not Express's, so it does not see how long handlers work: the hold of " +
  "one that works on behind an answer goes back too early. Give it the handler: requireCredits(gate, options, handler). This is " +
  "logged once.";

/** Whether the handler does the work, once it has ended: one that passed the request on does not. */
function handle(
  handler: RequestHandler,
  work: NodeWork,
  request: Request,
  response: Response,
  next: NextFunction,
): Awaitable<boolean> {
  let passedOn = false;
  try {
    const handling: unknown = handler(request, response, (problem?: unknown) => {
      if (isObject(problem)) work.fail();
      else passedOn = true;
      next(problem);
    });
    return isObject(handling) && "then" in handling
      ? Promise.resolve(handling).then(() => !passedOn)
      : !passedOn;
  } catch (error) {
    return Promise.reject(error);
  }
}

function deny(request: Request, response: Response, denial: Denial): void {
  const { status, headers, body } = denialMessage(denial, (name) => request.get(name));
  response.status(status).set(headers).send(body);
}
