import {
  type Charge,
  type CreditsOptions,
  createAdmission,
  type Denial,
  denialMessage,
  type Ending,
  type Gate,
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
      // Nobody waits any more: the client left while the gate decided, or someone else has answered.
      if (response.writableEnded || request.socket.destroyed) {
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

/** How the response ended, as soon as it is out of our hands: `close` alone would also come, but only after `finish`. */
function responseOver({ socket }: Request, response: Response): Promise<Ending> {
  return new Promise((resolve) => {
    const end = (ending: Ending) => {
      socket.off("close", abort);
      resolve(ending);
    };
    const abort = () => end("aborted");
    response.once("finish", () => end(response.statusCode < 400 ? "completed" : "failed"));
    response.once("close", abort);
    // A pipelined response has no socket until its turn comes, and is not told when the connection closes before.
    if (response.socket === null) socket.once("close", abort);
  });
}

function deny(request: Request, response: Response, denial: Denial): void {
  const { status, headers, body } = denialMessage(denial, (name) => request.get(name));
  response.status(status).set(headers).send(body);
}
