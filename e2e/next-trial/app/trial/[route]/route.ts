import type { Charge } from "@creditgate/core";
import { adapterResponse, answeredByAnother } from "@creditgate/core/testing";
import { withCredits } from "@creditgate/next";
import * as server from "next/server.js";
import { eachRoute, trialOf } from "../../../trial.ts";

/** Not before Next 15. */
const after: unknown = Reflect.get(server, "after");
const background = typeof after === "function" ? { background: (work: Promise<unknown>) => after(work) } : {};

const trial = trialOf((request: server.NextRequest, name) => request.headers.get(name));
const handlers = eachRoute((route) => {
  const { gate, options } = trial.on(route);
  return withCredits(
    gate,
    options,
    async (request, { credits, params }: { params: Promise<{ route: string }>; credits: Charge }) => {
      if ((await params).route !== route) throw new Error("the parameters are those of the route");
      return adapterResponse(await trial.work(request, credits, background));
    },
  );
});

async function handle(request: server.NextRequest, context: { params: Promise<{ route: string }> }) {
  const { route } = await context.params;
  const handler = handlers.get(route);
  if (handler === undefined) return new Response(null, { status: 404 });
  try {
    return await answeredByAnother(trial.another(request), handler(request, context));
  } catch (error) {
    const status = request.headers.get("x-error-status");
    if (status === null) throw error;
    return new Response("the handler threw", { status: Number(status) });
  }
}

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
};
