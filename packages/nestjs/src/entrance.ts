import {
  type Charge,
  type CreditsOptions,
  createAdmission,
  endWork,
  type Gate,
  isOver,
  type NodeRequest,
  type PipedResponse,
  pipedResponseOver,
} from "@creditgate/core";
import type { ExecutionContext } from "@nestjs/common";
import { CreditsDeniedException } from "./credits-denied.ts";
import { goneException, Handled, type HandledResponse } from "./handled.ts";

/** Express gives Node's request and response, and Fastify has them in `raw`. */
type OfNode<T> = T & { readonly raw?: T };

/** As much of the requests of Express and Fastify as resolvers ask for. */
export interface CreditsRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
  /** Who has signed in, as guards put it there. */
  readonly user?: { readonly id?: string | undefined } | undefined;
}

/** What a request has that was let in. */
export interface GatedRequest {
  credits?: Charge;
}

/** Lets a request in, or throws a `CreditsDeniedException`. */
export type Entrance = (context: ExecutionContext) => Promise<Handled>;

export function createEntrance<Request>(gate: Gate, options: CreditsOptions<Request>): Entrance {
  const admit = createAdmission(gate, options);
  return async (context) => {
    if (context.getType() !== "http") throw new Error("@RequireCredits() is for the routes of controllers");
    const http = context.switchToHttp();
    const framework = http.getRequest<Request & GatedRequest & OfNode<NodeRequest>>();
    const reply = http.getResponse<OfNode<PipedResponse & HandledResponse>>();
    const [request, response] = [framework.raw ?? framework, reply.raw ?? reply];
    const over = pipedResponseOver(request, response);
    const admission = await admit(framework);
    if (isOver(request, response)) {
      if (admission.admitted) admission.credits.release();
      throw goneException();
    }
    if (!admission.admitted) throw new CreditsDeniedException(admission.denial);
    framework.credits = admission.credits;
    const handled = new Handled(response);
    // Nest may have put another stream before the one that is piped, or none.
    Object.assign(over, { cancelled: Promise.race([over.cancelled, handled.cancelled]) });
    over.then(() => handled.miss());
    endWork({ admission, response, over, handling: handled.promise }).catch(() => {});
    return handled;
  };
}
