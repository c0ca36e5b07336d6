import type { Charge, CreditsOptions, Gate } from "@creditgate/core";
import { createAdmission, type NodeRequest, type NodeResponse, NodeWork } from "@creditgate/core/adapter";
import type { ExecutionContext } from "@nestjs/common";
import { CreditsDeniedException } from "./credits-denied.ts";
import { goneException, Handled } from "./handled.ts";

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
    const reply = http.getResponse<OfNode<NodeResponse>>();
    const work: NodeWork = new NodeWork(framework.raw ?? framework, reply.raw ?? reply, () => handled.miss());
    const handled = new Handled(work, isEvents(context));
    const admission = await admit(framework);
    if (work.isOver(admission)) throw goneException();
    if (!admission.admitted) throw new CreditsDeniedException(admission.denial);
    framework.credits = admission.credits;
    work.run(admission, () => handled.promise);
    return handled;
  };
}

/** Whether the route sends server-sent events: each value of the handler goes out as it comes. */
export function isEvents(context: ExecutionContext): boolean {
  return Reflect.getMetadata("__sse__", context.getHandler()) === true;
}
