import { adapterResponse, answeredByAnother } from "@creditgate/conformance";
import type { Charge } from "@creditgate/core";
import { withCredits } from "@creditgate/next";
import type { NextRequest } from "next/server.js";
import { eachRoute, trialOf, workAfter } from "../../../trial.ts";

const trial = trialOf((request: NextRequest, name) => request.headers.get(name));
const handlers = eachRoute((route) => {
  const { gate, options } = trial.on(route);
  return withCredits(
    gate,
    options,
    async (request, { credits, params }: { params: Promise<{ route: string }>; credits: Charge }) => {
      if ((await params).route !== route) throw new Error("the parameters are those of the route");
      const work = () => trial.work(request, credits, {});
      if (!request.headers.has("x-after")) return adapterResponse(await work());
      await workAfter((name) => request.headers.get(name), credits, work);
      const { status = 200 } = JSON.parse(request.headers.get("x-plan") ?? "{}");
      return new Response(null, { status });
    },
  );
});

async function handle(request: NextRequest, context: { params: Promise<{ route: string }> }) {
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
