import {
  type Charge,
  type CreditsOptions,
  createAdmission,
  type Denial,
  denialMessage,
  type Gate,
  isOver,
  responseOver,
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
 * else puts the charge into `req.credits`, lets the request on, and bills what was reported once the response has gone
 * out or its client has left. The response itself is neither delayed nor changed. Throws an `invalid_option` error for
 * options that cannot be right; what a resolver throws goes to `next()`.
 */
export function requireCredits(gate: Gate, options: CreditsOptions<Request>): RequestHandler {
  const admit = createAdmission(gate, options, (request: Request) => request.method);
  return async (request, response, next) => {
    const over = responseOver(request, response);
    try {
      const admission = await admit(request);
      if (isOver(request, response)) {
        if (admission.admitted) admission.credits.release();
        return;
      }
      if (!admission.admitted) return deny(request, response, admission.denial);
      // Rejects only after close() has given up, which has told so itself.
      over.then((ending) => admission.end(ending)).catch(() => {});
      request.credits = admission.credits;
    } catch (error) {
      return next(
        isObject(error) ? error : new Error("A resolver of requireCredits() threw", { cause: error }),
      );
    }
    next();
  };
}

/** Express lets a request on whose error is `undefined`, and takes some strings for orders. */
function isObject(error: unknown): error is object {
  return typeof error === "object" && error !== null;
}

function deny(request: Request, response: Response, denial: Denial): void {
  const { status, headers, body } = denialMessage(denial, (name) => request.get(name));
  response.status(status).set(headers).send(body);
}
